/* See record_text.h. Cards are shown by their codes and yaku by their keys, the same in every
 * language. */
#include "record_text.h"

static int member_number(const cJSON *v, const char *key)
{
    return (int)json_member(v, key)->valuedouble;
}

static const char *member_text(const cJSON *v, const char *key)
{
    return json_member(v, key)->valuestring;
}

/* Names of players may hold any text; control characters become ?. */
static void put_name(FILE *out, struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        fputc((unsigned char)name.p[i] < 0x20 || name.p[i] == 0x7f ? '?' : name.p[i], out);
}

static void put_seat(FILE *out, const struct record_head *h, const cJSON *v, const char *key)
{
    const cJSON *seat = json_member(v, key);
    if (cJSON_IsNumber(seat))
        put_name(out, h->names[(int)seat->valuedouble]);
    else
        fputs("-", out);
}

static void put_cards(FILE *out, const cJSON *list)
{
    for (const cJSON *c = list->child; c; c = c->next)
        fprintf(out, " %s", c->valuestring);
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

static void put_deal(FILE *out, const struct record_head *h, const cJSON *v)
{
    int seat = 0;
    fprintf(out, "\nround %d, attempt %d, dealer ", member_number(v, "round"),
            member_number(v, "attempt"));
    put_seat(out, h, v, "dealer");
    fputs("\n  table:", out);
    put_cards(out, json_member(v, "table"));
    for (const cJSON *hand = json_member(v, "hands")->child; hand; hand = hand->next) {
        fputs("  ", out);
        put_name(out, h->names[seat++]);
        fputc(':', out);
        put_cards(out, hand);
    }
}

static void put_take(FILE *out, const struct record_head *h, struct str t, const cJSON *v)
{
    const cJSON *take = json_member(v, "take");
    fputs("  ", out);
    put_seat(out, h, v, "p");
    fprintf(out, " %.*s %s", STR_ARG(t), member_text(v, "card"));
    if (take->child)
        fputs(" takes", out);
    put_cards(out, take);
}

/* "sanko 5 + kasu 2 = 7" */
static void put_yaku(FILE *out, const cJSON *v)
{
    for (const cJSON *y = json_member(v, "yaku")->child; y; y = y->next)
        fprintf(out, " %s %d%s", y->string, (int)y->valuedouble, y->next ? " +" : "");
    fprintf(out, " = %d", member_number(v, "base"));
}

static void put_scores(FILE *out, const struct record_head *h, const cJSON *v)
{
    int seat = 0;
    for (const cJSON *s = json_member(v, "scores")->child; s; s = s->next) {
        fputs(seat == 0 ? " | " : ", ", out);
        put_name(out, h->names[seat++]);
        fprintf(out, " %d", (int)s->valuedouble);
    }
    fputc('\n', out);
}

static void put_round_end(FILE *out, const struct record_head *h, const cJSON *v)
{
    fprintf(out, "round %d: %s, winner ", member_number(v, "round"), member_text(v, "why"));
    put_seat(out, h, v, "winner");
    fputc(':', out);
    put_yaku(out, v);
    for (const cJSON *x = json_member(v, "multipliers")->child; x; x = x->next)
        fprintf(out, json_member(x, "add") ? ", %s +%d" : ", %s x%d", member_text(x, "name"),
                member_number(x, json_member(x, "add") ? "add" : "x"));
    fprintf(out, " -> %d", member_number(v, "points"));
    put_scores(out, h, v);
}

static void put_call(FILE *out, const struct record_head *h, const cJSON *v, const char *what)
{
    fputs("  ", out);
    put_seat(out, h, v, "p");
    fprintf(out, " %s", what);
}

void record_text(FILE *out, const struct record_head *head, struct str t, const cJSON *v)
{
    if (str_is(t, STR("match"))) {
        put_match(out, head);
    } else if (str_is(t, STR("deal"))) {
        put_deal(out, head, v);
    } else if (str_is(t, STR("play")) || str_is(t, STR("draw"))) {
        put_take(out, head, t, v);
    } else if (str_is(t, STR("decide"))) {
        put_call(out, head, v, member_text(v, "do"));
        fputc(':', out);
        put_yaku(out, v);
        fputc('\n', out);
    } else if (str_is(t, STR("round_end"))) {
        put_round_end(out, head, v);
    } else if (str_is(t, STR("match_end"))) {
        fprintf(out, "\nmatch over: %s, winner ", member_text(v, "why"));
        put_seat(out, head, v, "winner");
        put_scores(out, head, v);
    } else if (str_is(t, STR("void"))) {
        fprintf(out, "round %d, attempt %d: void, %s\n", member_number(v, "round"),
                member_number(v, "attempt"), member_text(v, "why"));
    } else if (str_is(t, STR("agree"))) {
        put_call(out, head, v, "agrees to a draw\n");
    } else if (str_is(t, STR("takeback"))) {
        put_call(out, head, v, "takes back");
        fprintf(out, " %d lines\n", member_number(v, "lines"));
    } else { /* declare, leave */
        bool declare = str_is(t, STR("declare"));
        put_call(out, head, v, declare ? "declares" : "leaves");
        fprintf(out, ": %s%s\n", member_text(v, declare ? "what" : "why"),
                json_member(v, "goes_on") ? ", the others play on" : "");
    }
}
