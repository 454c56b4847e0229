/* Absence: /vacation stops the clocks of the sender's moves for some days of the year, /quiet sets
 * the hours in which nothing rings for them. Both count in all their matches from now on. */
#include "lobby.h"

enum { HOUR_MINUTES = 60 };

/* The running matches follow, with the clock of a move that is theirs. */
static void apply_to_matches(struct step *st, const struct absence *absence)
{
    for (int i = 0; i < st->w->mine.n; i++) {
        struct session *s = step_save(st, st->w->mine.at[i]);
        int seat = step_seat(st, s);
        if (seat < 0)
            continue;
        s->player[seat].absence = *absence;
        if (session_turn(s) == seat && !s->move.overdue)
            timer_turn(st, s);
    }
}

/* ---- vacation ---- */

/* True if this step has said the line in the one chat of that match. */
static bool announced(const struct step *st, const struct session *s)
{
    for (int i = 0; i < st->fx->n_notices && s->n_more == 0; i++) {
        const struct table *t = st->fx->notice[i]->table;
        if (t && t->n_venues == 1 && t->venue[0].account == s->venue[0].account &&
            str_is(t->venue[0].chat, str_of(s->venue[0].chat_key)))
            return true;
    }
    return false;
}

/* left: days of this year that are left. The people of each running match read it once. */
static enum verdict begin_vacation(struct step *st, int days, int left, int year)
{
    if (days > left) {
        notice_line(st, TO_ASKER, T_VACATION_LEFT, arg_int(VACATION_DAYS), arg_int(left))->n = left;
        return REFUSED;
    }
    struct person_prefs *p = step_prefs(st);
    struct arg until = arg_time(st->e->now + days * DAY_MS);
    p->absence.vacation_from = st->e->now;
    p->absence.vacation_until = until.n;
    p->vacation_days = (uint16_t)(VACATION_DAYS - left + days);
    p->vacation_year = (uint16_t)year;
    apply_to_matches(st, &p->absence);
    for (int i = 0; i < st->fx->n_saves; i++) {
        const struct session *s = st->fx->save[i];
        int seat = step_seat(st, s);
        if (s->phase == SESSION_PLAYING && seat >= 0 && !session_with_computer(s) &&
            !announced(st, s))
            inform(st, s, T_VACATION_TOLD, arg_seat(s, seat), until);
    }
    notice_line(st, TO_ASKER, T_VACATION_SET, until, arg_int(left - days),
                arg_command(VERB_VACATION))
        ->n = left - days;
    return TAKEN;
}

enum verdict absence_vacation(struct step *st)
{
    const struct person_prefs *prefs = &st->w->me.prefs;
    struct str rest = st->e->words, first = text_fold(st->fx->arena, str_word(&rest));
    int64_t days;
    bool off = step_keyword(st, first) == KEYWORD_OFF;
    if (off &&
        absence_on_vacation(&prefs->absence,
                            st->e->now)) { /* whole days that are left of it are given back */
        struct person_prefs *p = step_prefs(st);
        int64_t unused = (p->absence.vacation_until - st->e->now) / DAY_MS;
        p->vacation_days -= unused < p->vacation_days ? (uint16_t)unused : p->vacation_days;
        p->absence.vacation_until = st->e->now;
        apply_to_matches(st, &p->absence);
        return answer(st, T_VACATION_OVER);
    }
    if (lobby_on_vacation(st))
        return REFUSED;
    int year = date_at(st->e->now, st->w->chat.utc_offset).year;
    int left = VACATION_DAYS - (prefs->vacation_year == year ? prefs->vacation_days : 0);
    if (str_int(first, &days) && days >= 1 && days <= VACATION_DAYS)
        return begin_vacation(st, (int)days, left, year);
    notice_line(st, TO_ASKER, T_VACATION_HOW, arg_int(left), arg_command(VERB_VACATION))->n = left;
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

static enum verdict say_quiet(struct step *st, const struct person_prefs *p)
{
    const int minutes[2] = {p->absence.quiet_from, p->absence.quiet_to};
    struct str zone = p->quiet_zone[0] ? str_of(p->quiet_zone) : STR("UTC"), hours[2];
    for (int i = 0; i < 2; i++)
        hours[i] = arena_print(st->fx->arena, "%d:%02d", minutes[i] / HOUR_MINUTES,
                               minutes[i] % HOUR_MINUTES);
    return answer(st, T_QUIET_SET, arg_str(hours[0]), arg_str(hours[1]), arg_str(zone),
                  arg_command(VERB_QUIET));
}

enum verdict absence_quiet(struct step *st)
{
    const struct absence *was = &st->w->me.prefs.absence, *offsets = &st->w->absence->offsets;
    struct str rest = st->e->words, first = str_word(&rest), zone = st->w->absence->zone;
    static const struct absence utc;
    int from = 0, to = 0;
    if (first.n == 0 && was->quiet_from != was->quiet_to)
        return say_quiet(st, &st->w->me.prefs);
    bool off = step_keyword(st, first) == KEYWORD_OFF;
    if (!off && !read_hours(first, &from, &to))
        return refuse(st, T_QUIET_HOW, arg_command(VERB_QUIET));
    if (!off && !st->w->zone_ok)
        return refuse(st, T_BAD_VALUE, arg_option(STR("zone")), arg_key(T_ZONE_EXAMPLES));
    if (off) {
        offsets = &utc;
        zone = (struct str){0};
    }
    struct person_prefs *p = step_prefs(st);
    p->absence.quiet_from = (uint16_t)from;
    p->absence.quiet_to = (uint16_t)to;
    p->absence.offset = offsets->offset;
    p->absence.later_offset = offsets->later_offset;
    p->absence.change = offsets->change;
    NAME_PUT(p->quiet_zone, zone);
    apply_to_matches(st, &p->absence);
    return off ? answer(st, T_QUIET_OVER) : say_quiet(st, p);
}
