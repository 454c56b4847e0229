/* Decks of drawings; see deck.h. Only the loop changes the list of decks. */
#include "deck.h"

#include <assert.h>
#include <sodium.h>

#include "alloc.h"
#include "cache.h"
#include "embedded.h"
#include "file.h"

enum { IMAGES = 2048, IMAGE_BYTES = 12 << 20 };

struct deck {
    struct deck *next;
    struct str svg[N_CARDS];
    bool own[N_CARDS]; /* read from a file: to be freed */
    uint8_t mark[N_CARDS][DECK_MARK];
    struct cache *images; /* of all decks */
    int no;
    size_t n_name;
    char name[];
};

struct decks {
    struct deck *first;
    char *folder; /* may be NULL */
    struct cache *images;
};

struct decks *decks_open(struct str folder)
{
    struct decks *d = alloc_zeroed(sizeof *d);
    d->folder = folder.n ? alloc_text(folder) : NULL;
    d->images = cache_open(IMAGES, IMAGE_BYTES);
    return d;
}

static void deck_free(struct deck *d)
{
    for (int c = 0; c < N_CARDS; c++)
        if (d->own[c])
            file_free(d->svg[c]);
    free(d);
}

void decks_close(struct decks *d)
{
    if (!d)
        return;
    for (struct deck *at = d->first, *next; at; at = next) {
        next = at->next;
        deck_free(at);
    }
    cache_close(d->images);
    free(d->folder);
    free(d);
}

/* Without a file the built-in drawing is used. */
static bool load_card(const struct decks *d, struct deck *deck, int card, struct err *err)
{
    char code[CARD_CODE_SIZE], path[4096];
    (void)card_code(card, code);
    int n =
        snprintf(path, sizeof path, "%s/%s/%s.svg", d->folder ? d->folder : "", deck->name, code);
    if (d->folder && n < (int)sizeof path && file_exists(path)) {
        deck->own[card] = file_read(path, DECK_SVG_MOST, &deck->svg[card], err);
        return deck->own[card];
    }
    snprintf(path, sizeof path, "decks/%s/%s.svg", deck->name, code);
    deck->svg[card] = embedded_find(str_of(path));
    return deck->svg[card].n > 0 || err_set(err, "deck %s: there is no %s.svg", deck->name, code);
}

bool decks_find(struct decks *d, struct str name, const struct deck **ret, struct err *err)
{
    for (const struct deck *at = d->first; at; at = at->next)
        if (str_is(name, (struct str){at->name, at->n_name})) {
            *ret = at;
            return true;
        }
    struct deck *deck = alloc_zeroed(sizeof *deck + name.n + 1);
    deck->images = d->images;
    deck->no = d->first ? d->first->no + 1 : 0;
    deck->n_name = name.n;
    memcpy(deck->name, name.p, name.n);
    for (int c = 0; c < N_CARDS; c++) {
        if (!load_card(d, deck, c, err)) {
            deck_free(deck);
            return false;
        }
        struct str svg = deck->svg[c];
        crypto_generichash(deck->mark[c], DECK_MARK, (const uint8_t *)svg.p, svg.n, NULL, 0);
    }
    deck->next = d->first;
    d->first = deck;
    *ret = deck;
    return true;
}

struct str deck_svg(const struct deck *d, int card)
{
    return d->svg[card];
}

const uint8_t *deck_mark(const struct deck *d, int card)
{
    return d->mark[card];
}

static struct cache_key key_of(const struct deck *d, int card, int width)
{
    return (struct cache_key){.kind = d->no, .no = (int64_t)width * N_CARDS + card};
}

struct str deck_image(const struct deck *d, int card, int width)
{
    struct str image = {0};
    (void)cache_find(d->images, key_of(d, card, width), &image);
    return image;
}

uint8_t *deck_keep(const struct deck *d, int card, int width, const uint8_t *image, size_t n)
{
    uint8_t *kept = cache_put(d->images, key_of(d, card, width), n);
    assert(kept); /* a card is much smaller than the cache */
    return memcpy(kept, image, n);
}

size_t decks_image_bytes(const struct decks *d)
{
    return cache_counts(d->images).bytes;
}
