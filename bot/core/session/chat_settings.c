/* See chat_settings.h. */
#include "chat_settings.h"

#include "adapter.h"
#include "field.h"
#include "season.h"

#define LATEST_MS ((int64_t)1 << 53)

static const struct field_row chat_rows[] = {
    FIELD_TEXT(chat_settings, "rules", rules),
    FIELD_INT(chat_settings, "rounds", rounds, 0, MAX_ROUNDS),
    FIELD_INT(chat_settings, "clock", time.move_ms, -1, INT64_MAX),
    FIELD_INT(chat_settings, "total", time.total_ms, 0, INT64_MAX),
    FIELD_INT(chat_settings, "gain", time.gain_ms, 0, INT64_MAX),
    FIELD_INT(chat_settings, "season", season, 0, N_SEASON_LENGTHS - 1),
    FIELD_INT(chat_settings, "number", season_no, 1, SEASONS_BY_HAND),
    FIELD_TEXT(chat_settings, "zone", zone),
    FIELD_TEXT(chat_settings, "language", language),
    FIELD_TEXT(chat_settings, "opponent", opponent),
    FIELD_BOOL(chat_settings, "board", board_picture),
#define SWITCH(id, name, member, ...) FIELD_BOOL(chat_settings, #member, member),
#define HOUR(id, name, member, usual) FIELD_INT(chat_settings, name, member, 0, DAY_MINUTES),
#include "setting.def"
};
static const struct field_table chat_fields = FIELD_TABLE(chat_settings, chat_rows);

static const struct field_row person_rows[] = {
    FIELD_TEXT(person_prefs, "language", language),
    FIELD_INT(person_prefs, "lesson", lesson, 0, UINT8_MAX),
    FIELD_INT(person_prefs, "lesson_shown", lesson_shown, 0, INT64_MAX),
    FIELD_INT(person_prefs, "tips", tips, 0, UINT8_MAX),
    FIELD_INT(person_prefs, "lesson_message", lesson_message, 0, UINT16_MAX),
    FIELD_BOOL(person_prefs, "words", words),
    FIELD_BOOL(person_prefs, "rated", rated_everywhere),
    FIELD_INT(person_prefs, "away_from", absence.vacation_from, 0, LATEST_MS),
    FIELD_INT(person_prefs, "away_until", absence.vacation_until, 0, LATEST_MS),
    FIELD_INT(person_prefs, "vacation_year", vacation_year, 0, UINT16_MAX),
    FIELD_INT(person_prefs, "vacation_days", vacation_days, 0, VACATION_DAYS),
    FIELD_INT(person_prefs, "quiet_from", absence.quiet_from, 0, DAY_MINUTES - 1),
    FIELD_INT(person_prefs, "quiet_to", absence.quiet_to, 0, DAY_MINUTES - 1),
    FIELD_TEXT(person_prefs, "quiet_zone", quiet_zone),
};
static const struct field_table person_fields = FIELD_TABLE(person_prefs, person_rows);

void chat_settings_default(struct chat_settings *ret)
{
    *ret = (struct chat_settings){.time.move_ms = -1, .season_no = 1};
}

struct str chat_settings_write(const struct chat_settings *c, struct buf *ret)
{
    size_t start = ret->n;
    field_put_line(ret, &chat_fields, c, "", true);
    return str_trim(str_skip(buf_str(ret), start));
}

/* A value that cannot be read, or of a name that is not known, changes nothing. */
static void read_words(struct str line, const struct field_table *of, void *into)
{
    for (struct str word = str_word(&line); word.n > 0; word = str_word(&line)) {
        struct str value, name = str_cut(word, '=', &value);
        const struct field_row *f = field_find(of, name);
        if (f)
            field_read(f, into, value);
    }
}

void chat_settings_read(struct str line, struct chat_settings *ret)
{
    chat_settings_default(ret);
    read_words(line, &chat_fields, ret);
}

struct str person_prefs_write(const struct person_prefs *p, struct buf *ret)
{
    struct person_prefs stored = *p;
    size_t start = ret->n;
    if (p->language_of_app)
        stored.language[0] = '\0';
    field_put_line(ret, &person_fields, &stored, "", false);
    return str_trim(str_skip(buf_str(ret), start));
}

void person_prefs_read(struct str line, struct person_prefs *ret)
{
    *ret = (struct person_prefs){.language = ""};
    read_words(line, &person_fields, ret);
}

void chat_settings_season(const struct chat_settings *c, int64_t unix_ms, int32_t offset,
                          struct season_key *ret)
{
    if (c->season == SEASON_HAND)
        season_by_hand(c->season_no, ret);
    else
        season_at(unix_ms, offset, (enum season_length)c->season, ret);
}

void person_prefs_join(struct person_prefs *p, const struct person_prefs *other)
{
    if (!p->language[0])
        memcpy(p->language, other->language, sizeof p->language);
    if (p->lesson < other->lesson)
        p->lesson = other->lesson;
    p->tips |= other->tips;
    p->words |= other->words;
    p->rated_everywhere |= other->rated_everywhere;
    if (p->absence.quiet_from == p->absence.quiet_to) {
        p->absence.quiet_from = other->absence.quiet_from;
        p->absence.quiet_to = other->absence.quiet_to;
        memcpy(p->quiet_zone, other->quiet_zone, sizeof p->quiet_zone);
    }
    if (p->absence.vacation_until < other->absence.vacation_until) {
        p->absence.vacation_from = other->absence.vacation_from;
        p->absence.vacation_until = other->absence.vacation_until;
    }
    if (p->vacation_year < other->vacation_year ||
        (p->vacation_year == other->vacation_year && p->vacation_days < other->vacation_days)) {
        p->vacation_year = other->vacation_year;
        p->vacation_days = other->vacation_days;
    }
}

bool chat_settings_share(const struct chat_settings *s, uint32_t can, bool direct)
{
    return !direct && (s->watch || (can & CAN_SCENE));
}
