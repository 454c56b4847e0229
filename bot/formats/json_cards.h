/* Cards and yaku as JSON: "3b", lists of cards, {"sanko":5}. As json.h does, a read keeps the first
 * fault, and without a key it is of the value itself. */
#ifndef KOIKOI_JSON_CARDS_H
#define KOIKOI_JSON_CARDS_H

#include "card.h"
#include "json.h"
#include "score.h"

/* Returns CARD_NONE on a fault. */
uint8_t json_card(struct json v, const char *key);
/* A list of different cards, in its order; returns how many. */
int json_cards(struct json v, const char *key, int least, int most, uint8_t ret[static N_CARDS]);
cardset json_cardset(struct json v, const char *key);

void json_put_card(struct buf *b, const char *name, int card);
void json_put_cards(struct buf *b, const char *name, const uint8_t *cards, int n);
void json_put_cardset(struct buf *b, const char *name, cardset s); /* canonical order */
/* The yaku that are worth something. */
void json_put_yaku(struct buf *b, const char *name, const struct score *s);
void json_put_scores(struct buf *b, const int32_t *at, int n);

#endif
