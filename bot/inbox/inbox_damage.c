/* Damaged matches: sessions whose checksum, or that of their record, does not hold. They are listed
 * when found, and leave play in the transaction of the events (the store keeps their remains), with
 * one message to each chat where they were played. */
#include "inbox_internal.h"

#include "log.h"

enum { AT_ONCE = 100 };

bool inbox_damaged(const struct inbox *in)
{
    return in->n_damaged > 0;
}

void inbox_forget_damaged(struct inbox *in)
{
    in->n_damaged = 0;
}

bool damage_look(struct inbox *in, struct err *err)
{
    struct session_rows rows = {0};
    int64_t after = 0;
    do {
        arena_reset(in->turn);
        if (!store_live_sessions(in->parts.store, in->turn, after, AT_ONCE, &rows, err))
            return false;
        for (int i = 0; i < rows.n; i++) {
            bool sound;
            after = rows.at[i].id;
            if (!store_record_sound(in->parts.store, after, &sound, err))
                return false;
            if (rows.at[i].damaged || !sound)
                turn_note_damaged(in, after);
        }
    } while (rows.n == AT_ONCE);
    return true;
}

static bool tell(struct inbox *in, int64_t session, int64_t chat_id, struct err *err)
{
    struct turn *t;
    if (!turn_begin_in(in, chat_id, &t, err))
        return false;
    if (!t)
        return true;
    t->event.verb = VERB_DAMAGED;
    t->event.no = session;
    return facts_chat(t, t->event.chat, (struct str){0}, t->event.direct) && settle_event(t);
}

static bool set_aside(struct inbox *in, int64_t session, struct err *err)
{
    struct arena *a = in->turn;
    struct ids chats;
    int64_t at[8] = {0};
    arena_reset(a);
    if (!store_set_aside(
            in->parts.store, a, session, clock_now(in->parts.clock),
            arena_print(a, "match %lld: the checksum does not hold", (long long)session), &chats,
            err))
        return false;
    log_line(LOG_ERROR, "match_damaged", "match", arena_print(a, "%lld", (long long)session).p,
             "now", "set aside in the table quarantine", NULL);
    int n = chats.n < 8 ? chats.n : 8;
    if (n)
        memcpy(at, chats.at, (size_t)n * sizeof *at);
    for (int i = 0; i < n; i++)
        if (!tell(in, session, at[i], err))
            return false;
    return true;
}

bool inbox_set_aside(struct inbox *in, struct err *err)
{
    int kept = 0;
    for (int i = 0; i < in->n_damaged; i++) {
        struct session_row row;
        bool found;
        arena_reset(in->turn);
        if (!store_session(in->parts.store, in->turn, in->damaged[i], &row, &found, err))
            return false;
        if (!found || row.due == DUE_ASIDE)
            continue; /* an earlier transaction has done it */
        if (!set_aside(in, in->damaged[i], err))
            return false;
        in->damaged[kept++] = in->damaged[i];
    }
    in->n_damaged = kept;
    return true;
}
