/* See json_cards.h. */
#include "json_cards.h"

uint8_t json_card(struct json v, const char *key)
{
    struct str s = json_str(v, key);
    int card = card_read(s.p, s.n);
    if (card == CARD_NONE)
        json_unexpected(v, key, "a card");
    return (uint8_t)card;
}

int json_cards(struct json v, const char *key, int least, int most, uint8_t ret[static N_CARDS])
{
    cardset seen = 0;
    int n = 0;
    for (struct json m = json_first(json_list(v, key, least, most)); m.at; m = json_next(m)) {
        uint8_t card = json_card(m, NULL);
        if (card == CARD_NONE)
            return 0;
        if (seen & CARD(card))
            json_fail(m, NULL, "expected different cards, got %s twice", json_str(m, NULL).p);
        seen |= CARD(card);
        ret[n++] = card;
    }
    return n;
}

cardset json_cardset(struct json v, const char *key)
{
    uint8_t at[N_CARDS];
    cardset s = 0;
    int n = json_cards(v, key, 0, N_CARDS, at);
    for (int i = 0; i < n; i++)
        s |= CARD(at[i]);
    return s;
}

void json_put_card(struct buf *b, const char *name, int card)
{
    char code[CARD_CODE_SIZE];
    int n = card_code(card, code);
    json_put_str(b, name, (struct str){code, (size_t)n});
}

void json_put_cards(struct buf *b, const char *name, const uint8_t *cards, int n)
{
    json_put_open(b, name, '[');
    for (int i = 0; i < n; i++)
        json_put_card(b, NULL, cards[i]);
    buf_char(b, ']');
}

void json_put_cardset(struct buf *b, const char *name, cardset s)
{
    json_put_open(b, name, '[');
    for (; s; s = set_rest(s))
        json_put_card(b, NULL, set_first(s));
    buf_char(b, ']');
}

void json_put_yaku(struct buf *b, const char *name, const struct score *s)
{
    json_put_open(b, name, '{');
    for (int y = 0; y < N_YAKU; y++)
        if (s->worth[y] > 0)
            json_put_int(b, yaku_key((enum yaku)y), s->worth[y]);
    buf_char(b, '}');
}

void json_put_scores(struct buf *b, const int32_t *at, int n)
{
    json_put_open(b, "scores", '[');
    for (int i = 0; i < n; i++)
        json_put_int(b, NULL, at[i]);
    buf_char(b, ']');
}
