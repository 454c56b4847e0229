/* See seasons.h. And pages of seasons and people: /board, /me with its tabs; the post when a season has
 * ended. In a group everybody may read them, where they were asked for. */
#include "seasons.h"
#include "season_link.h"

#include "turn.h"

const struct badge_row_of badges[N_BADGES] = {
    [BADGE_GOKO] = {"goko", T_BADGE_GOKO},
    [BADGE_SHIKO] = {"shiko", T_BADGE_SHIKO},
    [BADGE_HUNDRED] = {"hundred", T_BADGE_HUNDRED},
    [BADGE_RUN] = {"run", T_BADGE_RUN},
    [BADGE_CHAMPION] = {"champion", T_BADGE_CHAMPION},
};

enum badge badge_find(struct str key)
{
    int b = 0;
    while (b < N_BADGES && !str_is(key, str_of(badges[b].key)))
        b++;
    return (enum badge)b;
}

void hand_won_write(const struct round_summary *round, struct buf *ret)
{
    int64_t x = round_factor(round);
    if (round->why == WHY_HAND_YAKU)
        buf_print(ret, "%s=%d ", hand_yaku_key((enum hand_yaku)round->hand), (int)round->base);
    for (int y = 0; y < N_YAKU; y++)
        if (round->worth[y] > 0)
            buf_print(ret, "%s=%d ", yaku_key((enum yaku)y), round->worth[y]);
    if (x > 1)
        buf_print(ret, "x=%lld ", (long long)x);
    if (round->pile)
        buf_print(ret, "pile=%lld ", (long long)round->pile);
}

void hand_won_read(struct str s, struct round_summary *ret)
{
    *ret = (struct round_summary){.winner = -1};
    for (struct str rest = s, word = str_word(&rest); word.n > 0; word = str_word(&rest)) {
        struct str value, name = str_cut(word, '=', &value);
        int64_t n = 0;
        bool good = str_int(value, &n) && n >= 0;
        if (good && str_is(name, STR("pile")))
            ret->pile = (cardset)n & ALL_CARDS;
        if (!good || n > UINT16_MAX)
            continue;
        if (str_is(name, STR("x")))
            ret->x[0] = (uint32_t)n;
        for (int y = 0; y < N_YAKU; y++)
            if (str_is(name, str_of(yaku_key((enum yaku)y))))
                ret->worth[y] = (uint16_t)n;
        for (int h = 1; h < N_HAND_YAKU; h++)
            if (str_is(name, str_of(hand_yaku_key((enum hand_yaku)h)))) {
                ret->hand = (uint8_t)h;
                ret->base = (uint16_t)n;
            }
    }
}

/* ---- pages ---- */

/* A page of these facts, where it was asked for. */
static struct notice *show(struct step *st, enum notice_kind kind)
{
    struct notice *notice = effect_notice(st->fx, kind, TO_HERE);
    notice->seasons = st->w->seasons;
    return notice;
}

enum card_tab card_tab_asked(const struct event *e)
{
    int64_t no;
    if (e->pressed)
        return (enum card_tab)(e->index % CARD_TABS);
    return e->verb == VERB_VERSUS                                      ? CARD_VERSUS
           : e->verb == VERB_RATING                                    ? CARD_RATING
           : e->verb != VERB_HISTORY                                   ? CARD_FIGURES
           : e->no > 0 || (str_int(str_trim(e->words), &no) && no > 0) ? CARD_MATCH
                                                                       : CARD_HISTORY;
}

/* Another tab is an edit of the same message. */
enum verdict seasons_card(struct step *st)
{
    const struct seasons_facts *f = st->w->seasons;
    enum card_tab tab = card_tab_asked(st->e);
    struct str words = str_trim(st->e->words);
    if (f->unknown.n > 0)
        return refuse(st, T_NO_SUCH_PLAYER, arg_typed(st, f->unknown));
    if (f->person == 0)
        return refuse(st, T_ANONYMOUS);
    if (tab == CARD_MATCH && f->history->n == 0)
        return refuse(st, T_REPLAY_NONE, arg_command(VERB_HISTORY));
    if (tab == CARD_FIGURES && !st->e->pressed &&
        keyword_cut(st->w->bot->languages, st->fx->arena, &words, KEYWORD_PICTURE))
        tab = CARD_PICTURE;
    struct notice *notice = show(st, NOTICE_ME);
    notice->n = tab;
    notice->post = st->e->pressed ? st->e->index / CARD_TABS : step_post(st);
    return TAKEN;
}

/* The tab; or whether the sender takes part in the rating over all chats. */
enum verdict seasons_rating(struct step *st)
{
    enum keyword word = step_keyword(st, st->e->words);
    if (word != KEYWORD_ON && word != KEYWORD_OFF)
        return seasons_card(st);
    if (st->w->me.person == 0)
        return refuse(st, T_ANONYMOUS);
    step_prefs(st)->rated_everywhere = word == KEYWORD_ON;
    return answer(st, word == KEYWORD_ON ? T_RATING_ON : T_RATING_OFF);
}

/* ---- links ---- */

enum { CODE_BITS = 24 };

int64_t season_link_no(int64_t chat, const struct season_key *season)
{
    return chat << CODE_BITS | season_code(season);
}

bool season_of_link(int64_t no, int64_t *ret_chat, struct season_key *ret)
{
    *ret_chat = no >> CODE_BITS;
    return season_of_code(no & (((int64_t)1 << CODE_BITS) - 1), ret);
}

/* ---- the scoreboard ---- */

bool seasons_asked(const struct world *w, const struct event *e, struct arena *a,
                   struct season_key *ret)
{
    struct str words = str_trim(e->words);
    struct season_key now;
    if (e->pressed)
        return season_of_code(e->version, ret);
    (void)keyword_cut(w->bot->languages, a, &words, KEYWORD_PICTURE); /* "last picture" */
    if (season_read(words, ret))
        return true;
    enum keyword keyword = keyword_find(w->bot->languages, a, words);
    chat_settings_season(&w->chat.settings, e->now, w->chat.utc_offset, &now);
    if (words.n == 0)
        *ret = now;
    else if (keyword == KEYWORD_LAST)
        season_before(&now, ret);
    else if (keyword == KEYWORD_ALL)
        season_all(ret);
    else
        return false;
    return true;
}

enum verdict seasons_board(struct step *st)
{
    struct season_key key;
    struct str words = str_trim(st->e->words);
    if (!seasons_asked(st->w, st->e, st->fx->arena, &key))
        return refuse(st, T_NO_SEASON, arg_typed(st, st->e->words), arg_command(VERB_BOARD));
    if (!st->w->seasons->board)
        return IGNORED;
    struct notice *notice = show(st, NOTICE_STANDINGS);
    notice->n = st->e->pressed
                    ? st->e->index >= BOARD_PICTURE
                    : keyword_cut(st->w->bot->languages, st->fx->arena, &words, KEYWORD_PICTURE);
    notice->post = st->e->pressed ? st->e->no : step_post(st);
    return TAKEN;
}

enum verdict seasons_over(struct step *st)
{
    show(st, NOTICE_SEASON_OVER)->notify = true;
    return TAKEN;
}
