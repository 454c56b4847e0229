/* Notation of a session: one line of name=value pairs behind the name and number of the notation. A
 * field of value zero is left out. Every field is a row below; the zero of a new field must mean
 * what its absence meant. Bytes that would break the line are written %XX. The final dot shows that
 * nothing was cut off.
 *
 *     koikoi1 no=12 chat=3 phase=1 players=2 p0.name=Ann ... v1.chat=9 ... rules=... match=... .
 */
#include "character.h"
#include "field.h"
#include "notation.h"
#include "session.h"

#include <assert.h>

#define TIME_MAX ((int64_t)1 << 53)
static const struct field_row session_rows[] = {
    FIELD_INT(session, "no", no, 0, TIME_MAX),
    FIELD_INT(session, "version", version, 0, UINT32_MAX),
    FIELD_INT(session, "phase", phase, 0, N_SESSION_PHASES - 1),
    FIELD_INT(session, "end", end, 0, N_ENDS - 1),
    FIELD_INT(session, "players", players, MIN_PLAYERS, MAX_PLAYERS),
    FIELD_TEXT(session, "id", id),
    FIELD_HEX(session, "lotsseed", lots_seed),
    FIELD_HEX(session, "nextseed", next_seed),
    FIELD_HEX(session, "dealseed", deal_seed),
    FIELD_TEXT(session, "beacon", beacon.url),
    FIELD_INT(session, "nextbeacon", beacon.next, 0, TIME_MAX),
    FIELD_INT(session, "beaconuntil", beacon.until, 0, TIME_MAX),
    FIELD_INT(session, "dealbeacon", beacon.deal, 0, TIME_MAX),
    FIELD_TEXT(session, "beaconvalue", beacon.value),
    FIELD_INT(session, "clock", time.move_ms, 0, TIME_MAX),
    FIELD_INT(session, "total", time.total_ms, 0, TIME_MAX),
    FIELD_INT(session, "gain", time.gain_ms, 0, TIME_MAX),
    FIELD_INT(session, "created", created, 0, TIME_MAX),
    FIELD_INT(session, "moved", moved, 0, TIME_MAX),
    FIELD_INT(session, "due", due, 0, TIME_MAX),
    FIELD_INT(session, "knock", timer, 0, N_TIMERS - 1),
    FIELD_BOOL(session, "overdue", move.overdue),
    FIELD_INT(session, "left", left, -1, MAX_PLAYERS - 1),
    FIELD_BOOL(session, "leftlate", left_timeout),
    FIELD_INT(session, "nudged", move.nudged, 0, TIME_MAX),
    FIELD_TEXT(session, "thought", move.thought),
    FIELD_INT(session, "asked", move.asked, 0, N_CARDS),
    FIELD_BOOL(session, "hinted", move.hinted),
    FIELD_TEXT(session, "hint", move.hint),
    FIELD_INT(session, "ping", ping.version, 0, UINT32_MAX),
    FIELD_INT(session, "pingat", ping.venue, 0, MAX_VENUES - 1),
    FIELD_INT(session, "pingfor", ping.seat, 0, MAX_PLAYERS - 1),
    FIELD_BOOL(session, "bycode", by_code),
    FIELD_BOOL(session, "lobby", lobby),
    FIELD_BOOL(session, "search", strangers),
#define KEPT(type, member, field) field,
#include "feature.def"
    FIELD_BOOL(session, "again", again),
    FIELD_INT(session, "first", first, 0, MAX_PLAYERS - 1),
    FIELD_INT(session, "tournament", tournament, 0, TIME_MAX),
    FIELD_TEXT(session, "duel", duel),
    FIELD_INT(session, "from", from.match, 0, TIME_MAX),
    FIELD_BOOL(session, "anew", from.anew),
    FIELD_BOOL(session, "casual", casual),
    FIELD_INT(session, "ask", ask.what, 0, N_ASKS - 1),
    FIELD_INT(session, "askfor", ask.seat, 0, MAX_PLAYERS - 1),
    FIELD_INT(session, "posts", posts.n, 0, UINT32_MAX),
    FIELD_INT(session, "postedoffer", posts.standing[POSTED_OFFER], 0, UINT32_MAX),
    FIELD_INT(session, "postedpause", posts.standing[POSTED_PAUSE], 0, UINT32_MAX),
    FIELD_INT(session, "postedquestion", posts.standing[POSTED_QUESTION], 0, UINT32_MAX),
    FIELD_INT(session, "postedtime", posts.standing[POSTED_TIME], 0, UINT32_MAX),
    FIELD_INT(session, "postedreminder", posts.standing[POSTED_REMINDER], 0, UINT32_MAX),
    FIELD_INT(session, "links", links, 0, UINT16_MAX),
    FIELD_INT(session, "agreed", ask.agreed, 0, (1 << MAX_PLAYERS) - 1),
};
/* Written without a prefix for the home. */
static const struct field_row venue_rows[] = {
    FIELD_INT(venue, "chat", chat, 0, TIME_MAX),
    FIELD_INT(venue, "account", account, 0, TIME_MAX),
    FIELD_TEXT(venue, "key", chat_key),
    FIELD_TEXT(venue, "chatname", chat_name),
    FIELD_TEXT(venue, "language", language),
    FIELD_INT(venue, "offset", utc_offset, -50400, 50400),
    FIELD_BOOL(venue, "boardpicture", board_picture),
    FIELD_INT(venue, "state", state, 0, N_VENUE_STATES - 1),
    FIELD_BOOL(venue, "direct", direct),
    FIELD_BOOL(venue, "onepost", one_post),
};
static const struct field_row seat_rows[] = {
    FIELD_INT(player, "person", person, 0, TIME_MAX),
    FIELD_INT(player, "account", account, 0, TIME_MAX),
    FIELD_INT(player, "venue", venue, 0, MAX_VENUES - 1),
    FIELD_TEXT(player, "id", id),
    FIELD_TEXT(player, "name", name),
    FIELD_TEXT(player, "handle", handle),
    FIELD_BOOL(player, "byhandle", by_handle),
    FIELD_TEXT(player, "language", language),
    FIELD_TEXT(player, "cut", cut),
    FIELD_TEXT(player, "seed", seed),
    FIELD_BOOL(player, "computer", computer),
    FIELD_BOOL(player, "joined", joined),
    FIELD_BOOL(player, "ready", ready),
    FIELD_BOOL(player, "watched", watched),
    FIELD_INT(player, "level", level, 0, 15),
    FIELD_INT(player, "character", character, 0, N_CHARACTERS - 1),
    FIELD_BOOL(player, "words", words),
    FIELD_BOOL(player, "leftchat", left_chat),
    FIELD_INT(player, "channel", channel, 0, N_CHANNELS - 1),
    FIELD_INT(player, "lowered", channel_failed_at, 0, TIME_MAX),
    FIELD_INT(player, "heard", heard, 0, TIME_MAX),
    FIELD_INT(player, "timeleft", time_left, 0, TIME_MAX),
    FIELD_INT(player, "awayfrom", absence.vacation_from, 0, TIME_MAX),
    FIELD_INT(player, "awayuntil", absence.vacation_until, 0, TIME_MAX),
    FIELD_INT(player, "quietfrom", absence.quiet_from, 0, DAY_MINUTES - 1),
    FIELD_INT(player, "quietto", absence.quiet_to, 0, DAY_MINUTES - 1),
    FIELD_INT(player, "offset", absence.offset, -50400, 50400),
    FIELD_INT(player, "lateroffset", absence.later_offset, -50400, 50400),
    FIELD_INT(player, "offsetchange", absence.change, 0, TIME_MAX),
    FIELD_INT(player, "tips", tips, 0, UINT8_MAX),
    FIELD_INT(player, "handno", hand_message, 0, UINT32_MAX),
    FIELD_INT(player, "handat", hand_at, 0, TIME_MAX),
    FIELD_INT(player, "looked", asked_version, 0, UINT32_MAX),
    FIELD_TEXT(player, "ahead", ahead),
    FIELD_INT(player, "resign", resign_asked, 0, TIME_MAX),
    FIELD_INT(player, "joinedat", seat_joined, 0, MAX_PLAYERS - 1),
    FIELD_INT(player, "lot", lot, 0, CARD_NONE),
};
static const struct field_table session_fields = FIELD_TABLE(session, session_rows),
                                venue_fields = FIELD_TABLE(venue, venue_rows),
                                seat_fields = FIELD_TABLE(player, seat_rows);

/* ---- writing ---- */

struct str session_write(const struct session *s, struct buf *ret)
{
    static const char venues[MAX_VENUES][4] = {"", "v1.", "v2."},
                      seats[MAX_PLAYERS][4] = {"p0.", "p1.", "p2."};
    char text[NOTATION_MAX];
    size_t start = ret->n;
    buf_put(ret, STR("koikoi1"));
    field_put_line(ret, &session_fields, s, "", false);
    for (int v = 0; v <= s->n_more; v++)
        field_put_line(ret, &venue_fields, &s->venue[v], venues[v], false);
    for (int p = 0; p < s->players; p++)
        field_put_line(ret, &seat_fields, &s->player[p], seats[p], false);
    notation_rules(&s->rules, text);
    field_put_text(ret, "rules", str_of(text));
    if (s->match.players > 0) {
        notation_match(&s->match, text);
        field_put_text(ret, "match", str_of(text));
    }
    buf_put(ret, STR(" ."));
    assert(!ret->cut);
    return (struct str){ret->p + start, ret->n - start};
}

/* ---- reading ---- */

struct session_reader {
    struct session s;
    struct ruleset_cache *rulesets;
    uint64_t seen, seat_seen[MAX_PLAYERS], venue_seen[MAX_VENUES];
    bool has_rules, has_match;
};

/* Reads a field of this table. Returns NULL if it is good. */
static const char *read_row(const struct field_table *of, void *into, uint64_t *seen,
                            struct str name, struct str value)
{
    const struct field_row *f = field_find(of, name);
    if (!f)
        return "unknown field";
    uint64_t bit = (uint64_t)1 << (f - of->at);
    bool again = *seen & bit;
    *seen |= bit;
    return !again && field_read(f, into, value) ? NULL : f->name;
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
    struct str value, name = str_cut(pair, '=', &value), s;
    char text[NOTATION_MAX];
    if (str_is(name, STR("rules"))) {
        bool good = !r->has_rules && field_read_text(value, text, sizeof text, &s) &&
                    notation_read_rules(s.p, s.n, &r->s.rules) < 0;
        r->has_rules = true;
        return good ? NULL : "rules";
    }
    if (str_is(name, STR("match"))) { /* behind the rules */
        bool good = r->has_rules && !r->has_match &&
                    field_read_text(value, text, sizeof text, &s) &&
                    notation_read_match(ruleset_cache_get(r->rulesets, &r->s.rules), s.p, s.n,
                                        &r->s.match) < 0;
        r->has_match = true;
        return good ? NULL : "match";
    }
    int seat = part_of(name, 'p', 0, MAX_PLAYERS), venue = part_of(name, 'v', 1, MAX_VENUES);
    if (seat >= 0)
        return read_row(&seat_fields, &r->s.player[seat], &r->seat_seen[seat], str_skip(name, 3),
                        value);
    if (venue > 0)
        return read_row(&venue_fields, &r->s.venue[venue], &r->venue_seen[venue], str_skip(name, 3),
                        value);
    if (field_find(&venue_fields, name))
        return read_row(&venue_fields, &r->s.venue[0], &r->venue_seen[0], name, value);
    return read_row(&session_fields, &r->s, &r->seen, name, value);
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
    while (r.s.n_more < MAX_VENUES - 1 && r.s.venue[1 + r.s.n_more].chat > 0)
        r.s.n_more++;
    bool venues = r.s.ping.venue <= r.s.n_more; /* all have a chat, and there is no gap */
    for (int i = r.s.n_more + 1; i < MAX_VENUES; i++)
        venues &= !r.venue_seen[i];
    for (int i = 0; i < r.s.players; i++)
        venues &= r.s.player[i].venue <= r.s.n_more;
    const char *wrong = venues ? check_whole(&r) : "venue";
    if (!wrong)
        *ret = r.s;
    return wrong;
}
