/* See store_forget.h. */
#include "store_forget.h"

#include "store_table.h"

struct session_rows store_sessions_naming(struct store *s, struct arena *a, int64_t handle,
                                          struct session_window w, int64_t *ret_reached)
{
    struct str id = arena_print(a, "%% %lld %%", (long long)handle);
    struct str left = arena_print(a, "%%.person=%lld %%", (long long)handle);
    int64_t last = store_number(s,
                                "SELECT COALESCE(MAX(id), 0) FROM (SELECT id FROM session WHERE id "
                                "> $1 ORDER BY id LIMIT $2) AS next_ones",
                                VALUES(db_int(w.after), db_int(w.scanned)));
    struct ids ids = store_ids(
        s, a,
        "SELECT id FROM session WHERE id > $1 AND id <= $2 AND (' ' || people || ' ' LIKE $3 "
        "OR (live = 1 AND line LIKE $4) OR id IN (SELECT session FROM played WHERE account = $5 "
        "AND chat = 0 AND person = $6 AND session > $1 AND session <= $2)) ORDER BY id LIMIT $7",
        VALUES(db_int(w.after), db_int(last), db_text(id), db_text(left),
               db_int(store_home(s, HOME_OF_PERSON, handle)), db_int(handle), db_int(w.most)));
    struct session_rows rows = {0, arena_array(a, struct session_row, (size_t)ids.n)};
    for (int i = 0; i < ids.n; i++) {
        const struct session_row *row = store_session(s, a, ids.at[i]);
        if (row)
            rows.at[rows.n++] = *row;
    }
    *ret_reached = last == 0 ? INT64_MAX : ids.n == w.most ? ids.at[ids.n - 1] : last;
    return rows;
}

struct people store_handles_called(struct store *s, struct arena *a, struct str called)
{
    struct str handle = str_starts(called, STR("@")) ? str_skip(called, 1) : called;
    return people_of(store_select(s, a, &table_person,
                                  "WHERE network_id = $1 OR (handle_key <> '' AND handle_key = "
                                  "LOWER($2)) OR '#' || id = $1 ORDER BY id LIMIT 64",
                                  VALUES(db_text(called), db_text(handle))));
}

static void forget_handle(struct store *s, const struct person *p, struct str name)
{
    for (int i = 0; store_features[i]; i++)
        for (const char *const *sql = store_features[i]->forget; *sql; sql++)
            store_run(s, *sql, VALUES(db_int(p->id)));
    store_run(s, "DELETE FROM link_code WHERE person = $1", VALUES(db_int(p->id)));
    store_run(s, "DELETE FROM forgetting WHERE person = $1", VALUES(db_int(p->id)));
    store_run(s,
              "DELETE FROM letter WHERE account = $1 AND $2 <> '' AND (reader = $2 OR chat = $3)",
              VALUES(db_int(p->account), db_text(p->network_id), db_text(p->direct_chat)));
    store_drop_logins(s, p->account, p->network_id);
    store_run(
        s,
        "UPDATE person SET network_id = NULL, name = $1, handle = '', handle_key = '', "
        "language = '', prefs = '', direct_chat = '', reachable = 0, banned = 0, ban_told = 0, "
        "left_chats = '' WHERE id = $2",
        VALUES(db_text(name), db_int(p->id)));
    if (p->direct_chat.n == 0)
        return;
    store_run(s, "DELETE FROM post WHERE account = $1 AND place = $2",
              VALUES(db_int(p->account), db_text(p->direct_chat)));
    store_run(s,
              "UPDATE chat SET name = '', settings = '', key = 'forgotten ' || id WHERE account = "
              "$1 AND key = $2",
              VALUES(db_int(p->account), db_text(p->direct_chat)));
}

void store_forget_handles(struct store *s, int64_t who, const struct people *handles,
                          struct str name)
{
    for (int i = 0; i < handles->n; i++) {
        const struct person *p = &handles->at[i];
        forget_handle(s, p, name);
        store_run(s,
                  "INSERT INTO forgetting (person, who, account, direct_chat, name) VALUES ($1, "
                  "$2, $3, $4, $5)",
                  VALUES(db_int(p->id), db_int(who), db_int(p->account), db_text(p->direct_chat),
                         db_text(name)));
    }
    cache_clear(s->rows);
}

struct forgetting store_forgetting(struct store *s, struct arena *a)
{
    struct db_table t =
        store_ask(s, a,
                  "SELECT person, account, direct_chat, reached, name, who FROM forgetting WHERE "
                  "who = (SELECT who FROM forgetting ORDER BY person LIMIT 1) ORDER BY person",
                  0, NULL);
    struct forgetting f = {.handles = {t.rows, arena_array(a, struct person, (size_t)t.rows)},
                           .next = -1};
    for (int i = t.rows - 1; i >= 0; i--) {
        const struct db_value *v = t.at + i * t.cols;
        f.handles.at[i] = (struct person){.id = v[0].i, .account = v[1].i, .direct_chat = v[2].s};
        f.name = v[4].s;
        f.who = v[5].i;
        if (v[3].i < INT64_MAX) {
            f.next = i;
            f.reached = v[3].i;
        }
    }
    return f;
}

void store_forgotten_up_to(struct store *s, const struct forgetting *f, int64_t reached)
{
    store_run(s, "UPDATE forgetting SET reached = $1 WHERE person = $2",
              VALUES(db_int(reached), db_int(f->handles.at[f->next].id)));
}

void store_forgotten(struct store *s, const struct forgetting *f)
{
    store_run(s, "DELETE FROM forgetting WHERE who = $1", VALUES(db_int(f->who)));
}
