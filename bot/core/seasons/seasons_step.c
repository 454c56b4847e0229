/* Pages of people: /stats, /versus, /history, and /rating, which also says who takes part in the
 * rating over all chats. */
#include "keyword.h"
#include "seasons.h"
#include "turn.h"

/* Numbers of posts that can be leafed through: they fit a button. */
enum { POSTS = 1000000 };

/* No figures: the name is unknown, or the sender is anonymous. */
static enum verdict refuse_unknown(struct step *st)
{
    return st->w->seasons->unknown.n > 0
               ? notice_refuse(st, T_NO_SUCH_PLAYER,
                               ARGS(arg_str(text_clean(st->fx->arena, st->w->seasons->unknown,
                                                       NAME_COLUMNS))))
               : notice_refuse(st, T_ANONYMOUS, NO_ARGS);
}

/* In a group everybody may read it, where it was asked. */
static struct notice *page(struct step *st, enum notice_kind kind)
{
    struct notice *notice = effect_notice(st->fx, kind, TO_HERE);
    notice->seasons = st->w->seasons;
    return notice;
}

enum verdict people_stats(struct step *st)
{
    if (!st->w->seasons->figures)
        return refuse_unknown(st);
    page(st, NOTICE_STATS);
    return TAKEN;
}

enum verdict people_versus(struct step *st)
{
    if (st->w->seasons->unknown.n > 0 || st->w->me.person == 0)
        return refuse_unknown(st);
    if (!st->w->seasons->versus)
        return notice_refuse(st, T_VERSUS_WHOM, ARGS(arg_command(VERB_VERSUS)));
    page(st, NOTICE_VERSUS);
    return TAKEN;
}

/* Older matches are an edit of the same message. */
enum verdict people_history(struct step *st)
{
    if (!st->w->seasons->history)
        return refuse_unknown(st);
    struct notice *notice = page(st, NOTICE_HISTORY);
    notice->post =
        st->e->pressed && st->e->index > 0 ? st->e->index : 1 + st->e->now / 1000 % POSTS;
    return TAKEN;
}

enum verdict people_rating(struct step *st)
{
    enum keyword word = keyword_find(st->w->bot->languages, st->fx->arena, st->e->words);
    if (!st->w->seasons->figures)
        return refuse_unknown(st);
    if (word == KEYWORD_ON || word == KEYWORD_OFF)
        step_prefs(st)->rated_everywhere = word == KEYWORD_ON;
    page(st, NOTICE_RATING)->n = word == KEYWORD_ON    ? RATING_JOINED
                                 : word == KEYWORD_OFF ? RATING_LEFT
                                                       : RATING_ASKED;
    return TAKEN;
}

/* ---- the scoreboard ---- */

/* "last picture": whether a picture is asked for, and the words without it. */
static bool cut_picture(const struct world *w, struct arena *a, struct str *words)
{
    size_t n = words->n;
    while (n > 0 && words->p[n - 1] != ' ')
        n--;
    if (keyword_find(w->bot->languages, a, str_skip(*words, n)) != KEYWORD_PICTURE)
        return false;
    *words = str_trim((struct str){words->p, n});
    return true;
}

bool query_season(const struct world *w, const struct event *e, struct arena *a,
                  struct season_key *ret)
{
    struct str words = str_trim(e->words);
    struct season_key now;
    if (e->pressed)
        return season_of_code(e->version, ret);
    (void)cut_picture(w, a, &words);
    if (season_read(words, ret))
        return true;
    chat_settings_season(&w->chat.settings, e->now, w->chat.utc_offset, &now);
    switch (keyword_find(w->bot->languages, a, words)) {
    case KEYWORD_NONE:
        if (words.n > 0)
            return false;
        *ret = now;
        return true;
    case KEYWORD_LAST:
        season_before(&now, ret);
        return true;
    case KEYWORD_ALL:
        season_all(ret);
        return true;
    default:
        return false;
    }
}

enum verdict query_standings(struct step *st)
{
    struct season_key key;
    if (!query_season(st->w, st->e, st->fx->arena, &key))
        return notice_refuse(st, T_NO_SEASON,
                             ARGS(arg_str(text_clean(st->fx->arena, st->e->words, NAME_COLUMNS)),
                                  arg_command(VERB_BOARD)));
    if (!st->w->seasons->board)
        return IGNORED;
    struct str words = str_trim(st->e->words);
    struct notice *notice = effect_notice(st->fx, NOTICE_STANDINGS, TO_HERE);
    notice->seasons = st->w->seasons;
    notice->n = cut_picture(st->w, st->fx->arena, &words);
    notice->post = st->e->pressed ? st->e->no : st->e->now / 1000;
    return TAKEN;
}

enum verdict query_season_over(struct step *st)
{
    struct notice *notice = effect_notice(st->fx, NOTICE_SEASON_OVER, TO_HERE);
    notice->seasons = st->w->seasons;
    notice->notify = true;
    return TAKEN;
}
