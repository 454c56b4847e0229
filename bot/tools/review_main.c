/* `koikoi review FILE`: the review of a record in the words of a catalogue. Prints the pages that
 * chats get, the whole match first, then round by round. */
#include "match_review_make.h"

#include "file.h"
#include "present.h"
#include "record_read.h"
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROOM = 64 << 20 };

struct arguments {
    int64_t visits, seed;
    struct str language;
    const char *file;
};

static bool wrong(const char *what)
{
    fprintf(stderr, "koikoi review: %s\n", what);
    return false;
}

static bool read_arguments(int argc, char **argv, struct arguments *ret)
{
    *ret = (struct arguments){.visits = REVIEW_VISITS, .seed = 1, .language = STR("en")};
    for (int i = 1; i < argc; i++) {
        struct str name = str_of(argv[i]), value = i + 1 < argc ? str_of(argv[i + 1]) : STR("");
        bool visits = str_is(name, STR("--visits")), seed = str_is(name, STR("--seed"));
        if (visits || seed) {
            int64_t *n = visits ? &ret->visits : &ret->seed;
            if (!str_int(value, n) || *n < visits || *n > 1000 * 1000)
                return wrong(visits ? "--visits: expected 1 to 1000000"
                                    : "--seed: expected 0 to 1000000");
            i++;
        } else if (str_is(name, STR("--language"))) {
            ret->language = value;
            i++;
        } else if (name.n > 1 && name.p[0] == '-') {
            return wrong("unknown option");
        } else if (ret->file) {
            return wrong("expected one FILE, got two");
        } else {
            ret->file = argv[i];
        }
    }
    if (!ret->file)
        fprintf(stderr, "usage: koikoi review [--visits N] [--seed S] [--language L] FILE\n");
    return ret->file;
}

/* A percentage, written over, if stderr is a terminal. */
static void progress(void *arg, int done, int of)
{
    int *shown = arg, now = of ? 100 * done / of : 100;
    if (now == *shown || !isatty(STDERR_FILENO))
        return;
    *shown = now;
    fprintf(stderr, done == of ? "\r      \r" : "\r%3d %%\r", now);
}

/* The table of the finished match: names and scores. */
static void table_of_review(struct arena *a, const struct match_review *l,
                            const struct rules *rules, struct str names, const struct match *end,
                            struct table *ret)
{
    *ret = (struct table){.players = l->players, .phase = SESSION_OVER, .rules = *rules};
    ret->view.rules = *rules;
    memcpy(ret->view.scores, end->scores, sizeof ret->view.scores);
    for (int s = 0; s < l->players; s++)
        ret->player[s].name = text_clean(a, str_cut(names, '\n', &names), NAME_COLUMNS);
}

static void print_pages(const struct match_review *l, const struct table *table,
                        const struct languages *languages, struct arena *a)
{
    static const uint8_t key[PRESS_KEY_BYTES];
    const struct bot bot = {.languages = languages, .default_language = languages->at[0]->language};
    const struct world world = {.bot = &bot};
    const struct event event = {.verb = VERB_REVIEW};
    const struct network place = {.can = 0, .limits = {.prefix = STR("koikoi ")}, .key = key};
    const struct networks places = {1, &place};
    struct message *out = arena_array(a, struct message, MAX_OUTGOING);
    for (int i = 0; i <= l->n_rounds; i++) {
        struct effects *fx = arena_new(a, struct effects);
        fx->arena = a;
        struct notice *notice = effect_notice(fx, NOTICE_REVIEW, TO_HERE);
        notice->review = l;
        notice->n = i;
        notice->table = table;
        int n = present(&world, &event, fx, &places, out);
        for (int k = 0; k < n; k++)
            printf("%s%.*s\n", i ? "\n" : "", STR_ARG(out[k].out.text));
    }
}

static bool review(const struct arguments *with, struct str record, struct arena *a,
                   struct err *err)
{
    struct languages languages;
    struct match_review *l = NULL;
    struct match end;
    struct rules rules;
    char names[8 * 1024];
    struct buf b = BUF(names);
    int shown = -1, line = 0;
    const struct match_review_how how = {.visits = (uint32_t)with->visits,
                                         .seed = (uint64_t)with->seed,
                                         .progress = progress,
                                         .arg = &shown};
    if (!texts_load(STR(""), with->language, true, a, &languages, err))
        return false;
    if (!match_review_make(record, &how, &l, &end, &rules, &b, &line, err))
        return line > 0 ? err_wrap(err, "%s: line %d", with->file, line) : false;
    struct table *table = arena_new(a, struct table);
    table_of_review(a, l, &rules, buf_str(&b), &end, table);
    print_pages(l, table, &languages, a);
    free(l);
    return true;
}

int review_main(int argc, char **argv)
{
    struct arguments with;
    struct str record;
    struct err err = {""};
    if (!read_arguments(argc, argv, &with))
        return 2;
    struct arena *a = arena_open(ROOM);
    bool good = file_read(with.file, RECORD_FILE_LIMIT, &record, &err);
    if (good) {
        good = review(&with, record, a, &err);
        file_free(record);
    }
    if (!good)
        fprintf(stderr, "koikoi review: %s\n", err.text);
    arena_close(a);
    return good && fflush(stdout) == 0 ? 0 : 1;
}
