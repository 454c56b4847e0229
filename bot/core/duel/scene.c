/* What the link of a day's duel opens: what it is or its table, and a preview of it. See duel.h. */
#include "scene_write.h"

#include "duel.h"
#include "json.h"
#include "page.h"

enum { ROOM = 64 * 1024 };

/* The draft about a day's duel. */
static struct draft *duel_draft(const struct scene_reader *r, const struct duel_facts *duel,
                                int page)
{
    struct notice *notice;
    struct draft *d = scene_draft_shared(r, &notice);
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
