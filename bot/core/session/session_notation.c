/* Notation of a session: one line of name=value pairs behind the name and number of the notation. A
 * field of value zero is left out. Every field is a row below; the zero of a new field must mean
 * what its absence meant. Bytes that would break the line are written %XX. The final dot shows that
 * nothing was cut off.
 *
 *     koikoi1 no=12 chat=3 phase=1 players=2 p0.name=Ann ... v1.chat=9 ... rules=... match=... .
 */
#include "character.h"
#include "notation.h"
#include "pair.h"
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
    {"beacon", PAIR_TEXT, AT(session, beacon.url), 0, 0},
    {"nextbeacon", PAIR_INT, AT(session, beacon.next), 0, TIME_MAX},
    {"beaconuntil", PAIR_INT, AT(session, beacon.until), 0, TIME_MAX},
    {"dealbeacon", PAIR_INT, AT(session, beacon.deal), 0, TIME_MAX},
    {"beaconvalue", PAIR_TEXT, AT(session, beacon.value), 0, 0},
    {"clock", PAIR_INT, AT(session, time.move_ms), 0, TIME_MAX},
    {"total", PAIR_INT, AT(session, time.total_ms), 0, TIME_MAX},
    {"gain", PAIR_INT, AT(session, time.gain_ms), 0, TIME_MAX},
    {"created", PAIR_INT, AT(session, created), 0, TIME_MAX},
    {"moved", PAIR_INT, AT(session, moved), 0, TIME_MAX},
    {"due", PAIR_INT, AT(session, due), 0, TIME_MAX},
    {"knock", PAIR_INT, AT(session, timer), 0, N_TIMERS - 1},
    {"overdue", PAIR_BOOL, AT(session, move.overdue), 0, 1},
    {"left", PAIR_INT, AT(session, left), -1, MAX_PLAYERS - 1},
    {"leftlate", PAIR_BOOL, AT(session, left_timeout), 0, 1},
    {"nudged", PAIR_INT, AT(session, move.nudged), 0, TIME_MAX},
    {"thought", PAIR_TEXT, AT(session, move.thought), 0, 0},
    {"asked", PAIR_INT, AT(session, move.asked), 0, N_CARDS},
    {"hinted", PAIR_BOOL, AT(session, move.hinted), 0, 1},
    {"hint", PAIR_TEXT, AT(session, move.hint), 0, 0},
    {"ping", PAIR_INT, AT(session, ping.version), 0, UINT32_MAX},
    {"pingat", PAIR_INT, AT(session, ping.venue), 0, MAX_VENUES - 1},
    {"pingfor", PAIR_INT, AT(session, ping.seat), 0, MAX_PLAYERS - 1},
    {"bycode", PAIR_BOOL, AT(session, by_code), 0, 1},
    {"search", PAIR_BOOL, AT(session, search.on), 0, 1},
    {"anyrules", PAIR_BOOL, AT(session, search.any_rules), 0, 1},
    {"anyclock", PAIR_BOOL, AT(session, search.any_clock), 0, 1},
    {"points", PAIR_INT, AT(session, search.points), 0, UINT16_MAX},
    {"again", PAIR_BOOL, AT(session, again), 0, 1},
    {"first", PAIR_INT, AT(session, first), 0, MAX_PLAYERS - 1},
    {"tournament", PAIR_INT, AT(session, tournament), 0, TIME_MAX},
    {"casual", PAIR_BOOL, AT(session, casual), 0, 1},
    {"ask", PAIR_INT, AT(session, ask.what), 0, N_ASKS - 1},
    {"askfor", PAIR_INT, AT(session, ask.seat), 0, MAX_PLAYERS - 1},
    {"posts", PAIR_INT, AT(session, posts.n), 0, UINT32_MAX},
    {"postedoffer", PAIR_INT, AT(session, posts.standing[POSTED_OFFER]), 0, UINT32_MAX},
    {"postedpause", PAIR_INT, AT(session, posts.standing[POSTED_PAUSE]), 0, UINT32_MAX},
    {"postedquestion", PAIR_INT, AT(session, posts.standing[POSTED_QUESTION]), 0, UINT32_MAX},
    {"postedtime", PAIR_INT, AT(session, posts.standing[POSTED_TIME]), 0, UINT32_MAX},
    {"postedreminder", PAIR_INT, AT(session, posts.standing[POSTED_REMINDER]), 0, UINT32_MAX},
    {"agreed", PAIR_INT, AT(session, ask.agreed), 0, (1 << MAX_PLAYERS) - 1},
};
/* Written without a prefix for the home. */
static const struct pair venue_fields[] = {
    {"chat", PAIR_INT, AT(venue, chat), 0, TIME_MAX},
    {"account", PAIR_INT, AT(venue, account), 0, TIME_MAX},
    {"key", PAIR_TEXT, AT(venue, chat_key), 0, 0},
    {"chatname", PAIR_TEXT, AT(venue, chat_name), 0, 0},
    {"language", PAIR_TEXT, AT(venue, language), 0, 0},
    {"offset", PAIR_INT, AT(venue, utc_offset), -50400, 50400},
    {"boardpicture", PAIR_BOOL, AT(venue, board_picture), 0, 1},
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
    {"computer", PAIR_BOOL, AT(player, computer), 0, 1},
    {"joined", PAIR_BOOL, AT(player, joined), 0, 1},
    {"ready", PAIR_BOOL, AT(player, ready), 0, 1},
    {"level", PAIR_INT, AT(player, level), 0, 15},
    {"character", PAIR_INT, AT(player, character), 0, N_CHARACTERS - 1},
    {"channel", PAIR_INT, AT(player, channel), 0, N_CHANNELS - 1},
    {"lowered", PAIR_INT, AT(player, channel_failed_at), 0, TIME_MAX},
    {"heard", PAIR_INT, AT(player, heard), 0, TIME_MAX},
    {"timeleft", PAIR_INT, AT(player, time_left), 0, TIME_MAX},
    {"awayfrom", PAIR_INT, AT(player, absence.away_from), 0, TIME_MAX},
    {"awayuntil", PAIR_INT, AT(player, absence.away_until), 0, TIME_MAX},
    {"quietfrom", PAIR_INT, AT(player, absence.quiet_from), 0, DAY_MINUTES - 1},
    {"quietto", PAIR_INT, AT(player, absence.quiet_to), 0, DAY_MINUTES - 1},
    {"offset", PAIR_INT, AT(player, absence.offset), -50400, 50400},
    {"lateroffset", PAIR_INT, AT(player, absence.later_offset), -50400, 50400},
    {"offsetchange", PAIR_INT, AT(player, absence.change), 0, TIME_MAX},
    {"tips", PAIR_INT, AT(player, tips), 0, UINT8_MAX},
    {"handno", PAIR_INT, AT(player, hand_message), 0, UINT32_MAX},
    {"handat", PAIR_INT, AT(player, hand_at), 0, TIME_MAX},
    {"looked", PAIR_INT, AT(player, asked_version), 0, UINT32_MAX},
    {"ahead", PAIR_TEXT, AT(player, ahead), 0, 0},
    {"resign", PAIR_INT, AT(player, resign_asked), 0, TIME_MAX},
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
    char text[NOTATION_MAX];
    size_t start = ret->n;
    buf_put(ret, STR("koikoi1"));
    for (int i = 0; i < N_FIELDS; i++)
        pair_put(ret, s, 0, 0, &fields[i]);
    for (int v = 0; v <= s->n_more; v++)
        for (int i = 0; i < N_VENUE_FIELDS; i++)
            pair_put(ret, &s->venue[v], v ? 'v' : 0, v, &venue_fields[i]);
    for (int p = 0; p < s->players; p++)
        for (int i = 0; i < N_SEAT_FIELDS; i++)
            pair_put(ret, &s->player[p], 'p', p, &seat_fields[i]);
    notation_rules(&s->rules, text);
    pair_put_text(ret, "rules", str_of(text));
    if (s->match.players > 0) {
        notation_match(&s->match, text);
        pair_put_text(ret, "match", str_of(text));
    }
    buf_put(ret, STR(" ."));
    assert(!ret->cut);
    return (struct str){ret->p + start, ret->n - start};
}

/* ---- reading ---- */

static const struct pair *find_field(const struct pair *at, int n, struct str name)
{
    for (int i = 0; i < n; i++)
        if (str_is(name, str_of(at[i].name)))
            return &at[i];
    return NULL;
}

struct session_reader {
    struct session s;
    struct ruleset_cache *rulesets;
    uint64_t seen, seat_seen[MAX_PLAYERS], venue_seen[MAX_VENUES];
    bool has_rules, has_match;
};

static bool first_time(uint64_t *seen, int64_t i)
{
    bool first = !(*seen >> i & 1);
    *seen |= (uint64_t)1 << i;
    return first;
}

static const char *read_notation(struct session_reader *r, struct str name, struct str value)
{
    char text[NOTATION_MAX];
    struct str s;
    bool good = pair_read_text(value, text, sizeof text, &s);
    if (str_is(name, STR("rules"))) {
        good = good && !r->has_rules && notation_read_rules(s.p, s.n, &r->s.rules) < 0;
        r->has_rules = true;
        return good ? NULL : "rules";
    }
    good =
        good && r->has_rules && !r->has_match &&
        notation_read_match(ruleset_cache_get(r->rulesets, &r->s.rules), s.p, s.n, &r->s.match) < 0;
    r->has_match = true;
    return good ? NULL : "match";
}

/* Reads a field of one of these rows. Returns NULL if it is good. */
static const char *read_row(const struct pair *at, int n, void *base, uint64_t *seen,
                            struct str name, struct str value)
{
    const struct pair *f = find_field(at, n, name);
    if (!f)
        return "unknown field";
    return first_time(seen, f - at) && pair_read(base, f, value) ? NULL : f->name;
}

/* "p1." is 1; returns -1 for another part. */
static int part_of(struct str name, char part, int first, int end)
{
    bool is = name.n > 3 && name.p[0] == part && name.p[1] >= '0' + first &&
              name.p[1] < '0' + end && name.p[2] == '.';
    return is ? name.p[1] - '0' : -1;
}

static const char *read_pair(struct session_reader *r, struct str pair)
{
    struct str value, name = str_cut(pair, '=', &value);
    if (str_is(name, STR("rules")) || str_is(name, STR("match")))
        return read_notation(r, name, value);
    int seat = part_of(name, 'p', 0, MAX_PLAYERS), venue = part_of(name, 'v', 1, MAX_VENUES);
    if (seat >= 0 && str_is(str_skip(name, 3), STR("event")))
        return NULL; /* written once, when a seed came from an event */
    if (seat >= 0)
        return read_row(seat_fields, N_SEAT_FIELDS, &r->s.player[seat], &r->seat_seen[seat],
                        str_skip(name, 3), value);
    if (venue > 0)
        return read_row(venue_fields, N_VENUE_FIELDS, &r->s.venue[venue], &r->venue_seen[venue],
                        str_skip(name, 3), value);
    if (str_is(name, STR("resign"))) /* of older lines: a resignation to be confirmed */
        return NULL;
    if (find_field(venue_fields, N_VENUE_FIELDS, name))
        return read_row(venue_fields, N_VENUE_FIELDS, &r->s.venue[0], &r->venue_seen[0], name,
                        value);
    return read_row(fields, N_FIELDS, &r->s, &r->seen, name, value);
}

/* Counts the further venues: all have a chat, and there is no gap. */
static bool count_venues(struct session_reader *r)
{
    while (r->s.n_more < MAX_VENUES - 1 && r->s.venue[1 + r->s.n_more].chat > 0)
        r->s.n_more++;
    for (int i = r->s.n_more + 1; i < MAX_VENUES; i++)
        if (r->venue_seen[i])
            return false;
    for (int i = 0; i < r->s.players; i++)
        if (r->s.player[i].venue > r->s.n_more)
            return false;
    return r->s.ping.venue <= r->s.n_more;
}

/* Checks the fields against one another. */
static const char *check_whole(const struct session_reader *r)
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
    if (s->left >= s->players)
        return "left";
    bool played = s->phase == SESSION_PLAYING || s->end == END_PLAYED;
    if (played && !r->has_match)
        return "match";
    if (r->has_match && s->match.players != s->players)
        return "match";
    if ((s->phase == SESSION_OVER) != (s->end != END_NONE))
        return "end";
    if (s->phase == SESSION_PLAYING && s->match.stage == MATCH_OVER)
        return "phase";
    if (s->ask.what != ASK_NONE && (s->phase != SESSION_PLAYING || s->ask.seat >= s->players))
        return "ask";
    for (int i = 0; i < s->players; i++) {
        const struct player *p = &s->player[i];
        if (played && (!p->joined || (!p->name[0] && !p->computer)))
            return "joined";
        if (p->lot != CARD_NONE && p->lot >= N_CARDS)
            return "lot";
    }
    return (s->due == 0) == (s->timer == TIMER_NONE) ? NULL : "knock";
}

const char *session_read(struct str line, struct ruleset_cache *rulesets, struct session *ret)
{
    struct session_reader r = {.rulesets = rulesets};
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
    const char *wrong = count_venues(&r) ? check_whole(&r) : "venue";
    if (!wrong)
        *ret = r.s;
    return wrong;
}
