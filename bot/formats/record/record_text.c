/* See record_note.h. Cards are written by their codes and yaku by their keys, so that the notebook
 * reads the same in every language. */
#include "record_note.h"

static int number(const cJSON *v, const char *key)
{
    return (int)json_member(v, key)->valuedouble;
}

static const char *text(const cJSON *v, const char *key)
{
    return json_member(v, key)->valuestring;
}

/* What players call themselves may hold anything; control characters are not for a terminal. */
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

static void note_match(FILE *out, const struct record_head *h)
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

static void note_deal(FILE *out, const struct record_head *h, const cJSON *v)
{
    int seat = 0;

    fprintf(out, "\nround %d, attempt %d, dealer ", number(v, "round"), number(v, "attempt"));
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

static void note_take(FILE *out, const struct record_head *h, struct str t, const cJSON *v)
{
    const cJSON *take = json_member(v, "take");

    fputs("  ", out);
    put_seat(out, h, v, "p");
    fprintf(out, " %.*s %s", STR_ARG(t), text(v, "card"));
    if (take->child)
        fputs(" takes", out);
    put_cards(out, take);
}

/* "sanko 5 + kasu 2 = 7" */
static void put_yaku(FILE *out, const cJSON *v)
{
    for (const cJSON *y = json_member(v, "yaku")->child; y; y = y->next)
        fprintf(out, " %s %d%s", y->string, (int)y->valuedouble, y->next ? " +" : "");
    fprintf(out, " = %d", number(v, "base"));
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

static void note_round_end(FILE *out, const struct record_head *h, const cJSON *v)
{
    fprintf(out, "round %d: %s, winner ", number(v, "round"), text(v, "why"));
    put_seat(out, h, v, "winner");
    fputc(':', out);
    put_yaku(out, v);
    for (const cJSON *x = json_member(v, "multipliers")->child; x; x = x->next)
        fprintf(out, ", %s x%d", text(x, "name"), number(x, "x"));
    fprintf(out, " -> %d", number(v, "points"));
    put_scores(out, h, v);
}

static void note_call(FILE *out, const struct record_head *h, const cJSON *v, const char *what)
{
    fputs("  ", out);
    put_seat(out, h, v, "p");
    fprintf(out, " %s", what);
}

void record_note(FILE *out, const struct record_head *head, struct str t, const cJSON *v)
{
    if (str_is(t, STR("match"))) {
        note_match(out, head);
    } else if (str_is(t, STR("deal"))) {
        note_deal(out, head, v);
    } else if (str_is(t, STR("play")) || str_is(t, STR("draw"))) {
        note_take(out, head, t, v);
    } else if (str_is(t, STR("decide"))) {
        note_call(out, head, v, text(v, "do"));
        fputc(':', out);
        put_yaku(out, v);
        fputc('\n', out);
    } else if (str_is(t, STR("round_end"))) {
        note_round_end(out, head, v);
    } else if (str_is(t, STR("match_end"))) {
        fprintf(out, "\nmatch over: %s, winner ", text(v, "why"));
        put_seat(out, head, v, "winner");
        put_scores(out, head, v);
    } else if (str_is(t, STR("void"))) {
        fprintf(out, "round %d, attempt %d: void, %s\n", number(v, "round"), number(v, "attempt"),
                text(v, "why"));
    } else { /* declare, leave */
        bool declare = str_is(t, STR("declare"));
        note_call(out, head, v, declare ? "declares" : "leaves");
        fprintf(out, ": %s\n", text(v, declare ? "what" : "why"));
    }
}
