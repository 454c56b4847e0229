/* Ids of chats and messages in the form that the rest of the program keeps: see telegram.h. */
#include "telegram.h"

enum { AS_A_CHANNEL = 136817688, CHANNEL_ITSELF = 777000 };

bool tg_ids_is_impersonal(struct str id)
{
    int64_t n;
    return str_int(id, &n) && (n == ANONYMOUS_ADMIN || n == AS_A_CHANNEL || n == CHANNEL_ITSELF);
}

bool tg_ids_chat(struct str chat, struct chat_ref *ret)
{
    struct str thread, id = str_cut(chat, '/', &thread);
    *ret = (struct chat_ref){0};
    return str_int(id, &ret->chat) && (thread.n == 0 || str_int(thread, &ret->thread));
}

struct str tg_ids_inline_post(struct str chat)
{
    return chat.n > 1 && chat.p[0] == 'i' ? str_skip(chat, 1) : (struct str){0};
}

bool tg_ids_post(struct str post, struct post *ret)
{
    *ret = (struct post){0};
    ret->hidden = post.n > 0 && post.p[0] == 'e';
    post = str_skip(post, ret->hidden);
    ret->picture = post.n > 0 && post.p[post.n - 1] == 'p';
    post.n -= ret->picture;
    return str_int(post, &ret->id);
}

struct str tg_ids_print_post(struct arena *a, struct post p)
{
    return arena_print(a, "%s%lld%s", p.hidden ? "e" : "", (long long)p.id, p.picture ? "p" : "");
}
