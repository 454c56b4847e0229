/* A record as text. Cards are shown by their codes and yaku by their keys, the same in every
 * language. */
#include "record_read.h"

/* Names of players may hold any text; control characters become ?. */
static void put_name(FILE *out, struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        fputc((unsigned char)name.p[i] < 0x20 || name.p[i] == 0x7f ? '?' : name.p[i], out);
}

static void put_seat(FILE *out, const struct record_head *h, struct json v, const char *key)
{
    if (json_kind(json_at(v, key)) == JSON_NUMBER)
        put_name(out, h->names[json_number(v, key)]);
    else
        fputs("-", out);
}

static void put_cards(FILE *out, struct json list)
{
    for (struct json c = json_first(list); c.at; c = json_next(c))
        fprintf(out, " %s", json_str(c, NULL).p);
    fputc('\n', out);
}

static void put_match(FILE *out, const struct record_head *h)
{
    fprintf(out, "match %.*s: %s, %d rounds:", STR_ARG(h->id), h->rules->name, h->rules->rounds);
    for (int s = 0; s < h->players; s++) {
        fputs(s == 0 ? " " : ", ", out);
        put_name(out, h->names[s]);
        if (h->seats.has_lots) {
            char code[CARD_CODE_SIZE];
            card_code(h->seats.lots[s], code);
            fprintf(out, " (%s)", code);
        }
    }
    fputc('\n', out);
}

static void put_deal(FILE *out, const struct record_head *h, struct json v)
{
    int seat = 0;
    fprintf(out, "\nround %d, attempt %d, dealer ", (int)json_number(v, "round"),
            (int)json_number(v, "attempt"));
    put_seat(out, h, v, "dealer");
    fputs("\n  table:", out);
    put_cards(out, json_at(v, "table"));
    struct json hand = json_first(json_at(v, "hands"));
    for (; hand.at; hand = json_next(hand)) {
        fputs("  ", out);
        put_name(out, h->names[seat++]);
        fputc(':', out);
        put_cards(out, hand);
    }
}

static void put_take(FILE *out, const struct record_head *h, struct str t, struct json v)
{
    struct json take = json_at(v, "take");
    fputs("  ", out);
    put_seat(out, h, v, "p");
    fprintf(out, " %.*s %s", STR_ARG(t), json_str(v, "card").p);
    if (json_count(take) > 0)
        fputs(" takes", out);
    put_cards(out, take);
}

/* "sanko 5 + kasu 2 = 7" */
static void put_yaku(FILE *out, struct json v)
{
    const char *plus = "";
    for (struct json y = json_first(json_at(v, "yaku")); y.at; y = json_next(y), plus = " +")
        fprintf(out, "%s %s %d", plus, json_name(y).p, (int)json_number(y, NULL));
    fprintf(out, " = %d", (int)json_number(v, "base"));
}

static void put_scores(FILE *out, const struct record_head *h, struct json v)
{
    int seat = 0;
    struct json s = json_first(json_at(v, "scores"));
    for (; s.at; s = json_next(s)) {
        fputs(seat == 0 ? " | " : ", ", out);
        put_name(out, h->names[seat++]);
        fprintf(out, " %d", (int)json_number(s, NULL));
    }
    fputc('\n', out);
}

static void put_round_end(FILE *out, const struct record_head *h, struct json v)
{
    fprintf(out, "round %d: %s, winner ", (int)json_number(v, "round"), json_str(v, "why").p);
    put_seat(out, h, v, "winner");
    fputc(':', out);
    put_yaku(out, v);
    struct json x = json_first(json_at(v, "multipliers"));
    for (; x.at; x = json_next(x)) {
        bool added = json_at(x, "add").at;
        fprintf(out, added ? ", %s +%d" : ", %s x%d", json_str(x, "name").p,
                (int)json_number(x, added ? "add" : "x"));
    }
    fprintf(out, " -> %d", (int)json_number(v, "points"));
    put_scores(out, h, v);
}

static void put_call(FILE *out, const struct record_head *h, struct json v, const char *what)
{
    fputs("  ", out);
    put_seat(out, h, v, "p");
    fprintf(out, " %s", what);
}

void record_text(FILE *out, const struct record_head *head, struct str t, struct json v)
{
    if (str_is(t, STR("match"))) {
        put_match(out, head);
    } else if (str_is(t, STR("deal"))) {
        put_deal(out, head, v);
    } else if (str_is(t, STR("play")) || str_is(t, STR("draw"))) {
        put_take(out, head, t, v);
    } else if (str_is(t, STR("decide"))) {
        put_call(out, head, v, json_str(v, "do").p);
        fputc(':', out);
        put_yaku(out, v);
        fputc('\n', out);
    } else if (str_is(t, STR("round_end"))) {
        put_round_end(out, head, v);
    } else if (str_is(t, STR("match_end"))) {
        fprintf(out, "\nmatch over: %s, winner ", json_str(v, "why").p);
        put_seat(out, head, v, "winner");
        put_scores(out, head, v);
    } else if (str_is(t, STR("void"))) {
        fprintf(out, "round %d, attempt %d: void, %s\n", (int)json_number(v, "round"),
                (int)json_number(v, "attempt"), json_str(v, "why").p);
    } else if (str_is(t, STR("agree"))) {
        put_call(out, head, v, "agrees to a draw\n");
    } else if (str_is(t, STR("takeback"))) {
        put_call(out, head, v, "takes back");
        fprintf(out, " %d lines\n", (int)json_number(v, "lines"));
    } else { /* declare, leave */
        bool declare = str_is(t, STR("declare"));
        put_call(out, head, v, declare ? "declares" : "leaves");
        fprintf(out, ": %s%s\n", json_str(v, declare ? "what" : "why").p,
                json_at(v, "goes_on").at ? ", the others play on" : "");
    }
}
