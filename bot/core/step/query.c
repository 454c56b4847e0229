/* Questions about matches, rules and the bot. They change nothing in a match: anybody may ask at
 * any time. */
#include "lobby.h"
#include "utf8.h"

#define RETRY_MS (10 * MINUTE_MS) /* a channel that failed is tried again on demand */

/* ---- hands ---- */

enum verdict query_hand(struct step *st, const struct session *s)
{
    const struct event *e = st->e;
    const uint32_t in_group = CAN_WHISPER | CAN_EDIT | CAN_ERASE;
    int seat = step_seat(st, s);
    if (seat < 0)
        return notice_not_theirs(st, s);
    if (s->phase == SESSION_OFFERED)
        return refuse(st, T_NOT_BEGUN);
    if (s->phase == SESSION_OVER)
        return refuse(st, T_MATCH_OVER, arg_command(VERB_CHALLENGE));
    if (s->match.stage != MATCH_PLAYING)
        return refuse(st, T_BETWEEN_ROUNDS, arg_command(VERB_READY));
    const struct player *p = &s->player[seat];
    const struct venue *v = &s->venue[p->venue];
    enum channel best = st->w->chat.can & CAN_WHISPER ? CHANNEL_WHISPER
                        : st->w->can & CAN_DIRECT     ? CHANNEL_DIRECT
                                                      : CHANNEL_POPUP;
    bool press = e->press.n > 0, moved = p->account != e->account;
    bool opened = e->direct && !v->direct && p->channel != best && (st->w->can & CAN_DIRECT);
    /* where there is no popup the private chat is the only way: then words ask for it, too */
    bool retries = press ? e->now >= p->channel_failed_at + RETRY_MS
                         : best == CHANNEL_DIRECT && !(st->w->chat.can & CAN_POPUP);
    bool again = !(v->one_post && !st->w->me.reachable) && !e->direct && !v->direct &&
                 p->channel > best && retries;
    /* a press for a hand that is hidden in the group: it is edited there while it stands, unless
     * messages have come since, so that it may be out of sight */
    bool words = e->pressed && e->index == INDEX_WORDS;
    bool looks = e->pressed && press && !words && !e->direct && !v->direct && !moved &&
                 p->channel == CHANNEL_WHISPER && (st->w->chat.can & in_group) == in_group;
    /* their private chat has another topic, or is another chat, now: the match goes on there */
    bool follows = v->direct && e->direct && v->account == e->account && v->chat != st->w->chat.id;
    bool above = p->hand_at > 0 && st->w->chat.said_at > p->hand_at;
    bool gone = looks && (p->asked_version == s->version + 1 || above);
    bool anew = opened || again || follows || moved || gone ||
                !e->pressed; /* asked for by words: shown anew, below them */
    bool stood = timer_stands(s) && session_turn(s) == seat; /* until they were heard of */
    if (anew && !gone && p->hand_message > 0)
        step_posts_close_hand(st, s, seat); /* the one above them is no longer theirs to tap */
    if (anew || looks || stood) {
        struct session *next = step_change(st, s);
        struct player *change = &next->player[seat];
        change->hand_message += anew;
        if (anew || p->hand_at == 0)
            change->hand_at = e->now;
        if (looks)
            change->asked_version = s->version + 1;
        if (opened) /* the private chat is open again */
            change->channel = CHANNEL_DIRECT;
        if (again)
            change->channel = (uint8_t)best;
        if (follows) {
            struct venue *venue = &next->venue[p->venue];
            venue->chat = st->w->chat.id;
            NAME_PUT(venue->chat_key, e->chat);
        }
        if (stood) {
            next->moved = e->now;
            timer_turn(st, next);
        }
        s = next;
    }
    struct notice *notice = notice_show(st, NOTICE_HAND, TO_SEAT, s, seat);
    notice->fresh = true;
    notice->n = words ? HAND_WORDS : gone ? HAND_AGAIN : HAND_ASKED;
    return TAKEN;
}

/* "/start h_12" comes from a link under a board and shows that hand. "/start" shows all hands whose
 * owners were asked to open a private chat, or greets. */
enum verdict query_start(struct step *st, const struct session *s)
{
    int n = 0;
    if (s && step_seat(st, s) >= 0 && s->phase == SESSION_PLAYING &&
        s->match.stage == MATCH_PLAYING)
        return query_hand(st, s);
    for (int i = 0; st->e->direct && i < st->w->mine.n; i++) {
        s = st->w->mine.at[i];
        int seat = step_seat(st, s);
        const struct player *p = seat >= 0 ? &s->player[seat] : NULL;
        if (!p || s->phase != SESSION_PLAYING || s->match.stage != MATCH_PLAYING ||
            p->account != st->e->account || p->channel < CHANNEL_POPUP || s->venue[p->venue].direct)
            continue;
        query_hand(st, s);
        n++;
    }
    if (n == 0)
        notice_hello(st);
    return TAKEN;
}

/* ---- matches ---- */

void query_ticket(struct step *st)
{
    char hex[SEED_HEX_SIZE];
    struct seed *ticket = arena_new(st->fx->arena, struct seed);
    struct str pages = st->w->bot->pages;
    if (!st->e->direct || pages.n == 0 || (st->w->can & CAN_SCENE) || st->w->me.handle == 0)
        return;
    memcpy(ticket->at, st->e->chance + CHANCE_LOTS, sizeof ticket->at);
    chance_hex(ticket, hex);
    st->fx->ticket = ticket;
    notice_line(st, TO_ASKER, T_PAGE_OPEN,
                arg_str(arena_print(st->fx->arena, "%.*s/table#%s", STR_ARG(pages), hex)));
}

/* "/table watch": others may watch by a link, once all people at the table let them; in a group its
 * admins must, too. A chat of the pages themselves has no admins. */
static enum verdict set_watched(struct step *st, const struct session *s, bool on)
{
    bool allowed = st->e->direct || (st->w->can & CAN_SCENE) || st->w->chat.settings.watch;
    int seat = step_seat(st, s);
    if (seat < 0 || s->phase != SESSION_PLAYING)
        return refuse(st, T_PAGE_WATCH_PLAYERS);
    if (on && (!allowed || st->w->bot->pages.n == 0))
        return refuse(st, T_PAGE_WATCH_NOT, arg_command(VERB_SETTINGS));
    struct session *next = step_change(st, s);
    next->player[seat].watched = on;
    notice_show(st, NOTICE_WATCH, TO_TABLE, next, SEAT_PUBLIC);
    return TAKEN;
}

enum verdict query_table(struct step *st, const struct session *s)
{
    struct str words = text_fold(st->fx->arena, str_trim(st->e->words));
    if (s->phase == SESSION_OFFERED)
        return refuse(st, T_NOT_BEGUN);
    if (words.n > 0 && !st->e->pressed &&
        (str_is(words, STR("watch")) ||
         keyword_is(st->w->bot->languages, text_fold(st->fx->arena, words), KEYWORD_REPLAY)))
        return set_watched(st, s, true);
    if (words.n > 0 && !st->e->pressed && step_keyword(st, words) == KEYWORD_OFF)
        return set_watched(st, s, false);
    int venue = session_venue_of(s, st->w->chat.id);
    int seat = venue >= 0 && s->venue[venue].direct ? step_seat(st, s) : -1;
    if (seat < 0 && !session_dealt(s))
        return s->phase == SESSION_PLAYING ? refuse(st, T_BETWEEN_ROUNDS, arg_command(VERB_READY))
                                           : refuse(st, T_MATCH_OVER, arg_command(VERB_CHALLENGE));
    /* a chat has one board: where it can, it moves down */
    const uint32_t moves = CAN_EDIT | CAN_ERASE;
    bool own = venue >= 0 && s->phase == SESSION_PLAYING && !s->venue[venue].one_post &&
               (st->w->chat.can & moves) == moves;
    struct notice *notice =
        seat >= 0 ? notice_show(st, NOTICE_HAND, TO_SEAT, s, seat)
                  : notice_show(st, NOTICE_BOARD, own ? TO_TABLE : TO_HERE, s, SEAT_PUBLIC);
    notice->only = (int8_t)(seat < 0 && own ? venue : -1);
    notice->fresh = true;
    query_ticket(st);
    return TAKEN;
}

enum verdict query_yaku(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_PLAYING)
        return refuse(st, T_NOT_BEGUN);
    notice_show(st, NOTICE_YAKU, TO_ASKER, s, step_seat(st, s));
    return TAKEN;
}

enum verdict query_games(struct step *st)
{
    struct tables games = step_list(st, -1, true);
    if (games.n == 0)
        return refuse(st, T_NO_MATCH, arg_command(VERB_CHALLENGE));
    struct notice *notice = effect_notice(st->fx, NOTICE_GAMES, TO_ASKER);
    notice->key = T_GAMES_HEAD;
    notice->games = games;
    return TAKEN;
}

enum verdict query_score(struct step *st, const struct session *s)
{
    if (s->match.players == 0)
        return s->phase == SESSION_OVER ? refuse(st, T_NO_ENDED, arg_command(VERB_CHALLENGE))
                                        : refuse(st, T_NOT_BEGUN);
    notice_show(st, NOTICE_SCORE, TO_ASKER, s, SEAT_PUBLIC)->rounds = st->w->rounds;
    return TAKEN;
}

enum verdict query_verify(struct step *st, const struct session *s)
{
    notice_show(st, NOTICE_VERIFY, TO_ASKER, s, SEAT_PUBLIC);
    return TAKEN;
}

enum verdict query_export(struct step *st, const struct session *s)
{
    if (s->phase != SESSION_OVER)
        return refuse(st, T_EXPORT_RUNNING);
    if (s->end != END_PLAYED || st->w->record.n == 0)
        return refuse(st, T_NO_ENDED, arg_command(VERB_CHALLENGE));
    notice_show(st, NOTICE_EXPORT, TO_ASKER, s, SEAT_PUBLIC)->text = st->w->record;
    return TAKEN;
}

/* A finished match step by step, in one message that its buttons edit. All cards are open, for the
 * seeds of its deals are published. The table is the session as it stood at the position, seen from
 * the chat of the event. */
enum verdict query_replay(struct step *st, const struct session *s)
{
    const struct event *e = st->e;
    if (s->phase != SESSION_OVER)
        return refuse(st, T_EXPORT_RUNNING);
    if (s->end != END_PLAYED || !st->w->position)
        return refuse(st, T_REPLAY_NONE, arg_command(VERB_HISTORY));
    struct session *then = step_snapshot(st, s);
    effect_rewind(then, &st->w->position->match);
    struct table *t = step_table(st, then, SEAT_PUBLIC);
    t->at.direct = e->direct;
    t->at.utc_offset = st->w->chat.utc_offset;
    t->at.language = str_of(e->direct ? st->w->me.prefs.language : st->w->chat.settings.language);
    struct notice *notice = effect_notice(st->fx, NOTICE_REPLAY, TO_HERE);
    notice->post = e->pressed && e->version > 0 ? e->version : step_post(st);
    t->version = (uint32_t)notice->post;
    notice->table = t;
    notice->position = st->w->position;
    return TAKEN;
}

/* ---- rules ---- */

/* A page and a preset are asked for by a button, or by words: "okoshki 2". Without a page a preset
 * shows its own rules, all else how a turn goes. */
enum verdict query_rules(struct step *st, const struct session *s)
{
    const struct bot *bot = st->w->bot;
    const struct rules *preset = NULL, *shown = NULL;
    struct str presets = {0}, unknown = {0}, rest = text_fold(st->fx->arena, st->e->words);
    int64_t page = 0, index = st->e->pressed ? st->e->index : 0;
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest))
        if (!str_int(word, &page) && !(preset = step_preset(st->w, word)))
            unknown = word;
    if (index > 0) {
        page = index % N_RULES_PAGES;
        if (index / N_RULES_PAGES > 0 && index / N_RULES_PAGES <= bot->n_presets)
            preset = &bot->presets[index / N_RULES_PAGES - 1];
    }
    if (page < RULES_TURN || page >= N_RULES_PAGES)
        page = preset ? RULES_TABLE : RULES_TURN;
    for (int i = 0; i < bot->n_presets; i++)
        presets = value_list(st, presets, str_of(bot->presets[i].name));
    if (unknown.n > 0)
        return refuse(st, T_NO_PRESET, arg_typed(st, unknown), arg_str(presets));
    if (preset)
        shown = preset;
    else if (s)
        shown = &step_snapshot(st, s)->rules;
    else if (st->e->no > 0 && st->fits.n <= 1)
        return step_no_match(st);
    else if (st->fits.n > 1 && page != RULES_TURN)
        return step_which_match(st);
    else
        shown = step_usual_rules(st->w);
    if (page == RULES_SETS)
        effect_notice(st->fx, NOTICE_SETS, TO_ASKER)->rules = shown;
    struct notice *notice = effect_notice(st->fx, NOTICE_RULES, TO_ASKER);
    notice->n = page;
    notice->rules = shown;
    notice->versus = step_preset(st->w, str_of(shown->name));
    notice->text = presets;
    if (s && !preset)
        notice->table = step_table(st, s, SEAT_PUBLIC);
    return TAKEN;
}

/* The cards of the rules that the chat plays, or of those that are named: pages of one message. */
enum verdict query_cards(struct step *st)
{
    const struct event *e = st->e;
    const struct bot *bot = st->w->bot;
    const struct rules *chosen = step_preset(st->w, str_of(st->w->chat.settings.rules));
    struct str rest = text_fold(st->fx->arena, e->words);
    int64_t page = 0, index = e->pressed && e->index > 0 ? e->index : 0;
    int preset = (int)(index / N_CARDS_PAGES);
    for (struct str word = str_word(&rest); word.n > 0; word = str_word(&rest))
        for (int i = 0; !str_int(word, &page) && i < bot->n_presets; i++)
            preset = str_is(word, str_of(bot->presets[i].name)) ? i + 1 : preset;
    if (preset > 0 && preset <= bot->n_presets)
        chosen = &bot->presets[preset - 1];
    struct notice *notice = effect_notice(st->fx, NOTICE_CARDS, TO_HERE);
    notice->rules = chosen ? chosen : step_usual_rules(st->w);
    index = e->pressed ? index % N_CARDS_PAGES : page - 1;
    notice->n = (index > 0 && index < N_CARDS_PAGES ? index : 0) + (int64_t)preset * N_CARDS_PAGES;
    notice->post = e->pressed && e->no > 0 ? e->no : step_post(st);
    return TAKEN;
}

/* ---- the bot ---- */

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
                arg_str(text_clean(st->fx->arena, words, 2 * ECHO_CHARS)));
    return TAKEN;
}

enum verdict query_help(struct step *st)
{
    const struct languages *all = st->w->bot->languages;
    const struct texts *t[3] = {texts_for(all, str_of(st->w->me.prefs.language)), all->at[0],
                                texts_for(all, STR("en"))};
    struct str word = text_fold(st->fx->arena, st->e->words);
    if (word.n > 0 && (word.p[0] == '/' || word.p[0] == '!'))
        word = str_skip(word, 1);
    bool whole = st->e->index == HELP_ALL || step_keyword(st, word) == KEYWORD_ALL;
    enum verb verb = word.n > 0 ? command_find(t, 3, st->e->operates, word) : VERB_NONE;
    if (word.n > 0 && verb == VERB_NONE && !whole)
        return refuse(st, T_UNKNOWN, arg_typed(st, word), arg_command(VERB_HELP));
    effect_notice(st->fx, NOTICE_HELP, TO_ASKER)->n = whole ? HELP_ALL : (int)verb;
    return TAKEN;
}
