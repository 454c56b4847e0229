/* See room_event.h. */
#include "room_event.h"

static const struct str POLL_PREFIX = {"poll:", 5}, IMAGE_PREFIX = {"image:", 6};

struct room_ref room_event_place(const struct outgoing *out, const struct progress *p)
{
    struct room_ref at;
    bool removal = out->kind == OUT_ERASE || out->kind == OUT_CLOSE;
    struct str direct = removal ? out->direct_chat : p->room;
    bool here = out->where == TO_CHAT || (removal && direct.n == 0);
    at.room = str_cut(here ? out->chat : direct, ' ', &at.thread);
    return at;
}

static bool is_private(const struct matrix *m, const struct outgoing *out, struct str room)
{
    const struct room *known = rooms_find(m->known, room);
    return out->where != TO_CHAT || (known && known->with.n > 0);
}

static int poll_answers(const struct outgoing *out)
{
    int n = 0;
    for (int i = 0; i < out->n_buttons && n < POLL_ANSWERS; i++)
        n += out->buttons[i].style != BUTTON_LINK && out->buttons[i].label.n > 0;
    return n;
}

bool room_event_is_poll(const struct matrix *m, const struct outgoing *out, struct str room)
{
    return m->polls && out->kind == OUT_POST && poll_answers(out) > 0 && is_private(m, out, room);
}

bool room_event_is_post_of_poll(struct str post)
{
    return str_starts(post, POLL_PREFIX);
}

struct str room_event_picture(const struct outgoing *out, const struct progress *p)
{
    if (str_is(p->picture, STR("-")))
        return STR("");
    return p->picture.n > 0 ? p->picture : out->picture_file;
}

struct str room_event_id(struct str post)
{
    post = str_word(&post);
    if (str_starts(post, POLL_PREFIX))
        return str_skip(post, POLL_PREFIX.n);
    return str_starts(post, IMAGE_PREFIX) ? str_skip(post, IMAGE_PREFIX.n) : post;
}

bool room_event_uploads(const struct matrix *m, const struct outgoing *out,
                        const struct progress *p)
{
    if (out->file.n > 0)
        return p->picture.n == 0;
    return m->pictures && out->picture_bytes.n > 0 && p->picture.n == 0 && out->picture_file.n == 0;
}

struct str room_event_replaced(const struct matrix *m, const struct outgoing *out,
                               const struct progress *p, struct str room)
{
    bool pictured = room_event_uploads(m, out, p) || room_event_picture(out, p).n > 0;
    if (out->notify || room_event_is_poll(m, out, room) ||
        !wire_is_event_id(room_event_id(out->post)))
        return STR("");
    bool image = str_starts(out->post, IMAGE_PREFIX), text = out->post.p[0] == '$';
    return (pictured ? image : text) ? room_event_id(out->post) : STR("");
}

struct room_event room_event_make(struct matrix *m, struct arena *a, const struct outgoing *out,
                                  const struct progress *p, bool image_alone)
{
    if (out->kind == OUT_CLOSE)
        return (struct room_event){"org.matrix.msc3381.poll.end",
                                   content_poll_end(room_event_id(out->post)), 'c'};
    struct room_ref at = room_event_place(out, p);
    struct event_parts w = {.out = out,
                            .text = markup_render(a, out->text),
                            .picture = room_event_picture(out, p),
                            .replaces = room_event_replaced(m, out, p, at.room),
                            .answers = room_event_id(out->reply_to),
                            .quiet = p->image.n > 0,
                            .thread = at.thread};
    if (image_alone)
        return (struct room_event){"m.room.message", content_image(a, &w), 'i'};
    if (room_event_is_poll(m, out, at.room))
        return (struct room_event){"org.matrix.msc3381.poll.start", content_poll(a, &w), 'p'};
    return (struct room_event){"m.room.message", content_message(a, &w), 'e'};
}
