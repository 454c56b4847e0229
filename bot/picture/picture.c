/* Names of pictures, and their drawing as a job; see picture.h. */
#include "picture.h"

#include <assert.h>
#include <sodium.h>

#include "rows.h"

_Static_assert((int)PICTURE_WIDTH == (int)PAPER_PIXELS, "a picture is as wide as its paper");

bool picture_draw(const struct picture_ask *ask, struct buf *ret, struct err *err)
{
    struct paper paper;
    int height = rows_height(&ask->layout);
    if (height == 0)
        return err_set(err, "picture: there is no card");
    if (!paper_open(&paper, ask->deck, height, err))
        return false;
    bool good = rows_draw(&paper, &ask->layout, err) && paper_png(&paper, ret, err);
    paper_close(&paper);
    return good;
}

bool picture_ask(struct decks *d, struct str text, struct picture_ask *ret, struct err *err)
{
    struct picture_ask ask = {0};
    if (!layout_read(text, &ask.layout, err) ||
        !decks_find(d, str_of(ask.layout.deck), &ask.deck, err))
        return false;
    *ret = ask;
    return true;
}

/* ---- names ---- */

static void hash_row(crypto_generichash_state *state, const struct picture_ask *ask,
                     const struct layout_row *row)
{
    uint8_t head[] = {row->kind, row->n_cards, row->n_texts};
    crypto_generichash_update(state, head, sizeof head);
    for (int i = 0; i < row->n_cards; i++) {
        const struct layout_card *c = layout_card_of(&ask->layout, row, i);
        uint8_t kind = (uint8_t)card_kind(c->card); /* captures are sorted by it */
        uint8_t marked = c->marked;
        crypto_generichash_update(state, &kind, 1);
        crypto_generichash_update(state, &c->n_numbers, 1);
        crypto_generichash_update(state, c->number, c->n_numbers);
        crypto_generichash_update(state, &marked, 1);
        crypto_generichash_update(state, deck_mark(ask->deck, c->card), DECK_MARK);
    }
    for (int i = 0; i < row->n_texts; i++) {
        uint32_t n = (uint32_t)row->text[i].n;
        crypto_generichash_update(state, (const uint8_t *)&n, sizeof n);
        crypto_generichash_update(state, (const uint8_t *)row->text[i].p, n);
    }
}

void picture_name(const struct picture_ask *ask, char ret[static PICTURE_NAME_SIZE])
{
    crypto_generichash_state state;
    uint8_t hash[(PICTURE_NAME_SIZE - 1) / 2], version = PICTURE_VERSION;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, &version, 1);
    for (int i = 0; i < ask->layout.n_rows; i++)
        hash_row(&state, ask, &ask->layout.row[i]);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(ret, PICTURE_NAME_SIZE, hash, sizeof hash);
}

/* ---- the job: its input is the deck, and the text of the layout ---- */

bool picture_order(struct decks *d, struct str text, struct arena *a, struct str *ret_input,
                   char ret_name[static PICTURE_NAME_SIZE], struct err *err)
{
    struct picture_ask ask;
    if (!picture_ask(d, text, &ask, err))
        return false;
    picture_name(&ask, ret_name);
    char *input = arena_room(a, sizeof ask.deck + text.n);
    memcpy(input, &ask.deck, sizeof ask.deck);
    memcpy(input + sizeof ask.deck, text.p, text.n);
    *ret_input = (struct str){input, sizeof ask.deck + text.n};
    return true;
}

static const struct str PNG = {"\x89PNG", 4};

void picture_run(struct str input, const struct job_pace *pace, struct buf *ret)
{
    struct picture_ask ask;
    struct err err;
    (void)pace;
    assert(input.n > sizeof ask.deck);
    memcpy(&ask.deck, input.p, sizeof ask.deck);
    if (!layout_read(str_skip(input, sizeof ask.deck), &ask.layout, &err) ||
        !picture_draw(&ask, ret, &err))
        buf_put(ret, str_of(err.text));
}

bool picture_of_job(struct str output, struct str *ret, struct err *err)
{
    if (!str_starts(output, PNG))
        return err_set(err, "%.*s", STR_ARG(output));
    *ret = output;
    return true;
}
