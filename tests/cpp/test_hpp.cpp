/* test_hpp.cpp - what include/clearway.hpp promises, on the host and on the emulator.
 *
 * Inputs are random and copied before a call; each result is compared with the standard library's.  The
 * seed is printed when something fails; CW_SEED sets it. */
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>

#include "clearway.hpp"
#if __cplusplus >= 202002L
#include <span>
#endif

static unsigned long long seed;
static int failures;
static std::mt19937_64 random_words;

#define CHECK(what)                                                                     \
    do {                                                                                \
        if (!(what)) {                                                                  \
            std::printf("%s:%d: %s (CW_SEED=%llu)\n", __FILE__, __LINE__, #what, seed); \
            failures++;                                                                 \
        }                                                                               \
    } while (0)

template <class T> static std::vector<T> keys_of(std::size_t n)
{
    std::vector<T> v(n);

    for (T &x : v)
        x = static_cast<T>(static_cast<std::int64_t>(random_words() % 2000) - 1000);
    return v;
}

/* The status of what f throws; CW_OK if it throws nothing. */
template <class F> static cw_status status_of(F f)
{
    try {
        f();
    } catch (const clearway::error &e) {
        CHECK(std::string(e.what()).find(cw_status_name(e.status())) == 0);
        return e.status();
    }
    return CW_OK;
}

template <class F> static bool is_refused(F f)
{
    try {
        f();
    } catch (const std::invalid_argument &) {
        return true;
    }
    return false;
}

template <class T> static void every_type_is_sorted(clearway::context &c, std::size_t n)
{
    const std::vector<T> before = keys_of<T>(n);
    std::vector<T> expect = before;

    clearway::array<T> keys(c, before), out(c, n);
    std::stable_sort(expect.begin(), expect.end());
    clearway::sort_to(c, keys, out);
    c.wait();
    CHECK(keys.host() == before);
    CHECK(out.host() == expect);
    clearway::sort(c, keys, {CW_DESCENDING});
    c.wait();
    std::reverse(expect.begin(), expect.end());
    CHECK(keys.host() == expect);
}

static void pairs_and_index(clearway::context &c, std::size_t n)
{
    const std::vector<int> before = keys_of<int>(n);
    std::vector<std::uint32_t> order(n);
    std::vector<double> numbers(n);

    std::iota(order.begin(), order.end(), 0u);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    clearway::array<int> keys(c, before);
    clearway::array<double> values(c, numbers);
    clearway::array<std::uint32_t> index(c, n);
    clearway::argsort(c, keys, index);
    clearway::sort_pairs(c, keys, values, {CW_STABLE});
    c.wait();
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return before[a] < before[b]; });
    CHECK(index.host() == order);
    const std::vector<double> moved = values.host();
    for (std::size_t i = 0; i < n; i++)
        CHECK(moved[i] == order[i]);
}

static void rows_and_segments(clearway::context &c, std::size_t rows, std::size_t length)
{
    const std::vector<float> before = keys_of<float>(rows * length);
    std::vector<float> expect = before;
    std::vector<std::uint64_t> offsets = {0};

    clearway::array<float> keys(c, before), cut(c, before);
    clearway::array<std::uint32_t> index(c, before.size());
    clearway::argsort_rows(c, keys, length, index);
    clearway::sort_rows(c, keys, length);
    c.wait();
    const std::vector<std::uint32_t> places = index.host();
    for (std::size_t r = 0; r < rows; r++) {
        std::sort(expect.data() + r * length, expect.data() + (r + 1) * length);
        for (std::size_t i = 0; i < length; i++)
            CHECK(before[r * length + places[r * length + i]] == expect[r * length + i]);
    }
    CHECK(keys.host() == expect);

    while (offsets.back() < before.size())
        offsets.push_back(
            std::min<std::uint64_t>(before.size(), offsets.back() + random_words() % (length + 1)));
    clearway::array<std::uint64_t> bounds(c, offsets);
    clearway::sort_segments(c, cut, bounds, length);
    c.wait();
    expect = before;
    for (std::size_t r = 0; r + 1 < offsets.size(); r++)
        std::sort(expect.data() + offsets[r], expect.data() + offsets[r + 1]);
    CHECK(cut.host() == expect);
}

static void items_go_to_their_buckets(clearway::context &c, std::size_t n, std::uint32_t buckets)
{
    std::vector<std::uint32_t> labels(n), items(n), order(n);

    for (std::size_t i = 0; i < n; i++) {
        labels[i] = static_cast<std::uint32_t>(random_words() % buckets);
        items[i] = order[i] = static_cast<std::uint32_t>(i);
    }
    clearway::array<std::uint32_t> where(c, labels), in(c, items), out(c, n);
    clearway::array<std::uint64_t> offsets(c, buckets + 1);
    clearway::partition_by_label(c, where, buckets, in, out, offsets);
    c.wait();
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return labels[a] < labels[b]; });
    CHECK(out.host() == order);
    const std::vector<std::uint64_t> begin = offsets.host();
    CHECK(begin[0] == 0 && begin[buckets] == n);
    for (std::uint32_t b = 0; b < buckets; b++)
        CHECK(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), b)) ==
              begin[b + 1] - begin[b]);
}

static void elements_move(clearway::context &c, std::size_t n, const std::string &path)
{
    const std::vector<double> before = keys_of<double>(n);
    std::vector<std::int64_t> p(n);
    std::vector<double> expect(n);

    std::iota(p.begin(), p.end(), 0);
    std::shuffle(p.begin(), p.end(), random_words);
    for (std::size_t i = 0; i < n; i++)
        expect[static_cast<std::size_t>(p[i])] = before[i];
    clearway::array<double> in(c, before), out(c, n), back(c, n);
    clearway::array<std::int64_t> index(c, p);
    clearway::permute(c, in, index, out, CW_CHECK);
    clearway::permute(c, out, index, back, CW_GATHER);
    c.wait();
    CHECK(out.host() == expect);
    CHECK(back.host() == before);

    clearway::plan<double> made(c, p);
    clearway::plan<double> plan(std::move(made));
    clearway::array<double> planned(c, n), loaded(c, n);
    plan.execute(in, planned);
    plan.save(path);
    clearway::plan<double>::load(c, path).execute(in, loaded);
    c.wait();
    CHECK(planned.host() == expect && loaded.host() == expect && plan.size() == n);
    CHECK(is_refused([&] { (void)clearway::plan<float>::load(c, path); }));
    std::remove(path.c_str());

    clearway::shuffle(c, in, out, 7);
    clearway::shuffle(c, out, back, 7, true);
    c.wait();
    CHECK(back.host() == before);
    for (std::size_t i = 0; i < n; i++)
        expect[cw_shuffle_at(n, 7, i)] = before[i];
    CHECK(out.host() == expect);
}

static void matrices_turn(clearway::context &c, std::size_t rows, std::size_t columns)
{
    const std::vector<std::int16_t> before = keys_of<std::int16_t>(rows * columns);
    std::vector<std::int16_t> expect(before.size());

    for (std::size_t i = 0; i < rows; i++) {
        for (std::size_t j = 0; j < columns; j++)
            expect[j * rows + i] = before[i * columns + j];
    }
    clearway::array<std::int16_t> in(c, before), out(c, before.size());
    clearway::transpose(c, in, out, rows, columns);
    clearway::transpose(c, in, in, rows, columns);
    c.wait();
    CHECK(out.host() == expect && in.host() == expect);
}

/* Vectors, C arrays, std::array, spans and, where there is one, std::span. */
static void containers_are_taken_as_they_are()
{
    clearway::context c(CW_CPU);
    std::vector<int> v = {3, 1, 2};
    std::array<int, 3> a = {3, 1, 2};
    int p[] = {3, 1, 2};

    clearway::sort(c, v);
    clearway::sort(c, a);
    clearway::sort(c, p);
    CHECK(v[0] == 1 && a[1] == 2 && p[2] == 3);
    clearway::sort(c, clearway::span<int>(p), {CW_DESCENDING});
    CHECK(p[0] == 3);
    clearway::sort(c, clearway::span<int>(v).subspan(0, 2), {CW_DESCENDING});
    CHECK(v[0] == 2 && v[1] == 1 && v[2] == 3);
#if __cplusplus >= 202002L
    clearway::sort(c, std::span<int>(p));
    CHECK(p[0] == 1);
#endif
    const std::vector<int> none;
    clearway::sort_to(c, none, std::vector<int>());
}

static void what_is_wrong_throws(cw_backend backend)
{
    clearway::context c(backend);
    std::vector<int> three(3), four(4);
    const std::vector<unsigned> twice = {0, 0, 1};
    const std::size_t more = (std::size_t(1) << 31) + 1;
    const clearway::span<std::uint8_t> keys(nullptr, more); /* which nobody looks at */
    const clearway::span<std::int32_t> places(nullptr, more);

    CHECK(is_refused([&] { clearway::argsort(c, keys, places); }));
    CHECK(is_refused([&] { clearway::argsort_rows(c, keys, more, places); }));
    CHECK(is_refused([&] { clearway::sort_to(c, three, four); }));
    CHECK(is_refused([&] { clearway::sort_pairs(c, three, four); }));
    CHECK(is_refused([&] { clearway::sort_rows(c, four, 3); }));
    CHECK(is_refused([&] { clearway::sort_rows(c, four, 0); }));
    CHECK(is_refused([&] { clearway::transpose(c, four, four, 3, 2); }));
    CHECK(status_of([&] { clearway::permute(c, three, twice, std::vector<int>(3), CW_CHECK); }) ==
          CW_ERR_LABEL);
    CHECK(status_of([&] { clearway::plan<int> p(c, twice); }) == CW_ERR_LABEL);
    CHECK(status_of([&] { (void)clearway::plan<int>::load(c, "/none/such"); }) == CW_ERR_IO);
    CHECK(status_of([&] { clearway::sort(c, three, {0, 31, 9}); }) == CW_ERR_ARGUMENT);
}

/* It grows, is never given away while it is large enough, and moves with the context. */
static void workspace_is_kept()
{
    clearway::context c(CW_CPU);
    const clearway::context::piece small = c.reserve(1000);
    const clearway::context::piece same = c.reserve(500);
    const clearway::context::piece large = c.reserve(1 << 20);

    CHECK(small.memory == same.memory && same.bytes == 1000);
    CHECK(large.bytes == 1 << 20);
    clearway::context moved(std::move(c));
    CHECK(moved.reserve(1 << 20).memory == large.memory);
    clearway::context other(CW_CPU);
    other = std::move(moved);
    CHECK(other.reserve(1).memory == large.memory);
}

static void everything(cw_backend backend, std::size_t n)
{
    clearway::context c(backend);
    const std::string path = "/tmp/clearway-hpp-" + std::to_string(random_words()) + ".cwp";

    CHECK(c.backend() == backend);
    for (const std::size_t some :
         {std::size_t(0), std::size_t(1), std::size_t(random_words() % n)}) {
        every_type_is_sorted<std::int8_t>(c, some % 100);
        every_type_is_sorted<std::uint8_t>(c, some % 100);
        every_type_is_sorted<std::int16_t>(c, some);
        every_type_is_sorted<unsigned>(c, some);
        every_type_is_sorted<long>(c, some);
        every_type_is_sorted<unsigned long long>(c, some);
        every_type_is_sorted<float>(c, some);
        every_type_is_sorted<double>(c, some);
        pairs_and_index(c, some);
        elements_move(c, some + 1, path);
        items_go_to_their_buckets(c, some, 1 + static_cast<std::uint32_t>(random_words() % 100));
    }
    rows_and_segments(c, 1 + random_words() % 20, 1 + random_words() % 100);
    matrices_turn(c, 1 + random_words() % 40, 1 + random_words() % 40);
    what_is_wrong_throws(backend);
}

int main()
{
    const char *const given = std::getenv("CW_SEED");

    seed = given ? std::strtoull(given, nullptr, 0)
                 : static_cast<unsigned long long>(std::time(nullptr));
    random_words.seed(seed);
    containers_are_taken_as_they_are();
    workspace_is_kept();
    everything(CW_CPU, 20000);
    everything(CW_EMULATOR, 500);
    std::printf("%d failed\n", failures);
    return failures != 0;
}
