/* clearway.hpp - clearway.h for C++17: spans, workspace and errors are taken care of.
 *
 *      std::vector<float> keys = {2.5f, -1.0f, 3.0f};
 *      clearway::context cpu(CW_CPU);
 *      clearway::sort(cpu, keys);
 *
 *      clearway::context gpu(CW_CUDA);
 *      clearway::array<float> there(gpu, keys);           // a copy in the GPU's memory
 *      clearway::sort(gpu, there, {}, stream);            // queued, not waited for
 *      gpu.wait(stream);
 *      keys = there.host();
 *
 * Header only; needs clearway.h, the library and the standard library.  What fails throws
 * clearway::error, which has the status and the library's own text.
 *
 * Workspace belongs to the context: one piece for each stream, which grows when a call needs more and is
 * freed with the context.  Growing waits for the stream and allocates, so call `reserve` before a graph is
 * captured.  Calls on one stream run one after another and share the piece.
 */
#ifndef CLEARWAY_HPP
#define CLEARWAY_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "clearway.h"

namespace clearway
{

/* ---- errors --------------------------------------------------------------------------------- */

class error : public std::runtime_error
{
  public:
    explicit error(cw_status status) : std::runtime_error(text(status)), status_(status)
    {
    }
    cw_status status() const noexcept
    {
        return status_;
    }

  private:
    static std::string text(cw_status status)
    {
        const char *const detail = cw_last_error();

        return std::string(cw_status_name(status)) + ": " +
               (*detail ? detail : cw_status_text(status));
    }
    cw_status status_;
};

inline void check(cw_status status)
{
    if (status != CW_OK)
        throw error(status);
}

/* ---- spans ---------------------------------------------------------------------------------- */

/* A pointer and a count, of anything that has data() and size(): vectors, arrays, std::span, the arrays
 * below.  C++17 has no std::span. */
template <class T> class span
{
  public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N)
    {
    }
    template <class C, class E = std::remove_pointer_t<decltype(std::declval<C &>().data())>,
              class = std::enable_if_t<std::is_convertible_v<E (*)[], T (*)[]>>>
    constexpr span(C &&container) : data_(container.data()), size_(container.size())
    {
    }

    constexpr T *data() const noexcept
    {
        return data_;
    }
    constexpr std::size_t size() const noexcept
    {
        return size_;
    }
    constexpr bool empty() const noexcept
    {
        return size_ == 0;
    }
    constexpr T *begin() const noexcept
    {
        return data_;
    }
    constexpr T *end() const noexcept
    {
        return data_ + size_;
    }
    constexpr T &operator[](std::size_t i) const
    {
        return data_[i];
    }
    constexpr span subspan(std::size_t first, std::size_t count) const
    {
        return span(data_ + first, count);
    }

  private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/* ---- types ---------------------------------------------------------------------------------- */

/* The cw_type of a C++ type.  For a type of your own, such as CUDA's __half:
 *
 *      template <> struct clearway::key<__half> { static constexpr cw_type type = CW_F16; }; */
template <class T, class = void> struct key;

template <class T>
struct key<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
    static constexpr bool is_signed = std::is_signed_v<T>;
    static constexpr cw_type type = sizeof(T) == 1   ? (is_signed ? CW_I8 : CW_U8)
                                    : sizeof(T) == 2 ? (is_signed ? CW_I16 : CW_U16)
                                    : sizeof(T) == 4 ? (is_signed ? CW_I32 : CW_U32)
                                                     : (is_signed ? CW_I64 : CW_U64);
};
template <> struct key<float> {
    static constexpr cw_type type = CW_F32;
};
template <> struct key<double> {
    static constexpr cw_type type = CW_F64;
};

namespace detail
{

template <class C> using element = std::remove_pointer_t<decltype(std::data(std::declval<C &>()))>;
template <class C> using value = std::remove_cv_t<element<C>>;

template <class I> constexpr std::size_t index_bytes()
{
    static_assert(std::is_integral_v<I> && (sizeof(I) == 4 || sizeof(I) == 8),
                  "an index has 4 or 8 bytes");
    return sizeof(I);
}

/* Of an index that is written: its type must name so many places. */
template <class I> std::size_t index_bytes_for(std::size_t places)
{
    if (std::is_signed_v<I> && sizeof(I) == 4 && places > std::size_t(1) << 31)
        throw std::invalid_argument("clearway: " + std::to_string(places) +
                                    " places are more than a signed index of 4 bytes names");
    return index_bytes<I>();
}

inline void same(std::size_t a, std::size_t b, const char *what)
{
    if (a != b)
        throw std::invalid_argument(std::string("clearway: ") + what + ": " + std::to_string(a) +
                                    " and " + std::to_string(b) + " items");
}

} // namespace detail

/* ---- contexts ------------------------------------------------------------------------------- */

class context
{
  public:
    explicit context(cw_backend backend = CW_AUTO)
    {
        check(cw_context_create(backend, &context_));
    }
    context(context &&other) noexcept
    {
        swap(other);
    }
    context &operator=(context &&other) noexcept
    {
        swap(other);
        return *this;
    }
    context(const context &) = delete;
    context &operator=(const context &) = delete;
    ~context()
    {
        for (const piece &p : pieces_)
            cw_memory_free(context_, p.memory);
        cw_context_destroy(context_);
    }

    cw_context *get() const noexcept
    {
        return context_;
    }
    cw_backend backend() const noexcept
    {
        return cw_context_backend(context_);
    }
    void threads(unsigned count)
    {
        check(cw_context_set_threads(context_, count));
    }
    void seed(std::uint64_t seed)
    {
        check(cw_context_set_seed(context_, seed));
    }
    void wait(cw_stream stream = nullptr)
    {
        check(cw_wait(context_, stream));
    }

    struct piece {
        cw_stream stream;
        void *memory;
        std::size_t bytes;
    };

    /* The stream's workspace, with room for at least so many bytes. */
    piece reserve(std::size_t bytes, cw_stream stream = nullptr)
    {
        piece &p = piece_of(stream);

        if (bytes > p.bytes) {
            wait(stream);
            cw_memory_free(context_, p.memory);
            p = piece{stream, nullptr, 0};
            check(cw_memory_alloc(context_, bytes, &p.memory));
            p.bytes = bytes;
        }
        return p;
    }

  private:
    piece &piece_of(cw_stream stream)
    {
        for (piece &p : pieces_) {
            if (p.stream == stream)
                return p;
        }
        pieces_.push_back(piece{stream, nullptr, 0});
        return pieces_.back();
    }
    void swap(context &other) noexcept
    {
        std::swap(context_, other.context_);
        pieces_.swap(other.pieces_);
    }

    cw_context *context_ = nullptr;
    std::vector<piece> pieces_;
};

namespace detail
{

/* Call f(context, job, workspace, its bytes, stream). */
template <class F, class J>
void run(F f, context &where, const J &job, std::size_t bytes, cw_stream stream)
{
    const context::piece room = where.reserve(bytes, stream);

    check(f(where.get(), &job, room.memory, room.bytes, stream));
}

} // namespace detail

/* ---- arrays in a context's memory ------------------------------------------------------------- */

/* The context must outlive its arrays, and keep its place. */
template <class T> class array
{
    static_assert(std::is_trivially_copyable_v<T>, "arrays hold plain data");

  public:
    array(context &where, std::size_t size) : context_(&where), size_(size)
    {
        if (size > SIZE_MAX / sizeof(T))
            throw std::length_error("clearway: an array of more bytes than there are");
        check(cw_memory_alloc(where.get(), size * sizeof(T), &memory_));
    }
    array(context &where, span<const T> from) : array(where, from.size())
    {
        write(from);
    }
    array(context &where, std::initializer_list<T> from)
        : array(where, span<const T>(from.begin(), from.size()))
    {
    }
    array(array &&other) noexcept
    {
        swap(other);
    }
    array &operator=(array &&other) noexcept
    {
        swap(other);
        return *this;
    }
    array(const array &) = delete;
    array &operator=(const array &) = delete;
    ~array()
    {
        if (memory_)
            cw_memory_free(context_->get(), memory_);
    }

    /* A pointer in the context's memory: on a GPU it is not for the host. */
    T *data() const noexcept
    {
        return static_cast<T *>(memory_);
    }
    std::size_t size() const noexcept
    {
        return size_;
    }

    /* Copies; both wait until they are done, but not for other work: wait for that first. */
    void write(span<const T> from)
    {
        detail::same(from.size(), size_, "array::write");
        check(cw_memory_write(context_->get(), memory_, from.data(), size_ * sizeof(T)));
    }
    std::vector<T> host() const
    {
        std::vector<T> out(size_);

        check(cw_memory_read(context_->get(), std::data(out), memory_, size_ * sizeof(T)));
        return out;
    }

  private:
    void swap(array &other) noexcept
    {
        std::swap(context_, other.context_);
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
    }

    context *context_ = nullptr;
    void *memory_ = nullptr;
    std::size_t size_ = 0;
};

/* ---- sort ----------------------------------------------------------------------------------- */

/* Below, keys, values, an index and so on are anything that std::data and std::size take, in the context's
 * memory.
 * `flags`: CW_DESCENDING, CW_STABLE, .. as clearway.h has them. */

struct sort_options {
    unsigned flags = 0;
    unsigned first_bit = 0, bits = 0; /* only these bits of the key count; 0: all */
};

inline void sort(context &where, const cw_array &job, cw_stream stream = nullptr)
{
    std::size_t bytes = 0;

    check(cw_sort_workspace(&job, &bytes));
    detail::run(cw_sort, where, job, bytes, stream);
}

namespace detail
{

template <class K> cw_array array_job(K &&keys, const sort_options &o)
{
    cw_array job = {};

    job.type = key<value<K>>::type;
    job.flags = o.flags;
    job.first_bit = o.first_bit;
    job.bits = o.bits;
    job.n = std::size(keys);
    job.keys_in = std::data(keys);
    return job;
}

} // namespace detail

/* In place. */
template <class K, class = detail::element<K>>
void sort(context &where, K &&keys, sort_options o = {}, cw_stream stream = nullptr)
{
    static_assert(!std::is_const_v<detail::element<K>>, "sorted in place, so not const");
    cw_array job = detail::array_job(keys, o);

    job.keys_out = std::data(keys);
    sort(where, job, stream);
}

/* From one array to another. */
template <class K, class O, class = detail::element<K>, class = detail::element<O>>
void sort_to(context &where, K &&keys, O &&out, sort_options o = {}, cw_stream stream = nullptr)
{
    static_assert(std::is_same_v<detail::element<O>, detail::value<K>>, "keys of one type");
    cw_array job = detail::array_job(keys, o);

    detail::same(std::size(keys), std::size(out), "sort_to");
    job.keys_out = std::data(out);
    sort(where, job, stream);
}

/* Keys and what belongs to them, both in place.  Values have 1, 2, 4, 8 or 16 bytes. */
template <class K, class V, class = detail::element<K>, class = detail::element<V>>
void sort_pairs(context &where, K &&keys, V &&values, sort_options o = {},
                cw_stream stream = nullptr)
{
    static_assert(!std::is_const_v<detail::element<K>> && !std::is_const_v<detail::element<V>>,
                  "sorted in place, so not const");
    static_assert(std::is_trivially_copyable_v<detail::value<V>>, "values are plain data");
    cw_array job = detail::array_job(keys, o);

    detail::same(std::size(keys), std::size(values), "sort_pairs");
    job.keys_out = std::data(keys);
    job.values_in = job.values_out = std::data(values);
    job.value_bytes = sizeof(detail::value<V>);
    sort(where, job, stream);
}

/* The place that each key of the sorted array comes from; keys stay as they are. */
template <class K, class I, class = detail::element<K>, class = detail::element<I>>
void argsort(context &where, K &&keys, I &&index, sort_options o = {}, cw_stream stream = nullptr)
{
    cw_array job = detail::array_job(keys, o);

    detail::same(std::size(keys), std::size(index), "argsort");
    job.index_bytes = detail::index_bytes_for<detail::element<I>>(job.n);
    job.index_out = std::data(index);
    sort(where, job, stream);
}

/* ---- rows ----------------------------------------------------------------------------------- */

inline void sort_rows(context &where, const cw_rows &job, cw_stream stream = nullptr)
{
    std::size_t bytes = 0;

    check(cw_sort_rows_workspace(&job, &bytes));
    detail::run(cw_sort_rows, where, job, bytes, stream);
}

namespace detail
{

template <class K> cw_rows rows_job(K &&keys, std::size_t length, unsigned flags)
{
    cw_rows job = {};

    if (length ? std::size(keys) % length : std::size(keys))
        throw std::invalid_argument("clearway: " + std::to_string(std::size(keys)) +
                                    " keys are no rows of " + std::to_string(length));
    job.type = key<value<K>>::type;
    job.flags = flags;
    job.rows = length ? std::size(keys) / length : 0;
    job.length = length;
    job.keys_in = std::data(keys);
    return job;
}

} // namespace detail

/* Every row of so many keys, in place. */
template <class K, class = detail::element<K>>
void sort_rows(context &where, K &&keys, std::size_t length, unsigned flags = 0,
               cw_stream stream = nullptr)
{
    cw_rows job = detail::rows_job(keys, length, flags);

    job.keys_out = std::data(keys);
    sort_rows(where, job, stream);
}

/* The place in its row that each key comes from. */
template <class K, class I, class = detail::element<K>, class = detail::element<I>>
void argsort_rows(context &where, K &&keys, std::size_t length, I &&index, unsigned flags = 0,
                  cw_stream stream = nullptr)
{
    cw_rows job = detail::rows_job(keys, length, flags);

    detail::same(std::size(keys), std::size(index), "argsort_rows");
    job.index_bytes = detail::index_bytes_for<detail::element<I>>(length);
    job.index_out = std::data(index);
    sort_rows(where, job, stream);
}

/* Rows of mixed lengths, none above `longest`: row r is offsets[r] .. offsets[r + 1] - 1. */
template <class K, class S, class = detail::element<K>, class = detail::element<S>>
void sort_segments(context &where, K &&keys, S &&offsets, std::size_t longest, unsigned flags = 0,
                   cw_stream stream = nullptr)
{
    cw_rows job = {};

    if (std::size(offsets) == 0)
        throw std::invalid_argument("clearway: sort_segments: no offsets");
    job.type = key<detail::value<K>>::type;
    job.flags = flags;
    job.rows = std::size(offsets) - 1;
    job.length = longest;
    job.offsets = std::data(offsets);
    job.offset_bytes = detail::index_bytes<detail::value<S>>();
    job.items = std::size(keys);
    job.keys_in = job.keys_out = std::data(keys);
    sort_rows(where, job, stream);
}

/* ---- partition ------------------------------------------------------------------------------ */

inline void partition(context &where, const cw_partition_job &job, cw_stream stream = nullptr)
{
    std::size_t bytes = 0;

    check(cw_partition_workspace(&job, &bytes));
    detail::run(cw_partition, where, job, bytes, stream);
}

/* Items by a label each, into `buckets` buckets: items of 1 byte and more from `in` to `out`; offsets
 * get the buckets + 1 places where buckets begin. */
template <class L, class A, class B, class S>
void partition_by_label(context &where, L &&labels, std::uint32_t buckets, A &&in, B &&out,
                        S &&offsets, unsigned flags = 0, cw_stream stream = nullptr)
{
    static_assert(std::is_same_v<detail::value<S>, std::uint64_t>, "offsets are std::uint64_t");
    static_assert(std::is_same_v<detail::element<B>, detail::value<A>>, "items of one type");
    const cw_payload payload = {std::data(in), std::data(out), sizeof(detail::value<A>)};
    cw_partition_job job = {};

    detail::same(std::size(labels), std::size(in), "partition_by_label");
    detail::same(std::size(in), std::size(out), "partition_by_label");
    detail::same(std::size(offsets), std::size_t(buckets) + 1, "partition_by_label: offsets");
    job.type = key<detail::value<L>>::type;
    job.rule = CW_BY_LABEL;
    job.flags = flags;
    job.n = std::size(labels);
    job.buckets = buckets;
    job.keys_in = std::data(labels);
    job.payloads = &payload;
    job.payload_count = 1;
    job.offsets = std::data(offsets);
    partition(where, job, stream);
}

/* ---- permute, shuffle, transpose -------------------------------------------------------------- */

inline void permute(context &where, const cw_permute_job &job, cw_stream stream = nullptr)
{
    std::size_t bytes = 0;

    check(cw_permute_workspace(&job, &bytes));
    detail::run(cw_permute, where, job, bytes, stream);
}

/* out[index[i]] = in[i]; with CW_GATHER out[i] = in[index[i]].  CW_CHECK refuses what is no
 * permutation. */
template <class A, class I, class B, class = detail::element<A>>
void permute(context &where, A &&in, I &&index, B &&out, unsigned flags = 0,
             cw_stream stream = nullptr)
{
    static_assert(std::is_same_v<detail::element<B>, detail::value<A>>, "elements of one type");
    cw_permute_job job = {};

    detail::same(std::size(in), std::size(index), "permute");
    detail::same(std::size(in), std::size(out), "permute");
    job.flags = flags;
    job.n = std::size(in);
    job.bytes = sizeof(detail::value<A>);
    job.in = std::data(in);
    job.out = std::data(out);
    job.index = std::data(index);
    job.index_bytes = detail::index_bytes<detail::value<I>>();
    job.index_signed = std::is_signed_v<detail::value<I>>;
    permute(where, job, stream);
}

/* A random order that the seed gives; `inverse` undoes it. */
template <class A, class B>
void shuffle(context &where, A &&in, B &&out, std::uint64_t seed, bool inverse = false,
             cw_stream stream = nullptr)
{
    static_assert(std::is_same_v<detail::element<B>, detail::value<A>>, "elements of one type");
    cw_shuffle_job job = {};
    std::size_t bytes = 0;

    detail::same(std::size(in), std::size(out), "shuffle");
    job.n = std::size(in);
    job.bytes = sizeof(detail::value<A>);
    job.seed = seed;
    job.inverse = inverse;
    job.in = std::data(in);
    job.out = std::data(out);
    check(cw_shuffle_workspace(&job, &bytes));
    detail::run(cw_shuffle, where, job, bytes, stream);
}

/* A matrix of rows x columns; `out` may be `in`. */
template <class A, class B>
void transpose(context &where, A &&in, B &&out, std::size_t rows, std::size_t columns,
               cw_stream stream = nullptr)
{
    static_assert(std::is_same_v<detail::element<B>, detail::value<A>>, "elements of one type");
    cw_transpose_job job = {};
    std::size_t bytes = 0;

    if (columns && rows > SIZE_MAX / columns)
        throw std::length_error("clearway: a matrix of more elements than there are");
    detail::same(std::size(in), rows * columns, "transpose");
    detail::same(std::size(in), std::size(out), "transpose");
    job.rows = rows;
    job.columns = columns;
    job.bytes = sizeof(detail::value<A>);
    job.in = std::data(in);
    job.out = std::data(out);
    check(cw_transpose_workspace(&job, &bytes));
    detail::run(cw_transpose, where, job, bytes, stream);
}

/* ---- plans ---------------------------------------------------------------------------------- */

/* A permutation made ready once, for elements of type T.  Its table lies in one context's memory, and
 * goes with the plan; the context must outlive it and keep its place. */
template <class T> class plan
{
    static_assert(std::is_trivially_copyable_v<T>, "elements are plain data");

  public:
    /* `index` is in the host's memory. */
    template <class I, class = detail::element<I>>
    plan(context &where, I &&index, unsigned flags = 0, unsigned threads = 0) : plan()
    {
        context_ = &where; /* from here on the destructor runs, whatever throws */
        check(cw_plan_create(std::data(index), detail::index_bytes<detail::value<I>>(),
                             std::size(index), sizeof(T), flags, threads, &plan_));
        write_table();
    }
    static plan load(context &where, const std::string &path)
    {
        plan p;

        p.context_ = &where;
        check(cw_plan_load(path.c_str(), &p.plan_));
        detail::same(cw_plan_item_bytes(p.plan_), sizeof(T), "plan::load: bytes of an element");
        p.write_table();
        return p;
    }
    plan(plan &&other) noexcept
    {
        swap(other);
    }
    plan &operator=(plan &&other) noexcept
    {
        swap(other);
        return *this;
    }
    plan(const plan &) = delete;
    plan &operator=(const plan &) = delete;
    ~plan()
    {
        if (context_)
            cw_memory_free(context_->get(), table_);
        cw_plan_destroy(plan_);
    }

    std::size_t size() const
    {
        return cw_plan_items(plan_);
    }
    std::string kind() const
    {
        return cw_plan_kind(plan_);
    }
    void save(const std::string &path) const
    {
        check(cw_plan_save(plan_, path.c_str()));
    }
    const cw_plan *get() const noexcept
    {
        return plan_;
    }

    template <class A, class B> void execute(A &&in, B &&out, cw_stream stream = nullptr) const
    {
        static_assert(std::is_same_v<detail::value<A>, T> && std::is_same_v<detail::element<B>, T>,
                      "elements of the plan's type");
        std::size_t bytes = 0;

        detail::same(std::size(in), size(), "plan::execute");
        detail::same(std::size(out), size(), "plan::execute");
        check(cw_plan_workspace(plan_, &bytes));
        const context::piece room = context_->reserve(bytes, stream);

        check(cw_plan_execute(context_->get(), plan_, table_, std::data(in), std::data(out),
                              room.memory, room.bytes, stream));
    }

  private:
    plan() = default;
    void write_table()
    {
        const std::size_t bytes = cw_plan_table_bytes(plan_);

        if (bytes) {
            check(cw_memory_alloc(context_->get(), bytes, &table_));
            check(cw_plan_write_table(context_->get(), plan_, table_));
        }
    }
    void swap(plan &other) noexcept
    {
        std::swap(context_, other.context_);
        std::swap(plan_, other.plan_);
        std::swap(table_, other.table_);
    }

    context *context_ = nullptr;
    cw_plan *plan_ = nullptr;
    void *table_ = nullptr;
};

} // namespace clearway

#endif
