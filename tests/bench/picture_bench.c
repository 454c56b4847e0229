/* Pictures of hands, and of previews of links: what one costs in a warm daemon. One line of JSON a deck and kind: bytes
 * (median, worst), ms of the processor (median, 95th percentile), and ms of the kind's first picture, which renders its
 * cards; the first of all loads the libraries, too.
 *
 *     picture_bench          200 pictures of each
 *     picture_bench 1        16, to see that it runs
 */
#include "fixture/random_layout.h"
#include "picture.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { HANDS = 200, FEW = 16, TURNS = 8 };

static double ms_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double share_of(double *all, int n, int percent)
{
    qsort(all, (size_t)n, sizeof *all, compare);
    return all[(n - 1) * percent / 100];
}

/* A finished match as its preview shows it: who has won, the cards of the turning point, the chances. */
static void random_preview(const char *deck, int turns, struct rng *c, struct buf *ret)
{
    struct layout l;
    cardset cards = 0;
    layout_open(&l, deck);
    LAYOUT_ADD(&l, LAYOUT_RESULT, STR("win"), STR("Ann"), STR("Ann 62 \xE2\x80\x93 Bo 41"),
               STR("62 points"));
    LAYOUT_ADD(&l, LAYOUT_MOMENT, STR("The turning point"), STR("Round 7 \xC2\xB7 Ann"),
               STR("31% \xE2\x86\x92 66%"));
    while (set_count(cards) < 2 + turns % 4)
        cards |= CARD(rng_below(rng_next(c), N_CARDS));
    layout_cards(&l, cards);
    LAYOUT_ADD(&l, LAYOUT_SIGN, STR("Koi-Koi"), STR(""));
    layout_write(&l, ret);
}

typedef void layout_maker(const char *deck, int turns, struct rng *c, struct buf *ret);

/* Draws one; returns false if it cannot. */
static bool draw(struct decks *decks, const char *deck, layout_maker *make, int turns,
                 struct rng *c, double *ret_ms, double *ret_bytes, struct err *err)
{
    static char png[JOB_RESULT], text[LAYOUT_BYTES];
    struct buf line = BUF(text), out = {png, 0, sizeof png, false};
    struct picture_ask ask;
    make(deck, turns, c, &line);
    double began = ms_now();
    if (!picture_ask(decks, str_of(text), &ask, err) || !picture_draw(&ask, &out, err))
        return false;
    *ret_ms = ms_now() - began;
    *ret_bytes = (double)out.n;
    return true;
}

static bool bench(struct decks *decks, const char *deck, const char *kind, layout_maker *make,
                  int hands, struct err *err)
{
    static double ms[HANDS], bytes[HANDS];
    double first = 0;
    struct rng c = {7};
    for (int i = -TURNS; i < hands; i++) /* until each card is rendered, nothing counts */
        if (!draw(decks, deck, make, (i + TURNS) % TURNS, &c, &ms[i < 0 ? 0 : i],
                  &bytes[i < 0 ? 0 : i], err))
            return false;
        else if (i == -TURNS)
            first = ms[0];
    printf("{\"bench\":\"picture\",\"deck\":\"%s\",\"%s\":%d,\"bytes\":%.0f,\"bytes_worst\":%.0f,"
           "\"cpu_ms\":%.1f,\"cpu_ms_p95\":%.1f,\"first_ms\":%.0f}\n",
           deck, kind, hands, share_of(bytes, hands, 50), share_of(bytes, hands, 100),
           share_of(ms, hands, 50), share_of(ms, hands, 95), first);
    return true;
}

int main(int argc, char **argv)
{
    struct err err = {.text = ""};
    struct decks *decks = decks_open(STR(""));
    int hands = argc > 1 && argv[1][0] ? FEW : HANDS;
    static const char *const shown[] = {"hanafuda", "okoshki"};
    bool good = true;
    for (int i = 0; i < 2; i++)
        good = good && bench(decks, shown[i], "hands", random_layout, hands, &err) &&
               bench(decks, shown[i], "previews", random_preview, hands, &err);
    if (!good)
        fprintf(stderr, "picture_bench: %s\n", err.text);
    decks_close(decks);
    return good ? 0 : 1;
}
