/* Any bytes as the stored line of a chat's settings and of a person's preferences: what was read is
 * in its range, and written again reads as the same. */
#include <stdint.h>

#include "chat_settings.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void settings_line(struct str line)
{
    char first[1024], second[1024];
    struct buf a = BUF(first), b = BUF(second);
    struct chat_settings c;
    chat_settings_read(line, &c);
    assert(c.rounds <= MAX_ROUNDS && c.time.move_ms >= -1 && c.season_no >= 1);
    struct str written = chat_settings_write(&c, &a);
    chat_settings_read(written, &c);
    assert(!a.cut && str_is(written, chat_settings_write(&c, &b)));
}

static void prefs_line(struct str line)
{
    char first[PREFS_LINE], second[PREFS_LINE];
    struct buf a = BUF(first), b = BUF(second);
    struct person_prefs p, both;
    person_prefs_read(line, &p);
    assert(p.lesson_shown >= 0);
    struct str written = person_prefs_write(&p, &a);
    person_prefs_read(written, &both);
    person_prefs_join(&both, &p); /* one person with themselves */
    assert(!a.cut && str_is(written, person_prefs_write(&both, &b)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str line = {(const char *)data, size};
    settings_line(line);
    prefs_line(line);
    return 0;
}
