/* Questions: hand, table, yaku, rules, score, games, the scoreboard, help, verify, export, ping.
 * They change nothing, so that they may be asked by anybody at any time. */
#include "stepping.h"

/* A press for a hand that is hidden in the group, where it is changed as long as it stands. */
static bool looks_in_group(const struct step *st, const struct session *s, const struct player *p)
{
    const uint32_t can = CAN_WHISPER | CAN_EDIT | CAN_ERASE;
    return st->e->pressed && st->e->press.n > 0 && !st->e->direct &&
           !session_venue(s, p->venue)->direct && p->account == st->e->account &&
           p->channel == CHANNEL_WHISPER && (st->w->can_here & can) == can;
}

static enum verdict hand(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    if (seat < 0)
        return refuse(st, T_NOT_YOUR_MATCH,
                      ARGS(a_seat(s, 0), a_seat(s, 1), a_alias(VERB_CHALLENGE)));
    if (s->phase == SESSION_OFFERED)
        return refuse(st, T_NOT_BEGUN, NO_ARGS);
    if (s->phase == SESSION_OVER)
        return refuse(st, T_MATCH_OVER, ARGS(a_alias(VERB_CHALLENGE)));
    if (s->match.stage != MATCH_PLAYING)
        return refuse(st, T_BETWEEN_ROUNDS, ARGS(a_alias(VERB_READY)));
    const struct session *shown = s;
    enum channel best = st->w->can_here & CAN_WHISPER ? CHANNEL_WHISPER
                        : st->w->can & CAN_DIRECT     ? CHANNEL_DIRECT
                                                      : CHANNEL_POPUP;
    const struct player *p = &s->player[seat];
    bool private = session_venue(s, p->venue)->direct, moved = p->account != st->e->account;
    bool one_post = session_venue(s, p->venue)->one_post;
    bool opened = st->e->direct && !private && p->channel != best && (st->w->can & CAN_DIRECT);
    bool again = !(one_post && !st->w->reachable) && !st->e->direct && !private &&
                 p->channel > best && st->e->press.n > 0 && st->e->now >= p->lowered + RETRY_MS;
    bool looks = looks_in_group(st, s, p), gone = looks && p->looked == s->version + 1;
    bool anew = opened || again || moved || gone ||
                !st->e->pressed; /* asked for by words: shown anew, below them */
    if (anew || looks) {
        struct session *next = step_change(st, s);
        next->player[seat].hand_no += anew;
        if (looks)
            next->player[seat].looked = s->version + 1;
        if (opened) /* the private chat is open again */
            next->player[seat].channel = CHANNEL_DIRECT;
        if (again)
            next->player[seat].channel = (uint8_t)best;
        shown = next;
    }
    struct say *say = effect_say(st->fx, SAY_HAND, TO_SEAT);
    say->seat = (int8_t)seat;
    say->fresh = true;
    say->n = gone ? HAND_AGAIN : HAND_ASKED;
    say->table = step_table(st, shown, seat);
    return TAKEN;
}

static enum verdict table(struct step *st, const struct session *s)
{
    if (s->phase == SESSION_OFFERED)
        return refuse(st, T_NOT_BEGUN, NO_ARGS);
    int venue = session_venue_of(s, st->w->chat);
    bool private = venue >= 0 && session_venue(s, venue)->direct;
    int seat = private ? session_seat(s, st->w->me) : -1;
    struct say *say =
        effect_say(st->fx, seat >= 0 ? SAY_HAND : SAY_BOARD, seat >= 0 ? TO_SEAT : TO_HERE);
    say->seat = (int8_t)seat;
    say->fresh = true;
    say->table = step_table(st, s, seat);
    return TAKEN;
}

static enum verdict yaku(struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    if (s->phase != SESSION_PLAYING)
        return refuse(st, T_NOT_BEGUN, NO_ARGS);
    struct say *say = effect_say(st->fx, SAY_YAKU, TO_ASKER);
    say->seat = (int8_t)seat;
    say->table = step_table(st, s, seat);
    return TAKEN;
}

static struct str preset_list(struct step *st)
{
    char *p = arena_alloc(st->fx->arena, 512);
    struct buf b = {p, 0, 512, false};
    for (int i = 0; i < st->w->n_presets; i++) {
        if (i > 0)
            buf_put(&b, STR(", "));
        buf_put(&b, str_of(st->w->presets[i].name));
    }
    return buf_str(&b);
}

static enum verdict rules(struct step *st, const struct session *s, bool many)
{
    struct str rest = text_fold(st->fx->arena, st->e->words), name = str_word(&rest);
    const struct rules *shown = NULL;
    if (name.n > 0) {
        shown = step_preset(st->w, name);
        if (!shown)
            return refuse(
                st, T_NO_PRESET,
                ARGS(a_str(text_clean(st->fx->arena, name, NAME_COLUMNS)), a_str(preset_list(st))));
    } else if (s) {
        struct session *copy = arena_new(st->fx->arena, struct session);
        *copy = *s;
        shown = &copy->rules;
    } else if (many) {
        return which_match(st);
    } else {
        shown = step_usual_rules(st->w);
    }
    struct say *say = effect_say(st->fx, SAY_RULES, TO_ASKER);
    say->rules = shown;
    say->versus = step_preset(st->w, str_of(shown->name));
    say->text = preset_list(st);
    if (s && name.n == 0)
        say->table = step_table(st, s, SEAT_PUBLIC);
    return TAKEN;
}

static enum verdict games(struct step *st)
{
    struct say *say = effect_say(st->fx, SAY_GAMES, TO_ASKER);
    const struct table **list =
        arena_array(st->fx->arena, const struct table *, 2 * MAX_CANDIDATES);
    const struct world *w = st->w;
    say->key = T_GAMES_HEAD;
    for (int k = 0; k < 2; k++) {
        const struct session *const *at = k ? w->mine : w->here;
        for (int i = 0; i < (k ? w->n_mine : w->n_here); i++) {
            bool have = false;
            for (int j = 0; j < say->n_games; j++)
                have |= list[j]->no == at[i]->no;
            if (!have)
                list[say->n_games++] = step_table(st, at[i], SEAT_PUBLIC);
        }
    }
    say->games = list;
    return say->n_games > 0
               ? TAKEN
               : (st->fx->n_says--, refuse(st, T_NO_MATCH, ARGS(a_alias(VERB_CHALLENGE))));
}

static enum verdict help(struct step *st)
{
    struct say *say = effect_say(st->fx, SAY_HELP, TO_ASKER);
    const struct texts *t[2] = {texts_for(st->w->languages, str_of(st->w->prefs.language)),
                                st->w->languages->at[0]};
    struct str word = text_fold(st->fx->arena, st->e->words);
    if (word.n > 0 && (word.p[0] == '/' || word.p[0] == '!'))
        word = str_skip(word, 1);
    say->n = word.n > 0 ? command_find(t, 2, word) : VERB_NONE;
    if (word.n > 0 && say->n == VERB_NONE) {
        st->fx->n_says--;
        return refuse(
            st, T_UNKNOWN,
            ARGS(a_str(text_clean(st->fx->arena, word, NAME_COLUMNS)), a_alias(VERB_HELP)));
    }
    return TAKEN;
}

bool step_season(const struct world *w, const struct event *e, struct season_key *ret)
{
    struct str s = str_trim(e->words);
    struct season_key now;
    season_at(e->now, w->utc_offset, w->settings.season, &now);
    if (s.n == 0)
        *ret = now;
    else if (season_read(s, ret))
        return true;
    else
        season_before(&now, ret);
    return s.n == 0 || (e->alias.n > 0 && w->languages && s.n < 64);
}

static enum verdict standings(struct step *st)
{
    if (st->e->words.n > 0 &&
        option_find(st->w->languages, st->fx->arena, st->e->words) != OPTION_LAST) {
        struct season_key key;
        if (!season_read(str_trim(st->e->words), &key))
            return refuse(st, T_NO_SEASON,
                          ARGS(a_str(text_clean(st->fx->arena, st->e->words, NAME_COLUMNS)),
                               a_alias(VERB_BOARD)));
    }
    if (!st->w->board)
        return IGNORED;
    effect_say(st->fx, SAY_STANDINGS, TO_HERE)->board = st->w->board;
    return TAKEN;
}

static enum verdict score(struct step *st, const struct session *s)
{
    if (s->match.players == 0)
        return s->phase == SESSION_OVER ? refuse(st, T_NO_ENDED, ARGS(a_alias(VERB_CHALLENGE)))
                                        : refuse(st, T_NOT_BEGUN, NO_ARGS);
    struct say *say = effect_say(st->fx, SAY_SCORE, TO_ASKER);
    say->table = step_table(st, s, SEAT_PUBLIC);
    say->n_notes = st->w->n_notes;
    say->notes = st->w->notes;
    return TAKEN;
}

static enum verdict verify(struct step *st, const struct session *s)
{
    effect_say(st->fx, SAY_VERIFY, TO_ASKER)->table = step_table(st, s, SEAT_PUBLIC);
    return TAKEN;
}

static enum verdict export(struct step *st, const struct session *s) {
    if (!s) return no_match(st);
    if (s->phase != SESSION_OVER) return refuse(st, T_EXPORT_RUNNING, NO_ARGS);
    if (s->end != END_PLAYED || st->w->record.n == 0) return refuse(st, T_NO_ENDED,
                                                                    ARGS(a_alias(VERB_CHALLENGE)));
    struct say *say = effect_say(st->fx, SAY_EXPORT, TO_ASKER);
    say->table = step_table(st, s, SEAT_PUBLIC);
    say->text = st->w->record;
    return TAKEN;
}

enum verdict hello(struct step *st)
{
    say_line(st, TO_HERE, T_HELLO,
             ARGS(a_alias(VERB_CHALLENGE), a_alias(VERB_HELP), a_alias(VERB_RULES)));
    return TAKEN;
}

/* This hand could not be shown: its owner was asked to open a private chat. */
static bool waits_for_chat(const struct step *st, const struct session *s)
{
    int seat = session_seat(s, st->w->me);
    return seat >= 0 && s->phase == SESSION_PLAYING && s->match.stage == MATCH_PLAYING &&
           s->player[seat].account == st->e->account && s->player[seat].channel >= CHANNEL_POPUP &&
           !session_venue(s, s->player[seat].venue)->direct;
}

/* "/start h_12" comes from a link under a board and opens that hand; "/start" opens those that
 * waited for it, and greets if there are none. */
static enum verdict start(struct step *st, const struct session *s)
{
    int n = 0;
    if (s && session_seat(s, st->w->me) >= 0 && s->phase == SESSION_PLAYING &&
        s->match.stage == MATCH_PLAYING)
        return hand(st, s);
    for (int i = 0; st->e->direct && i < st->w->n_mine; i++)
        if (waits_for_chat(st, st->w->mine[i])) {
            hand(st, st->w->mine[i]);
            n++;
        }
    return n > 0 ? TAKEN : hello(st);
}

enum verdict query(struct step *st, const struct session *s, bool many)
{
    switch (st->e->verb) {
    case VERB_RULES:
        return rules(st, s, many);
    case VERB_GAMES:
        return games(st);
    case VERB_BOARD:
        return standings(st);
    case VERB_HELP:
        return help(st);
    case VERB_START:
        return start(st, s);
    case VERB_EXPORT:
        return export(st, s);
    case VERB_OPPONENTS:
        effect_say(st->fx, SAY_OPPONENTS, TO_ASKER);
        return TAKEN;
    case VERB_PRIVACY:
        return answer(st, T_PRIVACY, NO_ARGS);
    case VERB_PING:
        say_line(st, TO_HERE, st->e->words.n ? T_PONG : T_PONG_ONLY,
                 ARGS(a_str(text_clean(st->fx->arena, st->e->words, 1000))));
        return TAKEN;
    default:
        break;
    }
    if (many)
        return which_match(st);
    if (!s)
        return no_match(st);
    switch (st->e->verb) {
    case VERB_HAND:
        return hand(st, s);
    case VERB_TABLE:
        return table(st, s);
    case VERB_YAKU:
        return yaku(st, s);
    case VERB_SCORE:
        return score(st, s);
    case VERB_VERIFY:
        return verify(st, s);
    default:
        return IGNORED;
    }
}
