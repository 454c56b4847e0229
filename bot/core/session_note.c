/* A session as one line: blank-separated name=value pairs, behind the word that names the notation and
 * its number. What has its zero value is left out. Every field is a row below; a new field is a new row
 * whose zero must mean what its absence meant. Bytes that would break the line are written %XX.
 *
 *     koikoi1 no=12 chat=3 phase=1 players=2 p0.name=Ann ... v1.chat=9 ... rules=... match=... .
 *
 * The dot says that nothing was cut off.
 */
#include "character.h"
#include "note.h"
#include "season.h"
#include "session.h"

#include <assert.h>
#include <utf8proc.h>

enum kind { INT, BOOL, TEXT, SEED };
struct field {
    const char *name;
    enum kind kind;
    size_t offset, size;
    int64_t min, max;
};

#define AT(type, f) offsetof(struct type, f), sizeof(((struct type *)0)->f)
#define TIME_MAX    ((int64_t)1 << 53)
static const struct field fields[] = {
    {"no", INT, AT(session, no), 0, TIME_MAX},
    {"version", INT, AT(session, version), 0, UINT32_MAX},
    {"phase", INT, AT(session, phase), 0, N_SESSION_PHASES - 1},
    {"end", INT, AT(session, end), 0, N_ENDS - 1},
    {"players", INT, AT(session, players), MIN_PLAYERS, MAX_PLAYERS},
    {"id", TEXT, AT(session, id), 0, 0},
    {"lotsseed", SEED, AT(session, lots_seed), 0, 0},
    {"nextseed", SEED, AT(session, next_seed), 0, 0},
    {"dealseed", SEED, AT(session, deal_seed), 0, 0},
    {"clock", INT, AT(session, clock_ms), 0, TIME_MAX},
    {"created", INT, AT(session, created), 0, TIME_MAX},
    {"moved", INT, AT(session, moved), 0, TIME_MAX},
    {"due", INT, AT(session, due), 0, TIME_MAX},
    {"knock", INT, AT(session, knock), 0, N_KNOCKS - 1},
    {"overdue", BOOL, AT(session, overdue), 0, 1},
    {"left", INT, AT(session, left), -1, MAX_PLAYERS - 1},
    {"leftlate", BOOL, AT(session, left_timeout), 0, 1},
    {"resign", INT, AT(session, resign_asked), -1, MAX_PLAYERS - 1},
    {"nudged", INT, AT(session, nudged), 0, TIME_MAX},
    {"thought", TEXT, AT(session, thought), 0, 0},
    {"asked", INT, AT(session, asked), 0, N_CARDS},
    {"hinted", BOOL, AT(session, hinted), 0, 1},
    {"hint", TEXT, AT(session, hint), 0, 0},
    {"ping", INT, AT(session, ping), 0, UINT32_MAX},
    {"pingat", INT, AT(session, ping_venue), 0, MAX_VENUES - 1},
    {"pingfor", INT, AT(session, ping_seat), 0, MAX_PLAYERS - 1},
    {"bycode", BOOL, AT(session, by_code), 0, 1},
};
/* Those of the home stand alone, as if they were the session's. */
static const struct field venue_fields[] = {
    {"chat", INT, AT(venue, chat), 0, TIME_MAX},
    {"account", INT, AT(venue, account), 0, TIME_MAX},
    {"key", TEXT, AT(venue, chat_key), 0, 0},
    {"chatname", TEXT, AT(venue, chat_name), 0, 0},
    {"language", TEXT, AT(venue, language), 0, 0},
    {"offset", INT, AT(venue, utc_offset), -50400, 50400},
    {"season", INT, AT(venue, season), 0, N_SEASON_LENGTHS - 1},
    {"direct", BOOL, AT(venue, direct), 0, 1},
    {"onepost", BOOL, AT(venue, one_post), 0, 1},
};
static const struct field seat_fields[] = {
    {"person", INT, AT(player, person), 0, TIME_MAX},
    {"account", INT, AT(player, account), 0, TIME_MAX},
    {"venue", INT, AT(player, venue), 0, MAX_VENUES - 1},
    {"id", TEXT, AT(player, id), 0, 0},
    {"name", TEXT, AT(player, name), 0, 0},
    {"handle", TEXT, AT(player, handle), 0, 0},
    {"language", TEXT, AT(player, language), 0, 0},
    {"cut", TEXT, AT(player, cut), 0, 0},
    {"seed", TEXT, AT(player, seed), 0, 0},
    {"event", TEXT, AT(player, event), 0, 0},
    {"computer", BOOL, AT(player, computer), 0, 1},
    {"joined", BOOL, AT(player, joined), 0, 1},
    {"ready", BOOL, AT(player, ready), 0, 1},
    {"level", INT, AT(player, level), 0, 15},
    {"character", INT, AT(player, character), 0, N_CHARACTERS - 1},
    {"channel", INT, AT(player, channel), 0, N_CHANNELS - 1},
    {"lowered", INT, AT(player, lowered), 0, TIME_MAX},
    {"handno", INT, AT(player, hand_no), 0, UINT32_MAX},
    {"joinedat", INT, AT(player, seat_joined), 0, MAX_PLAYERS - 1},
    {"lot", INT, AT(player, lot), 0, CARD_NONE},
};
enum {
    N_FIELDS = sizeof fields / sizeof *fields,
    N_VENUE_FIELDS = sizeof venue_fields / sizeof *venue_fields,
    N_SEAT_FIELDS = sizeof seat_fields / sizeof *seat_fields
};

static int64_t int_get(const void *base, const struct field *f)
{
    const char *p = (const char *)base + f->offset;
    union {
        int64_t i64;
        uint32_t u32;
        int32_t i32;
        uint8_t u8;
        int8_t i8;
        bool b;
    } v = {0};
    memcpy(&v, p, f->size);
    if (f->size == 8)
        return v.i64;
    if (f->size == 4)
        return f->min < 0 ? (int64_t)v.i32 : (int64_t)v.u32;
    return f->min < 0 ? v.i8 : v.u8;
}

static void int_set(void *base, const struct field *f, int64_t n)
{
    union {
        int64_t i64;
        uint32_t u32;
        uint8_t u8;
        bool b;
    } v = {0};
    if (f->size == 8)
        v.i64 = n;
    else if (f->size == 4)
        v.u32 = (uint32_t)n;
    else if (f->kind == BOOL)
        v.b = n != 0;
    else
        v.u8 = (uint8_t)n;
    memcpy((char *)base + f->offset, &v, f->size);
}

/* ---- writing ---- */

static void put_escaped(struct buf *b, struct str s)
{
    static const char hex[] = "0123456789ABCDEF";
    static const bool breaks[256] = {[0 ... ' '] = true, ['%'] = true, [0x7F] = true};
    size_t from = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (!breaks[c])
            continue;
        buf_put(b, (struct str){s.p + from, i - from});
        buf_put(b, (struct str){(char[]){'%', hex[c >> 4], hex[c & 15]}, 3});
        from = i + 1;
    }
    buf_put(b, str_skip(s, from));
}

/* "p1.name": of the second player; part 0: of the session itself. */
static void put_key(struct buf *b, char part, int i, const char *name)
{
    buf_char(b, ' ');
    if (part) {
        buf_char(b, part);
        buf_int(b, i);
        buf_char(b, '.');
    }
    buf_put(b, str_of(name));
    buf_char(b, '=');
}

static void put_field(struct buf *b, const void *base, char part, int i, const struct field *f)
{
    static const struct seed no_seed;
    const char *p = (const char *)base + f->offset;
    if (f->kind == TEXT && p[0]) {
        put_key(b, part, i, f->name);
        put_escaped(b, str_of(p));
    } else if (f->kind == SEED && memcmp(p, &no_seed, sizeof no_seed) != 0) {
        struct seed seed;
        char hex[SEED_HEX_SIZE];
        memcpy(&seed, p, sizeof seed);
        chance_hex(&seed, hex);
        put_key(b, part, i, f->name);
        buf_put(b, str_of(hex));
    } else if ((f->kind == INT || f->kind == BOOL) && int_get(base, f) != 0) {
        put_key(b, part, i, f->name);
        buf_int(b, int_get(base, f));
    }
}

struct str session_write(const struct session *s, struct buf *ret)
{
    char note[NOTE_MAX];
    size_t start = ret->n;
    buf_put(ret, STR("koikoi1"));
    for (int i = 0; i < N_FIELDS; i++)
        put_field(ret, s, 0, 0, &fields[i]);
    for (int v = 0; v <= s->n_more; v++)
        for (int i = 0; i < N_VENUE_FIELDS; i++)
            put_field(ret, session_venue(s, v), v ? 'v' : 0, v, &venue_fields[i]);
    for (int p = 0; p < s->players; p++)
        for (int i = 0; i < N_SEAT_FIELDS; i++)
            put_field(ret, &s->player[p], 'p', p, &seat_fields[i]);
    note_rules(&s->rules, note);
    put_key(ret, 0, 0, "rules");
    put_escaped(ret, str_of(note));
    if (s->match.players > 0) {
        note_match(&s->match, note);
        put_key(ret, 0, 0, "match");
        put_escaped(ret, str_of(note));
    }
    buf_put(ret, STR(" ."));
    assert(!ret->cut);
    return (struct str){ret->p + start, ret->n - start};
}

/* ---- reading ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Undoes put_escaped; false if it is not what that would write or does not fit with its NUL. */
static bool unescape(struct str s, char *ret, size_t size, struct str *ret_text)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '%') {
            int high = i + 1 < s.n ? hex_digit(s.p[i + 1]) : -1;
            int low = i + 2 < s.n ? hex_digit(s.p[i + 2]) : -1;
            if (high < 0 || low < 0 || high * 16 + low == 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        } else if ((unsigned char)c <= ' ' || c == 0x7F) {
            return false;
        }
        if (n + 1 >= size)
            return false;
        ret[n++] = c;
    }
    ret[n] = '\0';
    *ret_text = (struct str){ret, n};
    return true;
}

static bool utf8_ok(struct str s)
{
    utf8proc_int32_t c;
    for (utf8proc_ssize_t at = 0, n; at < (utf8proc_ssize_t)s.n; at += n)
        if ((n = utf8proc_iterate((const utf8proc_uint8_t *)s.p + at, (utf8proc_ssize_t)s.n - at,
                                  &c)) < 1)
            return false;
    return true;
}

static bool get_field(void *base, const struct field *f, struct str value)
{
    char text[NOTE_MAX];
    struct str s;
    int64_t n;
    if (f->kind == TEXT) {
        if (!unescape(value, text, f->size < sizeof text ? f->size : sizeof text, &s) || s.n == 0 ||
            !utf8_ok(s))
            return false;
        name_put((char *)base + f->offset, f->size, s);
        return true;
    }
    if (f->kind == SEED) {
        struct seed seed;
        if (!chance_read_seed(value, &seed))
            return false;
        memcpy((char *)base + f->offset, &seed, sizeof seed);
        return true;
    }
    if (!str_int(value, &n) || n < f->min || n > f->max)
        return false;
    int_set(base, f, n);
    return true;
}

static const struct field *find(const struct field *at, int n, struct str name)
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
    bool good = unescape(value, text, sizeof text, &s);
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
static const char *read_row(const struct field *at, int n, void *base, uint64_t *seen,
                            struct str name, struct str value)
{
    const struct field *f = find(at, n, name);
    if (!f)
        return "unknown field";
    return once(seen, f - at) && get_field(base, f, value) ? NULL : f->name;
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
