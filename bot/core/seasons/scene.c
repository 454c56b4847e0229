/* What the link of a season opens: its table, and a preview of it. See season_link.h. */
#include "scene_write.h"

#include "json.h"
#include "page.h"
#include "season_link.h"
#include "seasons.h"

enum { ROOM = 512 * 1024 };

/* The draft about a season's table. */
static struct draft *season_draft(const struct scene_reader *r, const struct board_facts *board,
                                  struct str chat)
{
    struct notice *notice;
    struct draft *d = scene_draft_shared(r, &notice);
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
