/* Opening of a tournament: its options are those of a challenge, with the number of rounds of a
 * Swiss in front, and the time for a round. */
#include "contest.h"

#include "options.h"
#include "keyword.h"

/* Words of this command alone, taken out of those of a challenge. */
struct opening {
    int rounds;
    int64_t round_ms;
    bool by_code;
};

static bool read_opening_word(struct step *st, struct opening *o, enum tournament_format format,
                              bool first, struct str word, bool *ret_own)
{
    struct str value, name = str_cut(word, '=', &value);
    int64_t rounds;
    *ret_own = true;
    if (first && format == FORMAT_SWISS && value_number(word, 1, TOURNAMENT_ROUNDS_MOST, &rounds)) {
        o->rounds = (int)rounds;
        return true;
    }
    if (str_is(name, STR("round")) && name.n < word.n) {
        o->round_ms = value_span(st, value);
        return o->round_ms > 0 ||
               value_refuse_for(st, STR("round"), arg_key(T_TOURNAMENT_ROUND_EXAMPLES));
    }
    *ret_own = keyword_find(st->w->bot->languages, st->fx->arena, word) == KEYWORD_CODE;
    o->by_code |= *ret_own;
    return true;
}

/* Returns false after a refusal; *ret are the words that are left. */
static bool read_words(struct step *st, struct opening *o, enum tournament_format format,
                       struct str words, struct str *ret)
{
    struct str folded = text_fold(st->fx->arena, words);
    struct buf left = {arena_alloc(st->fx->arena, folded.n + 1), 0, folded.n + 1, false};
    bool first = true, own;
    for (struct str rest = folded, w = str_word(&rest); w.n > 0; w = str_word(&rest)) {
        if (!read_opening_word(st, o, format, first, w, &own))
            return false;
        if (!own) {
            buf_put(&left, left.n ? STR(" ") : STR(""));
            buf_put(&left, w);
        }
        first = false;
    }
    *ret = buf_str(&left);
    return true;
}

/* Two people, and the first deal by turns, as the pairing has it. */
static bool read_opening_rules(struct step *st, struct tournament_run *run, struct str words)
{
    struct challenge_options options;
    if (!challenge_options_read(st, words, &options))
        return false;
    if (options.computers > 0 || options.open > 0 || options.players > 2 || options.casual ||
        !(options.rules.players_allowed >> 2 & 1)) {
        notice_refuse(st, T_TOURNAMENT_PEOPLE, NO_ARGS);
        return false;
    }
    run->rules = options.rules;
    run->rules.first_dealer = FIRST_CHALLENGER;
    if (run->t.format == FORMAT_KNOCKOUT)
        run->rules.tie_break = TIE_EXTRA_ROUND;
    run->time.move_ms = options.time.move_ms < 0 ? CLOCK_MS : options.time.move_ms;
    run->time.total_ms = options.time.total_ms;
    run->time.gain_ms = options.time.gain_ms;
    return true;
}

bool contest_add_chat(struct step *st, struct tournament_run *run)
{
    for (int i = 0; i < run->n_chats; i++)
        if (run->chat_id[i] == st->w->chat.id)
            return true;
    if (run->n_chats == TOURNAMENT_CHATS) {
        notice_refuse(st, T_TOURNAMENT_CHATS, ARGS(arg_int(TOURNAMENT_CHATS)));
        return false;
    }
    struct arena *a = st->fx->arena;
    run->chat_id[run->n_chats] = st->w->chat.id;
    run->at[run->n_chats++] =
        (struct seen_from){.account = st->e->account,
                           .chat = arena_str(a, st->e->chat),
                           .chat_name = arena_str(a, st->e->chat_name),
                           .language = arena_str(a, str_of(st->w->chat.settings.language)),
                           .utc_offset = st->w->chat.utc_offset,
                           .direct = st->e->direct,
                           .one_post = (st->w->chat.can & CAN_ONE_POST) != 0};
    return true;
}

enum verdict contest_open(struct step *st, enum tournament_format format, struct str words)
{
    const struct tournament_run *here = st->w->tournament;
    struct opening o = {.round_ms = ROUND_MS};
    struct str rest;
    if (here && here->chat == st->w->chat.id && here->t.stage <= STAGE_RUNNING)
        return notice_refuse(st, T_TOURNAMENT_HERE, ARGS(arg_command(VERB_TOURNAMENT)));
    if (lobby_on_vacation(st)) /* who opens one plays in it */
        return REFUSED;
    struct tournament_run *run = arena_new(st->fx->arena, struct tournament_run);
    run->t.format = (uint8_t)format;
    if (!read_words(st, &o, format, words, &rest) || !read_opening_rules(st, run, rest))
        return REFUSED;
    if (st->e->direct && !o.by_code)
        return notice_refuse(st, T_TOURNAMENT_NEEDS_GROUP, ARGS(arg_command(VERB_TOURNAMENT)));
    run->chat = st->w->chat.id;
    run->host = st->w->me.person;
    run->host_handle = st->w->me.handle;
    run->host_name = st->e->from.name;
    run->t.rounds = o.rounds;
    run->round_ms = o.round_ms;
    run->by_code = o.by_code;
    run->ends = run->due = st->e->now + JOINING_MS;
    if (!contest_add_chat(st, run))
        return REFUSED;
    run->t.entrant[run->t.n_entrants++] = (struct tournament_entrant){.person = st->w->me.person,
                                                                      .handle = st->w->me.handle,
                                                                      .chat = st->w->chat.id,
                                                                      .name = st->e->from.name};
    st->fx->tournament = run;
    contest_show(st, run, TOURNAMENT_OPENING, 0, true)->notify = true;
    return TAKEN;
}
