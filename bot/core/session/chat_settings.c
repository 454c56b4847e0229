/* See chat_settings.h. */
#include "chat_settings.h"

#include "season.h"

#define LATEST_MS ((int64_t)1 << 53)

void chat_settings_default(struct chat_settings *ret)
{
    *ret = (struct chat_settings){.time.move_ms = -1, .season_no = 1};
}

struct str chat_settings_write(const struct chat_settings *c, struct buf *ret)
{
    size_t start = ret->n;
    buf_print(ret,
              "rules=%s rounds=%d clock=%lld total=%lld gain=%lld season=%d number=%d zone=%s "
              "language=%s opponent=%s "
              "tips_off=%d board=%d seek=%d puzzle=%d",
              c->rules, c->rounds, (long long)c->time.move_ms, (long long)c->time.total_ms,
              (long long)c->time.gain_ms, c->season, (int)c->season_no, c->zone, c->language,
              c->opponent, c->tips_off, c->board_picture, c->seek, c->puzzle);
    return (struct str){ret->p + start, ret->n - start};
}

void chat_settings_read(struct str line, struct chat_settings *ret)
{
    chat_settings_default(ret);
    for (struct str rest = line, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str value, name = str_cut(word, '=', &value);
        int64_t n = 0;
        bool number = str_int(value, &n);
        if (str_is(name, STR("rules")))
            NAME_PUT(ret->rules, value);
        else if (str_is(name, STR("rounds")) && number && n >= 0 && n <= MAX_ROUNDS)
            ret->rounds = (uint8_t)n;
        else if (str_is(name, STR("clock")) && number && n >= -1)
            ret->time.move_ms = n;
        else if (str_is(name, STR("total")) && number && n >= 0)
            ret->time.total_ms = n;
        else if (str_is(name, STR("gain")) && number && n >= 0)
            ret->time.gain_ms = n;
        else if (str_is(name, STR("season")) && number && n >= 0 && n < N_SEASON_LENGTHS)
            ret->season = (uint8_t)n;
        else if (str_is(name, STR("number")) && number && n >= 1 && n <= SEASONS_BY_HAND)
            ret->season_no = (int32_t)n;
        else if (str_is(name, STR("zone")))
            NAME_PUT(ret->zone, value);
        else if (str_is(name, STR("language")))
            NAME_PUT(ret->language, value);
        else if (str_is(name, STR("opponent")))
            NAME_PUT(ret->opponent, value);
        else if (str_is(name, STR("tips_off")) && number)
            ret->tips_off = n != 0;
        else if (str_is(name, STR("seek")) && number)
            ret->seek = n == 1;
        else if (str_is(name, STR("board")) && number)
            ret->board_picture = n == 1;
        else if (str_is(name, STR("puzzle")) && number && n >= 0 && n <= DAY_MINUTES)
            ret->puzzle = (uint16_t)n;
    }
}

void chat_settings_season(const struct chat_settings *c, int64_t unix_ms, int32_t offset,
                          struct season_key *ret)
{
    if (c->season == SEASON_HAND)
        season_by_hand(c->season_no, ret);
    else
        season_at(unix_ms, offset, (enum season_length)c->season, ret);
}

static void write_absence(const struct person_prefs *p, struct buf *ret)
{
    const struct absence *a = &p->absence;
    if (a->away_until)
        buf_print(ret, "away_from=%lld away_until=%lld ", (long long)a->away_from,
                  (long long)a->away_until);
    if (p->vacation_days)
        buf_print(ret, "vacation_year=%d vacation_days=%d ", p->vacation_year, p->vacation_days);
    if (a->quiet_from != a->quiet_to)
        buf_print(ret, "quiet_from=%d quiet_to=%d quiet_zone=%s ", a->quiet_from, a->quiet_to,
                  p->quiet_zone);
}

/* Returns false if no setting has this name. */
static bool read_absence(struct str name, struct str value, struct person_prefs *ret)
{
    struct absence *a = &ret->absence;
    int64_t n = 0;
    bool number = str_int(value, &n) && n >= 0;
    if (str_is(name, STR("quiet_zone")))
        NAME_PUT(ret->quiet_zone, value);
    else if (str_is(name, STR("quiet_from")) && number && n < DAY_MINUTES)
        a->quiet_from = (uint16_t)n;
    else if (str_is(name, STR("quiet_to")) && number && n < DAY_MINUTES)
        a->quiet_to = (uint16_t)n;
    else if (str_is(name, STR("away_from")) && number && n <= LATEST_MS)
        a->away_from = n;
    else if (str_is(name, STR("away_until")) && number && n <= LATEST_MS)
        a->away_until = n;
    else if (str_is(name, STR("vacation_year")) && number && n <= UINT16_MAX)
        ret->vacation_year = (uint16_t)n;
    else if (str_is(name, STR("vacation_days")) && number && n <= VACATION_DAYS)
        ret->vacation_days = (uint16_t)n;
    else
        return false;
    return true;
}

struct str person_prefs_write(const struct person_prefs *p, struct buf *ret)
{
    size_t start = ret->n;
    if (p->language[0] && !p->language_of_app)
        buf_print(ret, "language=%s ", p->language);
    if (p->lesson)
        buf_print(ret, "lesson=%d ", p->lesson);
    if (p->lesson_shown)
        buf_print(ret, "lesson_shown=%lld ", (long long)p->lesson_shown);
    if (p->tips)
        buf_print(ret, "tips=%d ", p->tips);
    if (p->lesson_message)
        buf_print(ret, "lesson_message=%d ", p->lesson_message);
    if (p->rated_everywhere)
        buf_print(ret, "rated=1 ");
    write_absence(p, ret);
    return str_trim((struct str){ret->p + start, ret->n - start});
}

void person_prefs_read(struct str line, struct person_prefs *ret)
{
    *ret = (struct person_prefs){.language = ""};
    for (struct str rest = line, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str value, name = str_cut(word, '=', &value);
        int64_t n = 0;
        bool number = str_int(value, &n) && n >= 0;
        if (read_absence(name, value, ret))
            continue;
        bool alone = name.n == word.n; /* of an older line: the language */
        if (alone || str_is(name, STR("language")))
            NAME_PUT(ret->language, alone ? name : value);
        else if (str_is(name, STR("rated")) && number)
            ret->rated_everywhere = n > 0;
        else if (str_is(name, STR("lesson")) && number && n <= UINT8_MAX)
            ret->lesson = (uint8_t)n;
        else if (str_is(name, STR("lesson_shown")) && number)
            ret->lesson_shown = n;
        else if (str_is(name, STR("tips")) && number && n <= UINT8_MAX)
            ret->tips = (uint8_t)n;
        else if (str_is(name, STR("lesson_message")) && number && n <= UINT16_MAX)
            ret->lesson_message = (uint16_t)n;
    }
}

void person_prefs_join(struct person_prefs *p, const struct person_prefs *other)
{
    if (!p->language[0])
        memcpy(p->language, other->language, sizeof p->language);
    if (p->lesson < other->lesson)
        p->lesson = other->lesson;
    p->tips |= other->tips;
    p->rated_everywhere |= other->rated_everywhere;
    if (p->absence.quiet_from == p->absence.quiet_to) {
        p->absence.quiet_from = other->absence.quiet_from;
        p->absence.quiet_to = other->absence.quiet_to;
        memcpy(p->quiet_zone, other->quiet_zone, sizeof p->quiet_zone);
    }
    if (p->absence.away_until < other->absence.away_until) {
        p->absence.away_from = other->absence.away_from;
        p->absence.away_until = other->absence.away_until;
    }
    if (p->vacation_year < other->vacation_year ||
        (p->vacation_year == other->vacation_year && p->vacation_days < other->vacation_days)) {
        p->vacation_year = other->vacation_year;
        p->vacation_days = other->vacation_days;
    }
}
