/* See db_words.h. */
#include "db_words.h"

#include "alloc.h"

#include <assert.h>

enum { GROWTH = 5 }; /* of the word that grows most */

char *db_words_put(struct str sql, int n, const struct db_word *words)
{
    size_t cap = sql.n * GROWTH + 1;
    char *text = alloc_room(cap);
    struct buf b = {text, 0, cap, false};
    while (sql.n) {
        size_t plain = 0; /* every word begins with a capital or a blank */
        int i = 0;
        while (plain < sql.n && (sql.p[plain] > 'Z' || sql.p[plain] < ' '))
            plain++;
        buf_put(&b, (struct str){sql.p, plain});
        sql = str_skip(sql, plain);
        while (i < n && !str_starts(sql, words[i].word))
            i++;
        buf_put(&b, i < n ? words[i].ours : (struct str){sql.p, sql.n > 0});
        sql = str_skip(sql, i < n ? words[i].word.n : 1);
    }
    buf_char(&b, '\0');
    assert(!b.cut);
    return text;
}
