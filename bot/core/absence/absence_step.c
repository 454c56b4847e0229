/* Absence: /vacation stops the clocks of the sender's moves for some days of the year, /quiet sets
 * the hours in which nothing rings for them. Both count in all their matches from now on. */
#include "season.h"
#include "keyword.h"
#include "turn.h"

enum { HOUR_MINUTES = 60 };

/* The running matches follow, with the clock of a move that is theirs. */
static void apply_to_matches(struct step *st, const struct absence *absence)
{
    for (int i = 0; i < st->w->mine.n; i++) {
        struct session *s = step_save(st, st->w->mine.at[i]);
        int seat = session_seat(s, st->w->me.person);
        if (seat < 0)
            continue;
        s->player[seat].absence = *absence;
        if (session_turn(s) == seat && !s->move.overdue)
            timer_turn(st, s);
    }
}

/* ---- vacation ---- */

static int year_now(const struct step *st)
{
    return date_at(st->e->now, st->w->chat.utc_offset).year;
}

static int days_left(const struct step *st)
{
    const struct person_prefs *p = &st->w->me.prefs;
    return p->vacation_year == year_now(st) ? VACATION_DAYS - p->vacation_days : VACATION_DAYS;
}

/* True if the line has been said in that chat by this step. */
static bool announced(const struct step *st, const struct session *s)
{
    for (int i = 0; i < st->fx->n_notices; i++) {
        const struct table *t = st->fx->notice[i]->table;
        bool same = t && t->n_venues == 1 && t->venue[0].account == s->venue[0].account &&
                    str_is(t->venue[0].chat, str_of(s->venue[0].chat_key));
        if (same && s->n_more == 0)
            return true;
    }
    return false;
}

/* Once to the people of each running match. */
static void announce(struct step *st)
{
    for (int i = 0; i < st->fx->n_saves; i++) {
        const struct session *s = st->fx->save[i];
        int seat = session_seat(s, st->w->me.person);
        if (s->phase != SESSION_PLAYING || seat < 0 || session_with_computer(s) || announced(st, s))
            continue;
        notice_announce(st, s, T_VACATION_TOLD,
                        ARGS(arg_seat(s, seat), arg_time(st->fx->prefs->absence.away_until)), 0)
            ->notify = false;
    }
}

static enum verdict begin_vacation(struct step *st, int days)
{
    int left = days_left(st);
    if (days > left) {
        struct notice *notice =
            notice_line(st, TO_ASKER, T_VACATION_LEFT, ARGS(arg_int(VACATION_DAYS), arg_int(left)));
        notice->n = left;
        return REFUSED;
    }
    struct person_prefs *p = step_prefs(st);
    p->absence.away_from = st->e->now;
    p->absence.away_until = st->e->now + days * DAY_MS;
    p->vacation_days = (uint16_t)(VACATION_DAYS - left + days);
    p->vacation_year = (uint16_t)year_now(st);
    apply_to_matches(st, &p->absence);
    announce(st);
    struct notice *notice = notice_line(
        st, TO_ASKER, T_VACATION_SET,
        ARGS(arg_time(p->absence.away_until), arg_int(left - days), arg_command(VERB_VACATION)));
    notice->n = left - days;
    return TAKEN;
}

/* Whole days that are left of it are given back. */
static enum verdict end_vacation(struct step *st)
{
    struct person_prefs *p = step_prefs(st);
    int64_t unused = (p->absence.away_until - st->e->now) / DAY_MS;
    p->vacation_days -= unused < p->vacation_days ? (uint16_t)unused : p->vacation_days;
    p->absence.away_until = st->e->now;
    apply_to_matches(st, &p->absence);
    return notice_answer(st, T_VACATION_OVER, NO_ARGS);
}

enum verdict people_vacation(struct step *st)
{
    struct str rest = st->e->words, first = text_fold(st->fx->arena, str_word(&rest));
    int64_t days;
    if (st->w->me.person == 0)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    const struct absence *absence = &st->w->me.prefs.absence;
    bool away = absence_on_vacation(absence, st->e->now);
    bool off = keyword_find(st->w->bot->languages, st->fx->arena, first) == KEYWORD_OFF;
    if (away && off)
        return end_vacation(st);
    if (away)
        return notice_refuse(st, T_VACATION_FIRST,
                             ARGS(arg_time(absence->away_until), arg_command(VERB_VACATION)));
    if (str_int(first, &days) && days >= 1 && days <= VACATION_DAYS)
        return begin_vacation(st, (int)days);
    struct notice *notice = notice_line(st, TO_ASKER, T_VACATION_HOW,
                                        ARGS(arg_int(days_left(st)), arg_command(VERB_VACATION)));
    notice->n = days_left(st);
    return first.n == 0 || off ? TAKEN : REFUSED;
}

/* ---- quiet hours ---- */

/* "22", "22:30" as minutes after midnight. Returns -1 for anything else. */
static int read_minute(struct str s)
{
    struct str rest, head = str_cut(s, ':', &rest);
    int64_t hour, minute = 0;
    if (!str_int(head, &hour) || hour < 0 || hour > 24 ||
        (head.n < s.n && (!str_int(rest, &minute) || minute < 0 || minute >= HOUR_MINUTES)) ||
        (hour == 24 && minute > 0))
        return -1;
    return (int)((hour * HOUR_MINUTES + minute) % DAY_MINUTES);
}

/* "22-8"; a dash of any length. */
static bool read_hours(struct str s, int *ret_from, int *ret_to)
{
    size_t n = 0;
    while (n < s.n && ((s.p[n] >= '0' && s.p[n] <= '9') || s.p[n] == ':'))
        n++;
    struct str dash = str_skip(s, n);
    size_t width = str_starts(dash, STR("-")) ? 1
                   : str_starts(dash, STR("\xE2\x80\x93")) || str_starts(dash, STR("\xE2\x80\x94"))
                       ? 3
                       : 0;
    if (width == 0)
        return false;
    *ret_from = read_minute((struct str){s.p, n});
    *ret_to = read_minute(str_skip(dash, width));
    return *ret_from >= 0 && *ret_to >= 0 && *ret_from != *ret_to;
}

static struct arg arg_minute(struct step *st, int minute)
{
    return arg_str(
        arena_print(st->fx->arena, "%d:%02d", minute / HOUR_MINUTES, minute % HOUR_MINUTES));
}

static enum verdict say_quiet(struct step *st, const struct person_prefs *p)
{
    struct str zone = p->quiet_zone[0] ? str_of(p->quiet_zone) : STR("UTC");
    return notice_answer(st, T_QUIET_SET,
                         ARGS(arg_minute(st, p->absence.quiet_from),
                              arg_minute(st, p->absence.quiet_to), arg_str(zone),
                              arg_command(VERB_QUIET)));
}

static enum verdict end_quiet(struct step *st)
{
    struct person_prefs *p = step_prefs(st);
    p->absence.quiet_from = p->absence.quiet_to = 0;
    p->absence.offset = p->absence.later_offset = 0;
    p->absence.change = 0;
    memset(p->quiet_zone, 0, sizeof p->quiet_zone);
    apply_to_matches(st, &p->absence);
    return notice_answer(st, T_QUIET_OVER, NO_ARGS);
}

enum verdict people_quiet(struct step *st)
{
    struct str rest = st->e->words, first = str_word(&rest);
    struct person_prefs *p;
    int from, to;
    if (st->w->me.person == 0)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    bool quiet = st->w->me.prefs.absence.quiet_from != st->w->me.prefs.absence.quiet_to;
    if (first.n == 0 && quiet)
        return say_quiet(st, &st->w->me.prefs);
    if (keyword_find(st->w->bot->languages, st->fx->arena, first) == KEYWORD_OFF)
        return end_quiet(st);
    if (!read_hours(first, &from, &to))
        return notice_refuse(st, T_QUIET_HOW, ARGS(arg_command(VERB_QUIET)));
    if (!st->w->zone_ok)
        return notice_refuse(st, T_BAD_VALUE, ARGS(arg_str(STR("zone")), arg_key(T_ZONE_EXAMPLES)));
    p = step_prefs(st);
    p->absence.quiet_from = (uint16_t)from;
    p->absence.quiet_to = (uint16_t)to;
    p->absence.offset = st->w->absence->offsets.offset;
    p->absence.later_offset = st->w->absence->offsets.later_offset;
    p->absence.change = st->w->absence->offsets.change;
    NAME_PUT(p->quiet_zone, st->w->absence->zone);
    apply_to_matches(st, &p->absence);
    return say_quiet(st, p);
}
