/* local_out.h - the local sort's items in order: tags, and what they stand for to global memory. */
#ifndef CW_SORT_HYBRID_LOCAL_OUT_H
#define CW_SORT_HYBRID_LOCAL_OUT_H

#include "sort/hybrid/local_io.h"

/* Read tags from the buffer. */
DEV void local_take(const struct local *l, struct local_items *x)
{
    const uint32_t first = local_place(l);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (LOCAL_ENDS(l, i))
            break;
        local_set_tag(x, i, local_tag_at(first + 32u * i));
    }
}

DEV void local_store_key(void *keys, uint64_t i, local_key x, uint32_t bytes)
{
#if LOCAL_KEY_LOG == 3
    (void)bytes;
    gm_st8((uint64_t *)keys + i, x);
#else
    if (bytes == 4u)
        gm_st4((uint32_t *)keys + i, x);
    else if (bytes == 2u)
        gm_st2((uint16_t *)keys + i, x);
    else
        gm_st1((uint8_t *)keys + i, x);
#endif
}

DEV void local_store_keys(const struct local *l, const struct local_keys *k)
{
    const uint32_t first = local_place(l);
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = first + 32u * i;

        if (LOCAL_ENDS(l, i))
            break;
        if (at < l->count)
            local_store_key(l->job->keys_out, (uint64_t)l->from + at, k->x[i], l->job->key_bytes);
    }
}

/* Make keys of words.  `plain` is a constant. */
DEV void local_words_to_keys(const struct local *l, const struct local_items *x, int plain)
{
    struct local_keys k;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        if (LOCAL_ENDS(l, i))
            break;
        k.x[i] = local_word(local_tag(x, i));
        if (!plain)
            k.x[i] = local_to_key(&l->job->map, local_rotate(k.x[i], l->up));
    }
    local_store_keys(l, &k);
}

/* Fetch keys again: several keys may share a rank. */
DEV void local_fetch_keys(const struct local *l, const struct local_items *x)
{
    struct local_keys k;

    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = tile_swizzle(local_tag(x, i));

        if (LOCAL_ENDS(l, i))
            break;
        k.x[i] =
            local_load_key(l->job->keys, (uint64_t)l->from + (at < l->count ? at : l->count - 1u),
                           l->job->key_bytes);
    }
    block_sync(); /* the output may be where the input is */
    local_store_keys(l, &k);
}

DEV void local_write_keys(const struct local *l, const struct local_items *x)
{
    if (!l->job->keys_out)
        return;
    if (local_plain(l))
        local_words_to_keys(l, x, 1);
    else if (!l->job->map.tied)
        local_words_to_keys(l, x, 0);
    else
        local_fetch_keys(l, x);
}

#if defined(PAYLOAD_LOG)
DEV void local_write_payload(const struct local *l, const struct local_items *x)
{
    const uint32_t first = local_place(l);
#if !defined(BLOCK_ALONE)
    struct radix_payload v;

    local_load_payload(l, &v);
    block_sync(); /* words and tags are in registers now */
    local_put_payload(l, &v);
    block_sync();
#endif
    UNROLL for (uint32_t i = 0; i < TILE_ITEMS; i++)
    {
        const uint32_t at = first + 32u * i;

        if (LOCAL_ENDS(l, i))
            break;
        if (at < l->count)
            payload_store(l->job->values_out, (uint64_t)l->from + at,
                          sh_ld_payload(LOCAL_PAYLOAD + PAYLOAD_BYTES * local_tag(x, i)),
                          l->job->last_bytes);
    }
}
#endif

#endif
