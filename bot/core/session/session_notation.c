/* A session as one line: blank-separated name=value pairs, behind the word that names the notation
 * and its number. What has its zero value is left out. Every field is a row below; a new field is a
 * new row whose zero must mean what its absence meant. Bytes that would break the line are written
 * %XX.
 *
 *     koikoi1 no=12 chat=3 phase=1 players=2 p0.name=Ann ... v1.chat=9 ... rules=... match=... .
 *
 * The dot says that nothing was cut off.
 */
#include "character.h"
#include "note.h"
#include "pair.h"
#include "season.h"
#include "session.h"

#include <assert.h>

#define AT(type, f) offsetof(struct type, f), sizeof(((struct type *)0)->f)
#define TIME_MAX    ((int64_t)1 << 53)
static const struct pair fields[] = {
    {"no", PAIR_INT, AT(session, no), 0, TIME_MAX},
    {"version", PAIR_INT, AT(session, version), 0, UINT32_MAX},
    {"phase", PAIR_INT, AT(session, phase), 0, N_SESSION_PHASES - 1},
    {"end", PAIR_INT, AT(session, end), 0, N_ENDS - 1},
    {"players", PAIR_INT, AT(session, players), MIN_PLAYERS, MAX_PLAYERS},
    {"id", PAIR_TEXT, AT(session, id), 0, 0},
    {"lotsseed", PAIR_SEED, AT(session, lots_seed), 0, 0},
    {"nextseed", PAIR_SEED, AT(session, next_seed), 0, 0},
    {"dealseed", PAIR_SEED, AT(session, deal_seed), 0, 0},
    {"clock", PAIR_INT, AT(session, clock_ms), 0, TIME_MAX},
    {"created", PAIR_INT, AT(session, created), 0, TIME_MAX},
    {"moved", PAIR_INT, AT(session, moved), 0, TIME_MAX},
    {"due", PAIR_INT, AT(session, due), 0, TIME_MAX},
    {"knock", PAIR_INT, AT(session, knock), 0, N_KNOCKS - 1},
    {"overdue", PAIR_BOOL, AT(session, overdue), 0, 1},
    {"left", PAIR_INT, AT(session, left), -1, MAX_PLAYERS - 1},
    {"leftlate", PAIR_BOOL, AT(session, left_timeout), 0, 1},
    {"resign", PAIR_INT, AT(session, resign_asked), -1, MAX_PLAYERS - 1},
    {"nudged", PAIR_INT, AT(session, nudged), 0, TIME_MAX},
    {"thought", PAIR_TEXT, AT(session, thought), 0, 0},
    {"asked", PAIR_INT, AT(session, asked), 0, N_CARDS},
    {"hinted", PAIR_BOOL, AT(session, hinted), 0, 1},
    {"hint", PAIR_TEXT, AT(session, hint), 0, 0},
    {"ping", PAIR_INT, AT(session, ping), 0, UINT32_MAX},
    {"pingat", PAIR_INT, AT(session, ping_venue), 0, MAX_VENUES - 1},
    {"pingfor", PAIR_INT, AT(session, ping_seat), 0, MAX_PLAYERS - 1},
    {"bycode", PAIR_BOOL, AT(session, by_code), 0, 1},
    {"again", PAIR_BOOL, AT(session, again), 0, 1},
    {"first", PAIR_INT, AT(session, first), 0, MAX_PLAYERS - 1},
};
/* Those of the home stand alone, as if they were the session's. */
static const struct pair venue_fields[] = {
    {"chat", PAIR_INT, AT(venue, chat), 0, TIME_MAX},
    {"account", PAIR_INT, AT(venue, account), 0, TIME_MAX},
    {"key", PAIR_TEXT, AT(venue, chat_key), 0, 0},
    {"chatname", PAIR_TEXT, AT(venue, chat_name), 0, 0},
    {"language", PAIR_TEXT, AT(venue, language), 0, 0},
    {"offset", PAIR_INT, AT(venue, utc_offset), -50400, 50400},
    {"season", PAIR_INT, AT(venue, season), 0, N_SEASON_LENGTHS - 1},
    {"direct", PAIR_BOOL, AT(venue, direct), 0, 1},
    {"onepost", PAIR_BOOL, AT(venue, one_post), 0, 1},
};
static const struct pair seat_fields[] = {
    {"person", PAIR_INT, AT(player, person), 0, TIME_MAX},
    {"account", PAIR_INT, AT(player, account), 0, TIME_MAX},
    {"venue", PAIR_INT, AT(player, venue), 0, MAX_VENUES - 1},
    {"id", PAIR_TEXT, AT(player, id), 0, 0},
    {"name", PAIR_TEXT, AT(player, name), 0, 0},
    {"handle", PAIR_TEXT, AT(player, handle), 0, 0},
    {"language", PAIR_TEXT, AT(player, language), 0, 0},
    {"cut", PAIR_TEXT, AT(player, cut), 0, 0},
    {"seed", PAIR_TEXT, AT(player, seed), 0, 0},
    {"event", PAIR_TEXT, AT(player, event), 0, 0},
    {"computer", PAIR_BOOL, AT(player, computer), 0, 1},
    {"joined", PAIR_BOOL, AT(player, joined), 0, 1},
    {"ready", PAIR_BOOL, AT(player, ready), 0, 1},
    {"level", PAIR_INT, AT(player, level), 0, 15},
    {"character", PAIR_INT, AT(player, character), 0, N_CHARACTERS - 1},
    {"channel", PAIR_INT, AT(player, channel), 0, N_CHANNELS - 1},
    {"lowered", PAIR_INT, AT(player, lowered), 0, TIME_MAX},
    {"handno", PAIR_INT, AT(player, hand_no), 0, UINT32_MAX},
    {"looked", PAIR_INT, AT(player, looked), 0, UINT32_MAX},
    {"joinedat", PAIR_INT, AT(player, seat_joined), 0, MAX_PLAYERS - 1},
    {"lot", PAIR_INT, AT(player, lot), 0, CARD_NONE},
};
enum {
    N_FIELDS = sizeof fields / sizeof *fields,
    N_VENUE_FIELDS = sizeof venue_fields / sizeof *venue_fields,
    N_SEAT_FIELDS = sizeof seat_fields / sizeof *seat_fields
};

/* ---- writing ---- */

struct str session_write(const struct session *s, struct buf *ret)
{
    char note[NOTE_MAX];
    size_t start = ret->n;
    buf_put(ret, STR("koikoi1"));
    for (int i = 0; i < N_FIELDS; i++)
        pair_put(ret, s, 0, 0, &fields[i]);
    for (int v = 0; v <= s->n_more; v++)
        for (int i = 0; i < N_VENUE_FIELDS; i++)
            pair_put(ret, session_venue(s, v), v ? 'v' : 0, v, &venue_fields[i]);
    for (int p = 0; p < s->players; p++)
        for (int i = 0; i < N_SEAT_FIELDS; i++)
            pair_put(ret, &s->player[p], 'p', p, &seat_fields[i]);
    note_rules(&s->rules, note);
    pair_put_text(ret, "rules", str_of(note));
    if (s->match.players > 0) {
        note_match(&s->match, note);
        pair_put_text(ret, "match", str_of(note));
    }
    buf_put(ret, STR(" ."));
    assert(!ret->cut);
    return (struct str){ret->p + start, ret->n - start};
}

/* ---- reading ---- */

static const struct pair *find(const struct pair *at, int n, struct str name)
{
    for (int i = 0; i < n; i++)
        if (str_is(name, str_of(at[i].name)))
            return &at[i];
    return NULL;
}

struct reading {
    struct session s;
    struct made *made;
    uint64_t seen, seat_seen[MAX_PLAYERS], venue_seen[MAX_VENUES];
    bool has_rules, has_match;
};

static bool once(uint64_t *seen, int64_t i)
{
    bool first = !(*seen >> i & 1);
    *seen |= (uint64_t)1 << i;
    return first;
}

static const char *read_note(struct reading *r, struct str name, struct str value)
{
    char text[NOTE_MAX];
    struct str s;
    bool good = pair_read_text(value, text, sizeof text, &s);
    if (str_is(name, STR("rules"))) {
        good = good && !r->has_rules && note_read_rules(s.p, s.n, &r->s.rules) < 0;
        r->has_rules = true;
        return good ? NULL : "rules";
    }
    good = good && r->has_rules && !r->has_match &&
           note_read_match(made_ruleset(r->made, &r->s.rules), s.p, s.n, &r->s.match) < 0;
    r->has_match = true;
    return good ? NULL : "match";
}

/* A field of one of these rows; NULL if good. */
static const char *read_row(const struct pair *at, int n, void *base, uint64_t *seen,
                            struct str name, struct str value)
{
    const struct pair *f = find(at, n, name);
    if (!f)
        return "unknown field";
    return once(seen, f - at) && pair_read(base, f, value) ? NULL : f->name;
}

/* "p1.": 1; -1: it is not of that part. */
static int part_of(struct str name, char part, int first, int end)
{
    bool is = name.n > 3 && name.p[0] == part && name.p[1] >= '0' + first &&
              name.p[1] < '0' + end && name.p[2] == '.';
    return is ? name.p[1] - '0' : -1;
}

static const char *read_pair(struct reading *r, struct str pair)
{
    struct str value, name = str_cut(pair, '=', &value);
    if (str_is(name, STR("rules")) || str_is(name, STR("match")))
        return read_note(r, name, value);
    int seat = part_of(name, 'p', 0, MAX_PLAYERS), venue = part_of(name, 'v', 1, MAX_VENUES);
    if (seat >= 0)
        return read_row(seat_fields, N_SEAT_FIELDS, &r->s.player[seat], &r->seat_seen[seat],
                        str_skip(name, 3), value);
    if (venue > 0)
        return read_row(venue_fields, N_VENUE_FIELDS, &r->s.more[venue - 1], &r->venue_seen[venue],
                        str_skip(name, 3), value);
    if (find(venue_fields, N_VENUE_FIELDS, name))
        return read_row(venue_fields, N_VENUE_FIELDS, &r->s.home, &r->venue_seen[0], name, value);
    return read_row(fields, N_FIELDS, &r->s, &r->seen, name, value);
}

/* Further venues are counted by what was read of them; all have a chat, none is left out. */
static bool venues(struct reading *r)
{
    while (r->s.n_more < MAX_VENUES - 1 && r->s.more[r->s.n_more].chat > 0)
        r->s.n_more++;
    for (int i = r->s.n_more + 1; i < MAX_VENUES; i++)
        if (r->venue_seen[i])
            return false;
    for (int i = 0; i < r->s.players; i++)
        if (r->s.player[i].venue > r->s.n_more)
            return false;
    return r->s.ping_venue <= r->s.n_more;
}

/* What must fit together. */
static const char *check(const struct reading *r)
{
    const struct session *s = &r->s;
    if (!r->has_rules)
        return "rules";
    if (s->players < MIN_PLAYERS || !(s->rules.players_allowed >> s->players & 1))
        return "players";
    for (int i = s->players; i < MAX_PLAYERS; i++)
        if (r->seat_seen[i])
            return "players";
    if (!s->id[0])
        return "id";
    if (s->first >= s->players || (s->again && session_has_lots(s)))
        return "first";
    if (s->resign_asked >= s->players || s->left >= s->players)
        return "resign";
    bool played = s->phase == SESSION_PLAYING || s->end == END_PLAYED;
    if (played && !r->has_match)
        return "match";
    if (r->has_match && s->match.players != s->players)
        return "match";
    if ((s->phase == SESSION_OVER) != (s->end != END_NONE))
        return "end";
    if (s->phase == SESSION_PLAYING && s->match.stage == MATCH_OVER)
        return "phase";
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        if (played && (!p->joined || (!p->name[0] && !p->computer)))
            return "joined";
        if (p->lot != CARD_NONE && p->lot >= N_CARDS)
            return "lot";
    }
    return (s->due == 0) == (s->knock == KNOCK_NONE) ? NULL : "knock";
}

const char *session_read(struct str line, struct made *made, struct session *ret)
{
    struct reading r = {.made = made};
    struct str rest = line, word = str_word(&rest);
    if (!str_is(word, STR("koikoi1")))
        return "notation";
    for (word = str_word(&rest); word.n > 0 && !str_is(word, STR(".")); word = str_word(&rest)) {
        const char *wrong = read_pair(&r, word);
        if (wrong)
            return wrong;
    }
    if (word.n == 0 || rest.n > 0)
        return "end of line";
    const char *wrong = venues(&r) ? check(&r) : "venue";
    if (!wrong)
        *ret = r.s;
    return wrong;
}
