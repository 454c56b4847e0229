/* Searches for an opponent: /seek opens a challenge that people of other chats may meet. When two
 * of them suit each other, the older one becomes a match across both chats, without another
 * question.
 *
 * The nearest rating over all chats comes first. How far apart two may be grows while the one that
 * has waited longer waits. A message to one chat shows nothing of the other but the player's
 * name. */
#include "seek.h"

#include "lobby.h"
#include "play.h"

#define STEP_MS (5 * MINUTE_MS)  /* the range grows so often, */
#define ALL_MS  (30 * MINUTE_MS) /* until everybody is near enough */
enum { STEP_POINTS = 100 };

/* ---- do two suit each other? ---- */

static int64_t range(const struct session *s, int64_t now)
{
    int64_t waited = now - s->created;
    return waited >= ALL_MS ? UINT16_MAX : STEP_POINTS * (1 + waited / STEP_MS);
}

static bool suit(const struct session *a, const struct session *b, int64_t now)
{
    int64_t apart = (int64_t)a->seek_points - b->seek_points;
    int64_t range_a = range(a, now), range_b = range(b, now);
    bool rules = a->any_rules || b->any_rules ||
                 (strcmp(a->rules.name, b->rules.name) == 0 && a->rules.rounds == b->rules.rounds);
    bool clocks = a->any_clock || b->any_clock || memcmp(&a->time, &b->time, sizeof a->time) == 0;
    return rules && clocks && b->phase == SESSION_OFFERED && b->strangers && b->n_more == 0 &&
           a->player[0].person != b->player[0].person &&
           !absence_on_vacation(&a->player[0].absence, now) &&
           !absence_on_vacation(&b->player[0].absence, now) &&
           (apart < 0 ? -apart : apart) <= (range_a > range_b ? range_a : range_b);
}

/* The nearest search that suits; those of the world are in that order. */
static const struct session *find_opponent(struct step *st, const struct session *s)
{
    const struct seek_facts *f = st->w->seek;
    for (int i = 0; i < f->n; i++)
        if (f->at[i]->no != s->no && suit(s, f->at[i], st->e->now))
            return f->at[i];
    return NULL;
}

/* What the first leaves open is as the second wants it. */
static void agree(struct session *s, const struct session *other)
{
    if (s->any_rules && !other->any_rules)
        s->rules = other->rules;
    if (s->any_clock && !other->any_clock)
        s->time = other->time;
}

/* ---- they meet ---- */

static enum verdict begin_match(struct step *st, struct session *s, int venue)
{
    if (venue > 0) /* its terms and seals, which that chat has not seen */
        lobby_offer(st, s, venue)->notify = false;
    announce(st, s, 0, T_SEEK_MET, arg_seat(s, 0), arg_seat(s, 1));
    return play_start(st, s);
}

/* The sender meets a search that waits. `wants`: their own terms; NULL for none. */
static enum verdict meet(struct step *st, const struct session *s, const struct session *wants)
{
    struct session *next = step_change(st, s);
    int venue = session_venue_of(next, st->w->chat.id);
    if (wants)
        agree(next, wants);
    if (venue < 0) {
        venue = ++next->n_more;
        lobby_venue(st, &next->venue[venue]);
    }
    lobby_take_seat(st, &next->player[1], venue);
    return begin_match(st, next, venue);
}

/* ---- /seek ---- */

/* Which terms the words name: a clock, and anything else. Refuses what two strangers cannot agree
 * on. */
static bool read_terms(struct step *st, struct session *s)
{
    struct challenge_options options;
    s->strangers = s->any_rules = s->any_clock = true;
    for (struct str rest = text_fold(st->fx->arena, step_options(st, st->e->words)),
                    word = str_word(&rest);
         word.n > 0; word = str_word(&rest)) {
        struct time_control clock;
        struct str value, name = str_cut(word, '=', &value);
        bool pair = name.n < word.n;
        if (pair && !str_is(name, STR("clock")) && !str_is(name, STR("rules")) &&
            !str_is(name, STR("rounds")))
            return value_refuse(st, T_SEEK_WORD, word);
        if (pair ? str_is(name, STR("clock")) : value_clock(st, word, &clock))
            s->any_clock = false;
        else
            s->any_rules = false;
    }
    if (!challenge_options_read(st, st->e->words, false, &options))
        return false;
    if (options.computers + options.open + options.players + st->e->n_mentions > 0 ||
        options.casual)
        return value_refuse(st, T_SEEK_WORD, st->e->words);
    if (!(options.rules.players_allowed >> 2 & 1))
        return value_refuse(st, T_SEEK_WORD, str_of(options.rules.name));
    s->rules = options.rules;
    s->time = options.time;
    if (s->time.move_ms < 0)
        s->time.move_ms = CLOCK_MS;
    return true;
}

static bool may_seek(struct step *st)
{
    if (st->w->me.person == 0)
        return deny(st, T_ANONYMOUS);
    if (!st->e->direct && !st->w->chat.settings.seek)
        return deny(st, T_SEEK_OFF, arg_command(VERB_SETTINGS), arg_command(VERB_SEEK));
    for (int i = 0; i < st->w->mine.n; i++) {
        const struct session *s = st->w->mine.at[i];
        bool waits = s->phase == SESSION_OFFERED;
        if (s->strangers && step_seat(st, s) >= 0)
            return deny(st, waits ? T_SEEK_WAITING : T_SEEK_PLAYING, arg_int(s->no),
                        arg_command(waits ? VERB_CANCEL : VERB_GAMES));
    }
    return lobby_room(st);
}

/* The button that a watcher got takes a search as it is; else the sender's own meets another one,
 * or waits. */
enum verdict seek_command(struct step *st)
{
    const struct session *named = st->w->named;
    if (st->e->pressed && st->e->no > 0) {
        if (!named || !named->strangers || named->phase != SESSION_OFFERED)
            return refuse(st, T_OFFER_GONE, arg_command(VERB_CHALLENGE));
        return may_seek(st) ? meet(st, named, NULL) : REFUSED;
    }
    struct session *s = arena_new(st->fx->arena, struct session);
    if (!may_seek(st) || !read_terms(st, s))
        return REFUSED;
    s->created = st->e->now;
    s->players = 2;
    s->seek_points = st->w->seek->points;
    lobby_seats(st, s);
    lobby_take_seat(st, &s->player[0], 0);
    lobby_venue(st, &s->venue[0]);
    const struct session *found = find_opponent(st, s);
    if (found)
        return meet(st, found, s);
    lobby_begin(st, s);
    timer_set(s, st->e->now + STEP_MS, TIMER_SEEK);
    st->open = s = step_change(st, s);
    lobby_offer(st, s, -1)->notify = !st->e->direct;
    return TAKEN;
}

/* Two that wait meet: the older one goes on with both. */
enum verdict seek_again(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED || s->timer != TIMER_SEEK || s->due > st->e->now)
        return IGNORED;
    const struct session *found = st->w->draining ? NULL : find_opponent(st, s);
    if (!found) {
        struct session *next = step_change(st, s);
        if (st->e->now - s->created < ALL_MS)
            timer_set(next, st->e->now + STEP_MS, TIMER_SEEK);
        else
            timer_set(next, s->created + OFFER_MS, TIMER_EXPIRE);
        return TAKEN;
    }
    bool older = s->created < found->created || (s->created == found->created && s->no < found->no);
    struct session *next = step_change(st, older ? s : found);
    struct session *gone = step_change(st, older ? found : s);
    int venue = session_venue_of(next, gone->venue[0].chat);
    agree(next, gone);
    if (venue < 0) {
        venue = ++next->n_more;
        next->venue[venue] = gone->venue[0];
    }
    next->player[1] = gone->player[0];
    next->player[1].venue = (uint8_t)venue;
    timer_close(gone, END_CANCELLED);
    return begin_match(st, next, venue);
}

bool seek_expired(struct step *st, const struct session *s)
{
    if (s->strangers)
        announce(st, s, 0, T_SEEK_EXPIRED, arg_seat(s, 0), arg_command(VERB_SEEK));
    return s->strangers;
}

/* ---- people who want to read of it ---- */

/* A quiet message about an open challenge to each of them. */
void seek_tell(struct step *st)
{
    const struct seek_facts *f = st->w->seek;
    const struct session *s = st->open;
    if (!s || !f)
        return;
    struct seek_effects *fx = arena_new(st->fx->arena, struct seek_effects);
    st->fx->seek = fx;
    struct arg rules = s->any_rules ? arg_key(T_ANY_RULES) : arg_str(str_of(s->rules.name));
    struct arg name = arg_str(str_of(s->player[0].name)), chat = arg_str(st->e->chat_name);
    for (int i = 0; i < f->n_watchers; i++) {
        const struct watcher *watcher = &f->watcher[i];
        if (absence_ring_at(&watcher->prefs.absence, st->e->now) > st->e->now)
            continue;
        struct notice *notice = watcher->here && chat.s.n > 0
                                    ? notice_line(st, TO_HANDLE, T_NOTIFY_HERE, name, chat, rules)
                                    : notice_line(st, TO_HANDLE, T_NOTIFY_ANY, name, rules);
        struct str language = str_of(watcher->prefs.language);
        notice->handle = watcher->handle;
        notice->language = language.n > 0 ? language : st->w->bot->default_language;
        notice->table = step_table(st, s, SEAT_PUBLIC);
        if (s->strangers)
            notice->verbs = BUTTON_OF(VERB_SEEK);
        fx->notified[fx->n_notified++] = watcher->person;
    }
}

/* /notify: in this chat or, in private, anywhere. */
enum verdict seek_notify(struct step *st)
{
    enum keyword word = step_keyword(st, st->e->words);
    bool direct = st->e->direct;
    if (word == KEYWORD_OFF) {
        st->fx->seek = STEP_NEW(st, struct seek_effects, .watch = WATCH_OFF);
        return answer(st, T_NOTIFY_OFF);
    }
    if (word != KEYWORD_ON && !st->w->seek->watches)
        return answer(st, direct ? T_NOTIFY_HOW_ANY : T_NOTIFY_HOW, arg_command(VERB_NOTIFY));
    if (!direct && !st->w->me.reachable)
        return refuse(st, T_NOTIFY_CLOSED, arg_command(VERB_START));
    st->fx->seek = STEP_NEW(st, struct seek_effects, .watch = WATCH_ON);
    return answer(st, direct ? T_NOTIFY_ON_ANY : T_NOTIFY_ON, arg_command(VERB_NOTIFY));
}
