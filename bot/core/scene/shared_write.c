/* What links open beside tables: a match's review, a season's table, a day's duel; and what previews
 * of links show. See scene_write.h. Chances are whole percent. */
#include "scene_write.h"

#include "duel.h"
#include "json.h"
#include "match_review.h"
#include "page.h"
#include "part_picture.h"
#include "seasons.h"

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

/* The sentence of a preview: what it is about, and what the link opens. */
static struct str sentence_of(struct draft *d, struct str about, enum text opens)
{
    struct str said = text_unmarked(d->a, about), what = TX(d, opens);
    return said.n ? arena_print(d->a, "%.*s %.*s", STR_ARG(said), STR_ARG(what)) : what;
}

/* A draft with pictures; *ret_notice is its notice, to be filled in. */
static struct draft *shared_draft(const struct scene_reader *r, struct notice **ret_notice)
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

void scene_puzzle_preview(const struct scene_reader *r, struct scene_preview *ret)
{
    struct notice *notice;
    struct draft *d = shared_draft(r, &notice);
    part_puzzle_question(d);
    part_picture_hand(d);
    *ret =
        (struct scene_preview){.title = draft_unmarked(d, part_puzzle_title(d, T_PUZZLE_HEAD)),
                               .sentence = sentence_of(d, buf_str(&d->text), T_PAGE_PUZZLE_PREVIEW),
                               .picture = d->picture};
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
                                  .sentence = sentence_of(d, turning, T_PAGE_PREVIEW),
                                  .picture = d->picture};
}

/* The draft about a season's table. */
static struct draft *season_draft(const struct scene_reader *r, const struct board_facts *board,
                                  struct str chat)
{
    struct notice *notice;
    struct draft *d = shared_draft(r, &notice);
    struct seasons_facts *facts = arena_new(r->arena, struct seasons_facts);
    struct event *event = arena_new(r->arena, struct event);
    facts->board = board;
    notice->seasons = facts;
    *event = *d->e;
    event->direct = false;
    event->chat_name = chat.n ? chat : STR("Koi-Koi"); /* "this chat" is not where it is read */
    d->e = event;
    return d;
}

void scene_season_preview(const struct scene_reader *r, const struct board_facts *board,
                          struct str chat, struct scene_preview *ret)
{
    struct draft *d = season_draft(r, board, chat);
    part_season_picture(d);
    *ret = (struct scene_preview){.title = part_season_head(d),
                                  .sentence = TX(d, T_PAGE_SEASON_PREVIEW),
                                  .picture = d->picture};
}

struct str scene_season(const struct scene_reader *r, const struct board_facts *board,
                        struct str chat)
{
    struct draft *d = season_draft(r, board, chat);
    struct buf b = {arena_room(r->arena, ROOM), 0, ROOM, false};
    json_put_open(&b, NULL, '{');
    json_put_str(&b, "head", part_season_head(d));
    part_season_document(d, &b);
    buf_char(&b, '}');
    return b.cut ? STR("") : buf_str(&b);
}

/* The draft about a day's duel. */
static struct draft *duel_draft(const struct scene_reader *r, const struct duel_facts *duel,
                                int page)
{
    struct notice *notice;
    struct draft *d = shared_draft(r, &notice);
    notice->duel = duel;
    notice->n = page;
    d->utc_offset = duel->at.utc_offset;
    return d;
}

void scene_duel_preview(const struct scene_reader *r, const struct duel_facts *duel, int page,
                        struct scene_preview *ret)
{
    struct draft *d = duel_draft(r, duel, page);
    part_duel_preview(d);
    *ret = (struct scene_preview){.title = part_duel_head(d),
                                  .sentence = draft_unmarked(d, str_trim(buf_str(&d->text))),
                                  .picture = d->picture};
}

struct str scene_duel(const struct scene_reader *r, const struct duel_facts *duel, int page,
                      struct str network)
{
    struct draft *d = duel_draft(r, duel, page);
    struct buf b = {arena_room(r->arena, ROOM), 0, ROOM, false};
    json_put_open(&b, NULL, '{');
    json_put_str(&b, "head", part_duel_head(d));
    part_duel_document(d, network, &b);
    buf_char(&b, '}');
    return b.cut ? STR("") : buf_str(&b);
}
