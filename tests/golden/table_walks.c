/* Statements that walk through a whole table, or for each page of rows through all of them, or do not say
 * whose rows they mean (fixture/statements.h), found where each is prepared (sqlite3_prepare_v3, put in
 * its place by --wrap): SQLite says how it will run it. In the few rows of a test such a walk costs
 * nothing; in a store of a million people it stands in front of every move. A table that stays small
 * may be walked through, and so may a statement that is asked for by hand. */
#include "engine/test.h"
#include "fixture/statements.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "str.h"

int __wrap_sqlite3_prepare_v3(sqlite3 *db, const char *sql, int n, unsigned flags,
                              sqlite3_stmt **ret, const char **tail);
int __real_sqlite3_prepare_v3(sqlite3 *db, const char *sql, int n, unsigned flags,
                              sqlite3_stmt **ret, const char **tail);

/* Tables that stay small, by the name or the alias that a plan has. */
static const char *const small[] = {
    /* as many as a configuration has */
    "account", "mine", "other", "meta", "migration", "sqlite_schema", "sqlite_master",
    /* who or what waits now */
    "seek", "login", "forgetting", "quarantine",
    /* an answer of another statement */
    "x", "CONSTANT ROW"};
/* Indexes of what is living, where all of it is wanted. */
static const char *const living[] = {"INDEX session_live", "INDEX session_chat_live"};
/* By a part of their text. */
static const char *const seldom[] = {
    /* the operator asks how many there are, tells all chats of a break, names a person somehow */
    "SELECT (SELECT COUNT(*) FROM session", "INSERT INTO announcement", "OR '#' || id = $1",
    /* once a start */
    "SELECT COUNT(*) FROM vault",
    /* a chat becomes another that is known: of all people those who have left chats */
    "SET left_chats = REPLACE",
    /* a damaged match is set aside */
    "DELETE FROM session_person WHERE session = $1", "DELETE FROM session_chat WHERE session = $1"};

enum { SEEN = 4096 };
static uint64_t seen[SEEN];
static int n_seen;

static bool is_seen(const char *sql)
{
    uint64_t hash = str_hash(str_of(sql));
    for (int i = 0; i < n_seen; i++)
        if (seen[i] == hash)
            return true;
    assert_true(n_seen < SEEN);
    seen[n_seen++] = hash;
    return false;
}

static bool has_any(const char *text, size_t n, const char *const parts[])
{
    for (size_t i = 0; i < n; i++)
        if (strstr(text, parts[i]))
            return true;
    return false;
}

static bool is_small(const char *table)
{
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        size_t n = strlen(small[i]);
        if (strncmp(table, small[i], n) == 0 && (table[n] == '\0' || table[n] == ' '))
            return true;
    }
    return table[0] == '(' || has_any(table, sizeof living / sizeof *living, living);
}

/* Of one line of a plan: the table, if all of it is walked through. */
static const char *walked(const char *line)
{
    const char *table = line + strlen("SCAN ");
    bool is_walk = strncmp(line, "SCAN ", strlen("SCAN ")) == 0 && !strstr(line, "VIRTUAL TABLE");
    return is_walk && !is_small(table) ? table : NULL;
}

/* Rows behind a number, page by page, that no index has in their order: each page reads and sorts all
 * that are behind it. */
static bool sorts_pages(const char *sql, const char *line)
{
    return strstr(sql, "id > $") && strstr(sql, "LIMIT") &&
           strcmp(line, "USE TEMP B-TREE FOR ORDER BY") == 0;
}

int __wrap_sqlite3_prepare_v3(sqlite3 *db, const char *sql, int n, unsigned flags,
                              sqlite3_stmt **ret, const char **tail)
{
    static char question[64 * 1024];
    sqlite3_stmt *plan = NULL;
    int code = __real_sqlite3_prepare_v3(db, sql, n, flags, ret, tail);
    if (code != SQLITE_OK || is_seen(sql))
        return code;
    const char *unnamed = statement_unnamed(sql);
    if (unnamed)
        fail_msg("the account of %s is not named: %s", unnamed, sql);
    if (has_any(sql, sizeof seldom / sizeof *seldom, seldom))
        return code;
    snprintf(question, sizeof question, "EXPLAIN QUERY PLAN %s", sql);
    if (__real_sqlite3_prepare_v3(db, question, -1, 0, &plan, NULL) != SQLITE_OK)
        return code; /* a statement without a plan */
    while (sqlite3_step(plan) == SQLITE_ROW) {
        const char *line = (const char *)sqlite3_column_text(plan, 3), *table = walked(line);
        if (table)
            fail_msg("a walk through all of %s: %s", table, sql);
        if (sorts_pages(sql, line))
            fail_msg("each page sorts all that is behind it: %s", sql);
    }
    sqlite3_finalize(plan);
    return code;
}
