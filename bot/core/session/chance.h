/* The fair shuffle, its deterministic half: everything players can check afterwards. The caller
 * hands in fresh bytes. README.md of bot/formats, "Fair shuffle", has the scheme and test vectors.
 *
 *     chance_commit(seed, hex)                        published before the players' seeds are fixed
 *     chance_shuffle(seed, id, round, attempt, players, texts, beacon, deck)  round 0: first dealer
 *     chance_seats(first_dealer, players, deck of round 0, &seats)
 */
#ifndef KOIKOI_CHANCE_H
#define KOIKOI_CHANCE_H

#include "match.h"
#include "str.h"

enum { SEED_SIZE = 32, SEED_HEX_SIZE = 2 * SEED_SIZE + 1 };

struct seed {
    uint8_t at[SEED_SIZE];
};

/* Lower-case hex with its NUL: of the seed itself, and of SHA-256 over its 32 bytes. */
void chance_hex(const struct seed *s, char ret[static SEED_HEX_SIZE]);
void chance_commit(const struct seed *s, char ret[static SEED_HEX_SIZE]);
/* Reads exactly 64 lower-case hex digits. Returns false for anything else, *ret untouched. */
bool chance_read_seed(struct str hex, struct seed *ret);
/* True if `value` is the SHA-256 of the bytes of `signature`, both as lower-case hex: the
 * randomness of a beacon's round follows from its signature so. */
bool chance_is_hash(struct str value, struct str signature);
/* True if `s` may be a match id or a client seed: it holds no zero byte. */
bool chance_text_ok(struct str s);

/* The deck of one attempt of one round. client[i] is the text of seat i (of joining order in round
 * 0); id and all texts must be chance_text_ok. beacon: the randomness of a round of a public
 * beacon, 64 lower-case hex digits, or NO_BEACON. */
#define NO_BEACON ((struct str){0})
void chance_shuffle(const struct seed *s, struct str match_id, int round, int attempt, int players,
                    const struct str *client, struct str beacon, uint8_t ret_deck[static N_CARDS]);

/* The seed of a deal of a daily duel: the day's seed fixes all of them, and none tells another.
 * HMAC-SHA256(key = the day's seed, "koikoi-duel-v1" 00 round 00 attempt 00). */
void chance_duel(const struct seed *day, int round, int attempt, struct seed *ret);

/* The last n cards of a deck, which are still in the stock, dealt anew: in the order in which the deck
 * of this seed has them, without client seeds and a beacon. */
void chance_rest(const struct seed *s, struct str match_id, int round, int attempt, int n,
                 uint8_t deck[static N_CARDS]);

/* Seats and the first dealer. Joining order: the challenger first. */
struct seats {
    uint8_t joined[MAX_PLAYERS]; /* by seat: the joining index of its player */
    bool has_lots;
    uint8_t lots[MAX_PLAYERS]; /* by seat: the last card drawn */
    uint8_t dealer;
};
/* deck: of round 0, attempt 1; unused under FIRST_CHALLENGER. */
void chance_seats(enum first_dealer how, int players, const uint8_t deck[static N_CARDS],
                  struct seats *ret);

/* Rounds of a public beacon: a service that publishes 32 random bytes every few seconds, secret
 * until then. A seal names the first round published after it, and its value is mixed into the deck
 * of that deal. */
enum { BEACON_URL_SIZE = 200, BEACON_VALUE_SIZE = 65 };

/* Round 1 is published at `genesis`, the next ones `period` apart; unix ms. */
struct beacon_chain {
    char url[BEACON_URL_SIZE];
    int64_t genesis, period; /* period 0: not known yet */
};

/* Rounds that the seals of a session have named. */
struct beacon_rounds {
    char url[BEACON_URL_SIZE];     /* of the chain */
    int64_t next;                  /* named with next_seed; 0: none */
    int64_t until;                 /* unix ms: all are ready and the deal waits for `next`
                                      until then; 0: it does not wait */
    int64_t deal;                  /* named with deal_seed; 0: none */
    char value[BEACON_VALUE_SIZE]; /* of `deal`, lower-case hex; empty: dealt without */
};

/* The first round published after `now`; 0 if the period is not known. */
int64_t beacon_round_after(const struct beacon_chain *c, int64_t now);
/* When a round is published, unix ms; 0 if the period is not known. */
int64_t beacon_published(const struct beacon_chain *c, int64_t round);

#endif
