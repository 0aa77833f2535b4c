/* external_classify.h - how many splitters are not above each key, for keys of type KEY.
 *
 * Where splitters are spread evenly enough, from the cell of the key upwards; else by a binary
 * search without a branch, in which the words behind the last splitter are the largest there are,
 * and may be counted only for that largest key.
 */
static void CLASSIFY(const struct cw_splitters *p, const struct cw_key_map *m, const KEY *keys,
                     uint32_t n, uint16_t *bucket)
{
    const uint64_t *const words = p->words;
    const uint64_t low = words[0], last = words[p->count - 1];

    for (uint32_t i = 0; i < n; i++) {
        const uint64_t key = keys[i], own = CW_KEY_TO_WORD(m, key);
        const uint64_t word = m->tied ? CW_WORD_TO_RANK(m, own) : own;
        uint32_t at = 0;

        if (p->even) {
            const uint64_t x = word < low ? 0 : word > last ? last - low : word - low;

            at = p->cell[x >> p->shift];
            while (words[at] <= word && at < p->count)
                at++;
            bucket[i] = (uint16_t)at;
            continue;
        }
        for (uint32_t step = p->size / 2; step; step /= 2)
            at += words[at + step - 1] <= word ? step : 0;
        bucket[i] = (uint16_t)(at < p->count ? at : p->count);
    }
}
#undef KEY
#undef CLASSIFY
