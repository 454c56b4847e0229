/* `koikoi review FILE`: the review of a record in the words of a catalogue. Prints the pages that
 * chats get, the whole match first, then round by round. */
#include "tool.h"

#include "file.h"
#include "match_review_make.h"
#include "present.h"
#include "record_read.h"
#include "texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct arguments {
    int64_t visits, seed;
    struct str language;
    const char *file;
};

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

enum tool_status review_main(struct tool *t)
{
    struct arguments with = {.visits = REVIEW_VISITS, .seed = 1, .language = STR("en")};
    const struct tool_option options[] = {
        {"--visits", .number = &with.visits, .least = 1, .most = 1000 * 1000},
        {"--seed", .number = &with.seed, .most = 1000 * 1000},
        {"--language", .text = &with.language}};
    struct str record;
    if (!tool_options(t, options, 3))
        return TOOL_MISUSED;
    if (t->argc > 1)
        err_set(&t->err, "expected one FILE, got %d", t->argc);
    if (t->argc != 1)
        return TOOL_USAGE;
    with.file = t->argv[0];
    if (!file_read(with.file, RECORD_FILE_LIMIT, &record, &t->err))
        return TOOL_BAD;
    bool good = review(&with, record, t->a, &t->err);
    file_free(record);
    return good ? TOOL_GOOD : TOOL_BAD;
}
