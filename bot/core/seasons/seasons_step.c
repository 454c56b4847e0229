/* Pages of seasons and people: /board, /stats, /versus, /history; and the post when a season has
 * ended. In a group everybody may read them, where they were asked for. */
#include "seasons.h"

#include "turn.h"

/* Numbers of posts that can be leafed through: they fit a button. */
enum { POSTS = 1000000 };

enum verdict seasons_refuse_unknown(struct step *st)
{
    struct str unknown = st->w->seasons->unknown;
    return unknown.n > 0 ? refuse(st, T_NO_SUCH_PLAYER, arg_typed(st, unknown))
                         : refuse(st, T_ANONYMOUS);
}

struct notice *seasons_page(struct step *st, enum notice_kind kind)
{
    struct notice *notice = effect_notice(st->fx, kind, TO_HERE);
    notice->seasons = st->w->seasons;
    return notice;
}

enum verdict seasons_stats(struct step *st)
{
    if (!st->w->seasons->figures)
        return seasons_refuse_unknown(st);
    seasons_page(st, NOTICE_STATS);
    return TAKEN;
}

enum verdict seasons_versus(struct step *st)
{
    if (st->w->seasons->unknown.n > 0 || st->w->me.person == 0)
        return seasons_refuse_unknown(st);
    if (!st->w->seasons->versus)
        return refuse(st, T_VERSUS_WHOM, arg_command(VERB_VERSUS));
    seasons_page(st, NOTICE_VERSUS);
    return TAKEN;
}

/* Older matches are an edit of the same message. */
enum verdict seasons_history(struct step *st)
{
    bool leafs = st->e->pressed && st->e->index > 0;
    if (!st->w->seasons->history)
        return seasons_refuse_unknown(st);
    seasons_page(st, NOTICE_HISTORY)->post = leafs ? st->e->index : 1 + st->e->now / 1000 % POSTS;
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

bool seasons_asked(const struct world *w, const struct event *e, struct arena *a,
                   struct season_key *ret)
{
    struct str words = str_trim(e->words);
    struct season_key now;
    if (e->pressed)
        return season_of_code(e->version, ret);
    (void)cut_picture(w, a, &words);
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
    struct notice *notice = seasons_page(st, NOTICE_STANDINGS);
    notice->n = cut_picture(st->w, st->fx->arena, &words);
    notice->post = st->e->pressed ? st->e->no : st->e->now / 1000;
    return TAKEN;
}

enum verdict seasons_over(struct step *st)
{
    seasons_page(st, NOTICE_SEASON_OVER)->notify = true;
    return TAKEN;
}
