/* Questions about matches, rules and the bot. They change nothing in a match: anybody may ask at
 * any time. */
#include "keyword.h"
#include "turn.h"
#include "utf8.h"

#define RETRY_MS (10 * MINUTE_MS) /* a channel that failed is tried again on demand */

/* A press for a hand that is hidden in the group: it is edited there while it stands. */
static bool looks_in_group(const struct step *st, const struct session *s, const struct player *p)
{
    const uint32_t can = CAN_WHISPER | CAN_EDIT | CAN_ERASE;
    return st->e->pressed && st->e->press.n > 0 && !st->e->direct && !s->venue[p->venue].direct &&
           p->account == st->e->account && p->channel == CHANNEL_WHISPER &&
           (st->w->chat.can & can) == can;
}

/* True if messages have come into the chat since the hand was sent there: it may be out of
 * sight. */
static bool stands_above(const struct step *st, const struct player *p)
{
    return p->hand_at > 0 && st->w->chat.said_at > p->hand_at;
}

enum verdict query_hand(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me.person);
    if (seat < 0)
        return notice_refuse(st, T_NOT_YOUR_MATCH,
                             ARGS(arg_seat(s, 0), arg_seat(s, 1), arg_command(VERB_CHALLENGE)));
    if (s->phase == SESSION_OFFERED)
        return notice_refuse(st, T_NOT_BEGUN, NO_ARGS);
    if (s->phase == SESSION_OVER)
        return notice_refuse(st, T_MATCH_OVER, ARGS(arg_command(VERB_CHALLENGE)));
    if (s->match.stage != MATCH_PLAYING)
        return notice_refuse(st, T_BETWEEN_ROUNDS, ARGS(arg_command(VERB_READY)));
    const struct session *shown = s;
    enum channel best = st->w->chat.can & CAN_WHISPER ? CHANNEL_WHISPER
                        : st->w->can & CAN_DIRECT     ? CHANNEL_DIRECT
                                                      : CHANNEL_POPUP;
    const struct player *p = &s->player[seat];
    bool is_private = s->venue[p->venue].direct, moved = p->account != st->e->account;
    bool one_post = s->venue[p->venue].one_post;
    bool opened = st->e->direct && !is_private && p->channel != best && (st->w->can & CAN_DIRECT);
    bool again = !(one_post && !st->w->me.reachable) && !st->e->direct && !is_private &&
                 p->channel > best && st->e->press.n > 0 &&
                 st->e->now >= p->channel_failed_at + RETRY_MS;
    bool looks = looks_in_group(st, s, p);
    bool gone = looks && (p->asked_version == s->version + 1 || stands_above(st, p));
    bool anew = opened || again || moved || gone ||
                !st->e->pressed; /* asked for by words: shown anew, below them */
    if (anew || looks) {
        struct session *next = step_change(st, s);
        next->player[seat].hand_message += anew;
        if (anew || p->hand_at == 0)
            next->player[seat].hand_at = st->e->now;
        if (looks)
            next->player[seat].asked_version = s->version + 1;
        if (opened) /* the private chat is open again */
            next->player[seat].channel = CHANNEL_DIRECT;
        if (again)
            next->player[seat].channel = (uint8_t)best;
        shown = next;
    }
    struct notice *notice = effect_notice(st->fx, NOTICE_HAND, TO_SEAT);
    notice->seat = (int8_t)seat;
    notice->fresh = true;
    notice->n = gone ? HAND_AGAIN : HAND_ASKED;
    notice->table = step_table(st, shown, seat);
    return TAKEN;
}

enum verdict query_table(struct step *st, const struct session *s)
{
    if (s->phase == SESSION_OFFERED)
        return notice_refuse(st, T_NOT_BEGUN, NO_ARGS);
    int venue = session_venue_of(s, st->w->chat.id);
    bool is_private = venue >= 0 && s->venue[venue].direct;
    int seat = is_private ? session_seat(s, st->w->me.person) : -1;
    struct notice *notice = effect_notice(st->fx, seat >= 0 ? NOTICE_HAND : NOTICE_BOARD,
                                          seat >= 0 ? TO_SEAT : TO_HERE);
    notice->seat = (int8_t)seat;
    notice->fresh = true;
    notice->table = step_table(st, s, seat);
    return TAKEN;
}

enum verdict query_yaku(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me.person);
    if (s->phase != SESSION_PLAYING)
        return notice_refuse(st, T_NOT_BEGUN, NO_ARGS);
    struct notice *notice = effect_notice(st->fx, NOTICE_YAKU, TO_ASKER);
    notice->seat = (int8_t)seat;
    notice->table = step_table(st, s, seat);
    return TAKEN;
}

static struct str preset_list(struct step *st)
{
    enum { LIST_SIZE = 512 };
    struct buf b = {arena_alloc(st->fx->arena, LIST_SIZE), 0, LIST_SIZE, false};
    for (int i = 0; i < st->w->bot->n_presets; i++) {
        if (i > 0)
            buf_put(&b, STR(", "));
        buf_put(&b, str_of(st->w->bot->presets[i].name));
    }
    return buf_str(&b);
}

/* What was asked for: a page and a preset by a button, or "okoshki 2". Without a page a preset
 * shows its own rules, all else how a turn goes. */
struct rules_asked {
    int64_t page;
    const struct rules *preset;
    struct str unknown;
};

static struct rules_asked rules_asked(struct step *st)
{
    struct rules_asked ret = {0};
    int64_t index = st->e->index;
    struct str rest = text_fold(st->fx->arena, st->e->words);
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest))
        if (!str_int(word, &ret.page) && !(ret.preset = step_preset(st->w, word)))
            ret.unknown = word;
    if (st->e->pressed && index > 0) {
        ret.page = index % N_RULES_PAGES;
        if (index / N_RULES_PAGES > 0 && index / N_RULES_PAGES <= st->w->bot->n_presets)
            ret.preset = &st->w->bot->presets[index / N_RULES_PAGES - 1];
    }
    if (ret.page < RULES_TURN || ret.page >= N_RULES_PAGES)
        ret.page = ret.preset ? RULES_TABLE : RULES_TURN;
    return ret;
}

enum verdict query_rules(struct step *st, const struct session *s)
{
    struct rules_asked asked = rules_asked(st);
    const struct rules *shown = asked.preset;
    if (asked.unknown.n > 0)
        return notice_refuse(st, T_NO_PRESET,
                             ARGS(arg_str(text_clean(st->fx->arena, asked.unknown, NAME_COLUMNS)),
                                  arg_str(preset_list(st))));
    if (!shown && s) {
        struct session *copy = arena_new(st->fx->arena, struct session);
        *copy = *s;
        shown = &copy->rules;
    } else if (!shown && st->e->no > 0 && !st->many) {
        return step_no_match(st);
    } else if (!shown && st->many && asked.page != RULES_TURN) {
        return step_which_match(st);
    } else if (!shown) {
        shown = step_usual_rules(st->w);
    }
    if (asked.page == RULES_SETS)
        effect_notice(st->fx, NOTICE_SETS, TO_ASKER)->rules = shown;
    struct notice *notice = effect_notice(st->fx, NOTICE_RULES, TO_ASKER);
    notice->n = asked.page;
    notice->rules = shown;
    notice->versus = step_preset(st->w, str_of(shown->name));
    notice->text = preset_list(st);
    if (s && !asked.preset)
        notice->table = step_table(st, s, SEAT_PUBLIC);
    return TAKEN;
}

enum verdict query_games(struct step *st)
{
    const struct table **games =
        arena_array(st->fx->arena, const struct table *, 2 * MAX_CANDIDATES);
    int n = step_list(st, st->w->here.at, st->w->here.n, games, 0);
    n = step_list(st, st->w->mine.at, st->w->mine.n, games, n);
    if (n == 0)
        return notice_refuse(st, T_NO_MATCH, ARGS(arg_command(VERB_CHALLENGE)));
    struct notice *notice = effect_notice(st->fx, NOTICE_GAMES, TO_ASKER);
    notice->key = T_GAMES_HEAD;
    notice->games.at = games;
    notice->games.n = n;
    return TAKEN;
}

enum verdict query_score(struct step *st, const struct session *s)
{
    if (s->match.players == 0)
        return s->phase == SESSION_OVER
                   ? notice_refuse(st, T_NO_ENDED, ARGS(arg_command(VERB_CHALLENGE)))
                   : notice_refuse(st, T_NOT_BEGUN, NO_ARGS);
    struct notice *notice = effect_notice(st->fx, NOTICE_SCORE, TO_ASKER);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    notice->rounds = st->w->rounds;
    return TAKEN;
}

enum verdict query_verify(struct step *st, const struct session *s)
{
    effect_notice(st->fx, NOTICE_VERIFY, TO_ASKER)->table = step_table(st, s, SEAT_PUBLIC);
    return TAKEN;
}

enum verdict query_export(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OVER)
        return notice_refuse(st, T_EXPORT_RUNNING, NO_ARGS);
    if (s->end != END_PLAYED || st->w->record.n == 0)
        return notice_refuse(st, T_NO_ENDED, ARGS(arg_command(VERB_CHALLENGE)));
    struct notice *notice = effect_notice(st->fx, NOTICE_EXPORT, TO_ASKER);
    notice->table = step_table(st, s, SEAT_PUBLIC);
    notice->text = st->w->record;
    return TAKEN;
}

/* ---- /start ---- */

/* The hand could not be delivered: its owner was asked to open a private chat. */
static bool waits_for_chat(const struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me.person);
    return seat >= 0 && s->phase == SESSION_PLAYING && s->match.stage == MATCH_PLAYING &&
           s->player[seat].account == st->e->account && s->player[seat].channel >= CHANNEL_POPUP &&
           !s->venue[s->player[seat].venue].direct;
}

/* "/start h_12" comes from a link under a board and shows that hand. "/start" shows all hands that
 * wait for the private chat, or greets. */
enum verdict query_start(struct step *st, const struct session *s)
{
    int n = 0;
    if (s && session_seat(s, st->w->me.person) >= 0 && s->phase == SESSION_PLAYING &&
        s->match.stage == MATCH_PLAYING)
        return query_hand(st, s);
    for (int i = 0; st->e->direct && i < st->w->mine.n; i++)
        if (waits_for_chat(st, st->w->mine.at[i])) {
            query_hand(st, st->w->mine.at[i]);
            n++;
        }
    if (n == 0)
        notice_hello(st);
    return TAKEN;
}

/* ---- questions about the bot ---- */

enum verdict query_opponents(struct step *st)
{
    effect_notice(st->fx, NOTICE_OPPONENTS, TO_ASKER);
    return TAKEN;
}

enum verdict query_ping(struct step *st)
{
    enum { ECHO_CHARS = 64 };
    struct str words = st->e->words;
    bool echo = words.n > 0 && text_is_plain(words); /* no link, mention or markup */
    words = utf8_cut(words, ECHO_CHARS, false);
    notice_line(st, TO_HERE, echo ? T_PONG : T_PONG_ONLY,
                ARGS(arg_str(text_clean(st->fx->arena, words, 2 * ECHO_CHARS))));
    return TAKEN;
}

enum verdict query_help(struct step *st)
{
    const struct texts *t[3] = {texts_for(st->w->bot->languages, str_of(st->w->me.prefs.language)),
                                st->w->bot->languages->at[0],
                                texts_for(st->w->bot->languages, STR("en"))};
    struct str word = text_fold(st->fx->arena, st->e->words);
    if (word.n > 0 && (word.p[0] == '/' || word.p[0] == '!'))
        word = str_skip(word, 1);
    if (st->e->index == HELP_ALL ||
        keyword_find(st->w->bot->languages, st->fx->arena, word) == KEYWORD_ALL) {
        effect_notice(st->fx, NOTICE_HELP, TO_ASKER)->n = HELP_ALL;
        return TAKEN;
    }
    enum verb verb = word.n > 0 ? command_find(t, 3, st->e->operates, word) : VERB_NONE;
    if (word.n > 0 && verb == VERB_NONE)
        return notice_refuse(
            st, T_UNKNOWN,
            ARGS(arg_str(text_clean(st->fx->arena, word, NAME_COLUMNS)), arg_command(VERB_HELP)));
    effect_notice(st->fx, NOTICE_HELP, TO_ASKER)->n = verb;
    return TAKEN;
}

/* ---- /replay: a finished match step by step, in one message that its buttons edit. All cards are
 * open, for the seeds of its deals are published ---- */

enum { POSTS = 1000000 };

/* The session as it stood at the position, seen from the chat of the event. */
static struct table *table_then(struct step *st, const struct session *s)
{
    struct session *then = arena_new(st->fx->arena, struct session);
    *then = *s;
    then->match = st->w->position->match;
    then->phase = then->match.stage == MATCH_OVER ? SESSION_OVER : SESSION_PLAYING;
    then->time.move_ms = then->time.total_ms = 0;
    then->move.overdue = false;
    then->ask.what = ASK_NONE;
    struct table *t = step_table(st, then, SEAT_PUBLIC);
    t->at.direct = st->e->direct;
    t->at.utc_offset = st->w->chat.utc_offset;
    t->at.language =
        str_of(st->e->direct ? st->w->me.prefs.language : st->w->chat.settings.language);
    return t;
}

enum verdict people_replay(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OVER || s->end != END_PLAYED || !st->w->position)
        return notice_refuse(st, T_REPLAY_NONE, ARGS(arg_command(VERB_HISTORY)));
    bool leafs = st->e->pressed && st->e->version > 0;
    struct notice *notice = effect_notice(st->fx, NOTICE_REPLAY, TO_HERE);
    struct table *t = table_then(st, s);
    notice->post = leafs ? st->e->version : 1 + st->e->now / 1000 % POSTS;
    t->version = (uint32_t)notice->post;
    notice->table = t;
    notice->position = st->w->position;
    return TAKEN;
}
