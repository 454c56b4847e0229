/* /rating: a person's rating over all chats, and whether they take part in it. */
#include "seasons.h"
#include "turn.h"

enum verdict rating_command(struct step *st)
{
    enum keyword word = step_keyword(st, st->e->words);
    if (!st->w->seasons->figures)
        return seasons_refuse_unknown(st);
    if (word == KEYWORD_ON || word == KEYWORD_OFF)
        step_prefs(st)->rated_everywhere = word == KEYWORD_ON;
    seasons_page(st, NOTICE_RATING)->n = word == KEYWORD_ON    ? RATING_JOINED
                                         : word == KEYWORD_OFF ? RATING_LEFT
                                                               : RATING_ASKED;
    return TAKEN;
}
