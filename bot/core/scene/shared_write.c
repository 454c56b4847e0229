/* What links open beside tables: a match's review, and what a preview shows; those of a feature are in
 * its scene.c. See scene_write.h. Chances are whole percent. */
#include "scene_write.h"

#include "json.h"
#include "match_review.h"
#include "page.h"
#include "part_picture.h"

enum { ROOM = 512 * 1024, BEST = 3 };

static int64_t percent(float share)
{
    return (int64_t)(share * 100 + 0.5f);
}

static void put_chances(struct buf *b, const char *name, const float *chance, int players)
{
    json_put_open(b, name, '[');
    for (int s = 0; s < players; s++)
        json_put_int(b, NULL, percent(chance[s]));
    buf_char(b, ']');
}

/* The decision was right where most was at stake: of those made without a hint, one of the BEST by
 * what the worst choice would have lost. */
static bool is_find(const struct match_review *l, int i)
{
    enum { LEAST = 10 }; /* percent at stake */
    const struct match_review_line *at = &l->at[i];
    int better = 0;
    for (int k = 0; k < l->n; k++)
        better += l->at[k].loss < 0.005f && !l->at[k].hinted &&
                  (l->at[k].spread > at->spread || (k < i && l->at[k].spread >= at->spread));
    return at->loss < 0.005f && !at->hinted && percent(at->spread) >= LEAST && better < BEST;
}

static const char *mark_of(const struct match_review *l, int i)
{
    for (int k = 0; k < l->n_moments; k++)
        if (l->moment[k] == i)
            return "worst";
    return is_find(l, i) ? "best" : "";
}

struct str scene_review(const struct scene_reader *r, const struct match_review *l)
{
    struct draft *d = scene_draft(r);
    struct buf b = {arena_room(r->arena, ROOM), 0, ROOM, false};
    float end[MAX_PLAYERS];
    json_put_open(&b, NULL, '{');
    json_put_open(&b, "rounds", '[');
    for (int i = 0; i < l->n_rounds; i++) {
        json_put_open(&b, NULL, '{');
        json_put_int(&b, "round", l->round[i].round);
        put_chances(&b, "start", l->round[i].start, l->players);
        buf_char(&b, '}');
    }
    buf_char(&b, ']');
    for (int s = 0; s < l->players && l->n_rounds > 0; s++)
        end[s] = match_review_after(l, l->n_rounds - 1, s);
    put_chances(&b, "end", end, l->n_rounds > 0 ? l->players : 0);
    json_put_open(&b, "moves", '[');
    for (int i = 0; i < l->n && !b.cut; i++) {
        const struct match_review_line *at = &l->at[i];
        json_put_open(&b, NULL, '{');
        json_put_int(&b, "step", at->step);
        json_put_int(&b, "seat", at->seat);
        json_put_int(&b, "win", percent(at->win - at->loss));
        json_put_int(&b, "loss", percent(at->loss));
        json_put_str(&b, "mark", str_of(mark_of(l, i)));
        json_put_str(&b, "text", draft_unmarked(d, part_decision(d, at)));
        buf_char(&b, '}');
    }
    buf_put(&b, STR("]}"));
    return b.cut ? STR("") : buf_str(&b);
}

struct str scene_sentence(struct draft *d, struct str about, enum text opens)
{
    struct str said = text_unmarked(d->a, about), what = TX(d, opens);
    return said.n ? arena_print(d->a, "%.*s %.*s", STR_ARG(said), STR_ARG(what)) : what;
}

struct draft *scene_draft_shared(const struct scene_reader *r, struct notice **ret_notice)
{
    struct draft *d = scene_draft(r);
    struct network *network = arena_new(r->arena, struct network);
    *network = *d->network;
    network->can |= CAN_PICTURE;
    d->network = network;
    *ret_notice = arena_new(r->arena, struct notice);
    **ret_notice = *d->notice;
    d->notice = *ret_notice;
    return d;
}

void scene_preview(const struct scene_reader *r, struct rounds rounds, struct scene_preview *ret)
{
    struct draft *d = scene_draft(r);
    struct notice notice = *d->notice;
    struct part_moment m;
    struct str turning = {0};
    notice.rounds = rounds;
    d->notice = &notice;
    part_picture_preview(d);
    if (part_moment(d, &m))
        turning = TX(d, T_REVIEW_TURNING, draft_int(d, m.round->round), draft_name(d, m.seat),
                     draft_int(d, m.before), draft_int(d, m.after));
    *ret = (struct scene_preview){.title = text_unmarked(r->arena, draft_scores(d)),
                                  .sentence = scene_sentence(d, turning, T_PAGE_PREVIEW),
                                  .picture = d->picture};
}
