/* Searches for an opponent: /seek opens a challenge that people of other chats may meet. When two
 * of them suit each other, the older one becomes a match across both chats, without another
 * question.
 *
 * The nearest rating over all chats comes first. How far apart two may be grows while the one that
 * has waited longer waits. A message to one chat shows nothing of the other but the player's
 * name. */
#include "seek.h"

#include "options.h"
#include "keyword.h"
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

static bool rules_agree(const struct session *a, const struct session *b)
{
    return a->search.any_rules || b->search.any_rules ||
           (strcmp(a->rules.name, b->rules.name) == 0 && a->rules.rounds == b->rules.rounds);
}

static bool clocks_agree(const struct session *a, const struct session *b)
{
    return a->search.any_clock || b->search.any_clock ||
           (a->time.move_ms == b->time.move_ms && a->time.total_ms == b->time.total_ms &&
            a->time.gain_ms == b->time.gain_ms);
}

static bool suit(const struct session *a, const struct session *b, int64_t now)
{
    int64_t apart = (int64_t)a->search.points - b->search.points;
    int64_t range_a = range(a, now), range_b = range(b, now);
    return b->phase == SESSION_OFFERED && b->search.on && b->n_more == 0 &&
           a->player[0].person != b->player[0].person &&
           !absence_on_vacation(&a->player[0].absence, now) &&
           !absence_on_vacation(&b->player[0].absence, now) && rules_agree(a, b) &&
           clocks_agree(a, b) &&
           (apart < 0 ? -apart : apart) <= (range_a > range_b ? range_a : range_b);
}

/* The nearest search that suits; those of the world are in that order. */
static const struct session *find_opponent(struct step *st, const struct session *s)
{
    for (int i = 0; i < st->w->seek->n; i++)
        if (st->w->seek->at[i]->no != s->no && suit(s, st->w->seek->at[i], st->e->now))
            return st->w->seek->at[i];
    return NULL;
}

/* What the first leaves open is as the second wants it. */
static void agree(struct session *s, const struct session *other)
{
    if (s->search.any_rules && !other->search.any_rules)
        s->rules = other->rules;
    if (s->search.any_clock && !other->search.any_clock) {
        s->time.move_ms = other->time.move_ms;
        s->time.total_ms = other->time.total_ms;
        s->time.gain_ms = other->time.gain_ms;
    }
}

/* ---- they meet ---- */

static void begin_match(struct step *st, struct session *s, int venue)
{
    if (venue > 0) { /* its terms and seals, which that chat has not seen */
        lobby_offer(st, s, venue);
        st->fx->notice[st->fx->n_notices - 1]->notify = false;
    }
    notice_announce(st, s, T_SEEK_MET, ARGS(arg_seat(s, 0), arg_seat(s, 1)), 0);
    play_start(st, s);
}

/* The sender meets a search that waits. `wants`: their own terms; NULL for none. */
static enum verdict meet(struct step *st, const struct session *s, const struct session *wants)
{
    struct session *next = step_change(st, s);
    int venue = session_venue_of(next, st->w->chat.id);
    if (wants)
        agree(next, wants);
    if (venue < 0) {
        lobby_venue(st, &next->venue[++next->n_more]);
        venue = next->n_more;
    }
    lobby_take_seat(st, &next->player[1], venue);
    begin_match(st, next, venue);
    return TAKEN;
}

/* Two that wait meet: the older one goes on with both. */
static void join(struct step *st, const struct session *a, const struct session *b)
{
    bool first = a->created < b->created || (a->created == b->created && a->no < b->no);
    struct session *next = step_change(st, first ? a : b), *gone = step_change(st, first ? b : a);
    int venue = session_venue_of(next, gone->venue[0].chat);
    agree(next, gone);
    if (venue < 0) {
        next->venue[++next->n_more] = gone->venue[0];
        venue = next->n_more;
    }
    next->player[1] = gone->player[0];
    next->player[1].venue = (uint8_t)venue;
    timer_close(gone, END_CANCELLED);
    begin_match(st, next, venue);
}

/* ---- people who want to read of it ---- */

static void tell(struct step *st, const struct session *s, const struct watcher *watcher)
{
    struct str chat = watcher->here ? st->e->chat_name : (struct str){0};
    struct arg rules = s->search.any_rules ? arg_key(T_ANY_RULES) : arg_str(str_of(s->rules.name));
    struct arg name = arg_str(str_of(s->player[0].name));
    struct notice *notice =
        chat.n > 0 ? notice_line(st, TO_HANDLE, T_NOTIFY_HERE, ARGS(name, arg_str(chat), rules))
                   : notice_line(st, TO_HANDLE, T_NOTIFY_ANY, ARGS(name, rules));
    struct str language = str_of(watcher->prefs.language);
    notice->handle = watcher->handle;
    notice->language = language.n > 0 ? language : st->w->bot->default_language;
    notice->table = step_table(st, s, SEAT_PUBLIC);
    if (s->search.on)
        notice->verbs = BUTTON_OF(VERB_SEEK);
}

/* Tells people who want to read of an open challenge, quietly. */
void seek_tell(struct step *st)
{
    if (!st->open || !st->w->seek)
        return;
    struct seek_effects *fx = arena_new(st->fx->arena, struct seek_effects);
    st->fx->seek = fx;
    for (int i = 0; i < st->w->seek->n_watchers; i++) {
        const struct watcher *watcher = &st->w->seek->watcher[i];
        if (absence_ring_at(&watcher->prefs.absence, st->e->now) > st->e->now)
            continue;
        tell(st, st->open, watcher);
        fx->told[fx->n_told++] = watcher->person;
    }
}

/* ---- /seek ---- */

/* Which terms the words name: a clock, and anything else. Refuses what two strangers cannot agree
 * on. */
static bool terms_named(struct step *st, struct search *ret)
{
    struct str folded = text_fold(st->fx->arena, st->e->words);
    *ret = (struct search){.on = true, .any_rules = true, .any_clock = true};
    for (struct str rest = folded, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct time_control clock;
        struct str value, name = str_cut(word, '=', &value);
        bool pair = name.n < word.n;
        if (pair && !str_is(name, STR("clock")) && !str_is(name, STR("rules")) &&
            !str_is(name, STR("rounds")))
            return value_refuse(st, T_SEEK_WORD, word);
        if (pair ? str_is(name, STR("clock")) : value_clock(st, word, &clock))
            ret->any_clock = false;
        else
            ret->any_rules = false;
    }
    return true;
}

static bool read_terms(struct step *st, struct session *s)
{
    struct challenge_options options;
    if (!terms_named(st, &s->search) || !challenge_options_read(st, st->e->words, &options))
        return false;
    if (options.computers + options.open + options.players + st->e->n_mentions > 0 ||
        options.casual)
        return value_refuse(st, T_SEEK_WORD, st->e->words);
    if (!(options.rules.players_allowed >> 2 & 1))
        return value_refuse(st, T_SEEK_WORD, str_of(options.rules.name));
    s->rules = options.rules;
    s->time.move_ms = options.time.move_ms < 0 ? CLOCK_MS : options.time.move_ms;
    s->time.total_ms = options.time.total_ms;
    s->time.gain_ms = options.time.gain_ms;
    return true;
}

static bool may_seek(struct step *st)
{
    if (st->w->me.person == 0) {
        notice_refuse(st, T_ANONYMOUS, NO_ARGS);
        return false;
    }
    if (!st->e->direct && !st->w->chat.settings.seek) {
        notice_refuse(st, T_SEEK_OFF, ARGS(arg_command(VERB_SETTINGS), arg_command(VERB_SEEK)));
        return false;
    }
    for (int i = 0; i < st->w->mine.n; i++)
        if (st->w->mine.at[i]->search.on &&
            session_seat(st->w->mine.at[i], st->w->me.person) >= 0) {
            bool waits = st->w->mine.at[i]->phase == SESSION_OFFERED;
            notice_refuse(st, waits ? T_SEEK_WAITING : T_SEEK_PLAYING,
                          ARGS(arg_int(st->w->mine.at[i]->no),
                               arg_command(waits ? VERB_CANCEL : VERB_GAMES)));
            return false;
        }
    return lobby_room(st);
}

static void sit_down(struct step *st, struct session *s)
{
    s->players = 2;
    s->search.points = st->w->seek->points;
    for (int i = 0; i < MAX_PLAYERS; i++)
        lobby_player(st, &s->player[i]);
    lobby_take_seat(st, &s->player[0], 0);
    lobby_venue(st, &s->venue[0]);
}

static void wait(struct step *st, struct session *s)
{
    lobby_begin(st, s);
    timer_set(s, st->e->now + STEP_MS, TIMER_SEEK);
    s = step_change(st, s);
    lobby_offer(st, s, -1);
    st->fx->notice[st->fx->n_notices - 1]->notify = !st->e->direct;
    st->open = s;
}

/* The button that a watcher got: they take that search as it is. */
static enum verdict take_named(struct step *st)
{
    const struct session *s = st->w->named;
    if (!s || !s->search.on || s->phase != SESSION_OFFERED)
        return notice_refuse(st, T_OFFER_GONE, ARGS(arg_command(VERB_CHALLENGE)));
    return may_seek(st) ? meet(st, s, NULL) : REFUSED;
}

enum verdict seek_command(struct step *st)
{
    if (st->e->pressed && st->e->no > 0)
        return take_named(st);
    struct session *s = arena_new(st->fx->arena, struct session);
    if (!may_seek(st) || !read_terms(st, s))
        return REFUSED;
    s->created = st->e->now;
    sit_down(st, s);
    const struct session *found = find_opponent(st, s);
    if (found)
        return meet(st, found, s);
    wait(st, s);
    return TAKEN;
}

enum verdict seek_again(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OFFERED || s->timer != TIMER_SEEK || s->due > st->e->now)
        return IGNORED;
    const struct session *found = st->w->draining ? NULL : find_opponent(st, s);
    if (found) {
        join(st, s, found);
        return TAKEN;
    }
    struct session *next = step_change(st, s);
    if (st->e->now - s->created < ALL_MS)
        timer_set(next, st->e->now + STEP_MS, TIMER_SEEK);
    else
        timer_set(next, s->created + OFFER_MS, TIMER_EXPIRE);
    return TAKEN;
}

/* ---- /notify: in this chat or, in private, anywhere ---- */

enum verdict seek_notify(struct step *st)
{
    enum keyword word = keyword_find(st->w->bot->languages, st->fx->arena, st->e->words);
    bool direct = st->e->direct;
    if (st->w->me.person == 0)
        return notice_refuse(st, T_ANONYMOUS, NO_ARGS);
    if (word == KEYWORD_OFF) {
        st->fx->seek = STEP_NEW(st, struct seek_effects, .watch = WATCH_OFF);
        return notice_answer(st, T_NOTIFY_OFF, NO_ARGS);
    }
    if (word != KEYWORD_ON && !st->w->seek->watches)
        return notice_answer(st, direct ? T_NOTIFY_HOW_ANY : T_NOTIFY_HOW,
                             ARGS(arg_command(VERB_NOTIFY)));
    if (!direct && !st->w->me.reachable)
        return notice_refuse(st, T_NOTIFY_CLOSED, ARGS(arg_command(VERB_START)));
    st->fx->seek = STEP_NEW(st, struct seek_effects, .watch = WATCH_ON);
    return notice_answer(st, direct ? T_NOTIFY_ON_ANY : T_NOTIFY_ON,
                         ARGS(arg_command(VERB_NOTIFY)));
}
