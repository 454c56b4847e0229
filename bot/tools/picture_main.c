/* See picture_main.h. */
#include "picture_main.h"

#include "alloc.h"
#include "file.h"
#include "picture.h"

#include <stdio.h>

/* A line feed at the end of the file is no row. */
static struct str without_end(struct str text)
{
    text.n -= text.n > 0 && text.p[text.n - 1] == '\n';
    return text;
}

static bool draw(const char *name, struct decks *decks, struct err *err)
{
    struct str text;
    struct picture_ask ask;
    struct buf png = {alloc_room(JOB_RESULT), 0, JOB_RESULT, false};
    bool good = file_read(name, LAYOUT_BYTES, &text, err);
    if (good) {
        good = picture_ask(decks, without_end(text), &ask, err) && picture_draw(&ask, &png, err);
        file_free(text);
    }
    if (good && fwrite(png.p, 1, png.n, stdout) != png.n)
        good = err_set(err, "standard output: cannot write");
    free(png.p);
    return good;
}

int picture_main(int argc, char **argv)
{
    struct err err = {""};
    struct str folder = {0};
    if (argc == 4 && strcmp(argv[1], "--decks") == 0)
        folder = str_of(argv[2]);
    else if (argc != 2) {
        fprintf(stderr, "koikoi picture: expected [--decks FOLDER] FILE\n");
        return 2;
    }
    struct decks *decks = decks_open(folder);
    bool good = draw(argv[argc - 1], decks, &err);
    decks_close(decks);
    if (!good)
        fprintf(stderr, "koikoi picture: %s\n", err.text);
    return good ? 0 : 1;
}
