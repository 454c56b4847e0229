/* See embedded.h. The Makefile makes the list from the files of config/; those of pages are compressed
 * first. */
#include "embedded.h"

#define FILE(symbol, name, path) extern const char symbol##_start[], symbol##_end[];
#include "embedded.inc"
#undef FILE

#define FILE(symbol, name, path)                                                                   \
    __asm__(".section .rodata\n.balign 16\n.global " #symbol "_start\n" #symbol "_start:\n"        \
            ".incbin \"" path "\"\n.global " #symbol "_end\n" #symbol                              \
            "_end:\n.byte 0\n.previous\n");
#include "embedded.inc"
#undef FILE

struct place {
    const char *name, *start, *end;
};
static const struct place places[] = {
#define FILE(symbol, name, path) {name, symbol##_start, symbol##_end},
#include "embedded.inc"
#undef FILE
    {NULL, NULL, NULL},
};

int embedded_count(void)
{
    return (int)(sizeof places / sizeof *places) - 1;
}

struct embedded embedded_at(int i)
{
    return (struct embedded){places[i].name,
                             {places[i].start, (size_t)(places[i].end - places[i].start)}};
}

struct str embedded_find(struct str name)
{
    for (int i = 0; i < embedded_count(); i++)
        if (str_is(name, str_of(places[i].name)))
            return embedded_at(i).bytes;
    return (struct str){NULL, 0};
}

struct str embedded_commit(void)
{
    return str_trim(embedded_find(STR("commit")));
}
