/* See script.h. */
#include "script.h"

#include "fake/telegram/http/text.h"
#include "fake/telegram/world.h"

#include <ctype.h>

struct script_reader {
    struct story_script *s;
    const char *file;
    int line;
    struct story_step next;
    int open[8], depth;
};

static _Noreturn void wrong(const struct script_reader *r, const char *why, const char *what)
{
    fprintf(stderr, "%s:%d: %s: %s\n", r->file, r->line, why, what);
    exit(2);
}

/* The next word or quoted text; moves *s behind it. Returns NULL at the end. */
static char *word(char **s)
{
    char *p = *s + strspn(*s, " \t");
    if (!*p)
        return NULL;
    char *end = *p == '"' ? strchr(p + 1, '"') : p + strcspn(p, " \t");
    p += *p == '"';
    end = end ? end : p + strlen(p);
    *s = *end ? end + 1 : end;
    *end = 0;
    return p;
}

static int person_of(const struct script_reader *r, const char *key)
{
    static const struct {
        const char *key;
        int who;
    } special[] = {{"anybody", ANYBODY}, {"mover", MOVER}, {"anonymous", ANONYMOUS}};
    for (int i = 0; i < 3; i++)
        if (strcmp(special[i].key, key) == 0)
            return special[i].who;
    for (int i = 0; i < r->s->n_people; i++)
        if (strcmp(r->s->people[i].key, key) == 0)
            return i;
    return NOBODY;
}

static int group_of(const struct script_reader *r, const char *key)
{
    for (int i = 0; i < r->s->n_groups; i++)
        if (strcmp(r->s->groups[i].key, key) == 0)
            return i;
    return NOBODY;
}

static void declare_person(struct script_reader *r, char *rest)
{
    char *key = word(&rest), *id = word(&rest), *name = word(&rest), *more;
    if (!name || r->s->n_people == MAX_PEOPLE)
        wrong(r, "a person needs a key, a number and a name", rest);
    struct cast_person *p = &r->s->people[r->s->n_people++];
    *p = (struct cast_person){key, name, "", "en", strtoll(id, NULL, 10), false, false};
    while ((more = word(&rest))) {
        if (*more == '@')
            p->handle = more + 1;
        else if (strcmp(more, "opened") == 0)
            p->opened = true;
        else if (strcmp(more, "owner") == 0)
            p->owner = true;
        else
            p->language = more;
    }
}

static void declare_group(struct script_reader *r, char *rest)
{
    char *key = word(&rest), *id = word(&rest), *title = word(&rest), *more;
    if (!title || r->s->n_groups == MAX_GROUPS)
        wrong(r, "a group needs a key, a number and a title", rest);
    struct cast_group *g = &r->s->groups[r->s->n_groups++];
    *g = (struct cast_group){.key = key, .title = title, .id = strtoll(id, NULL, 10)};
    while ((more = word(&rest))) {
        g->forum |= strcmp(more, "forum") == 0;
        g->super |= g->forum || strcmp(more, "super") == 0;
        g->admin |= strcmp(more, "admin") == 0;
        g->bare |= strcmp(more, "bare") == 0;
        g->without |= strcmp(more, "without") == 0;
    }
}

static void add(struct script_reader *r, struct story_step one)
{
    struct story_script *s = r->s;
    one.line = r->line;
    if (one.always) {
        if (one.verb != PRESS || one.person < 0 || s->n_always == MAX_ALWAYS)
            wrong(r, "always somebody presses something", one.text ? one.text : "");
        s->always[s->n_always++] = one;
        return;
    }
    if ((s->n & (s->n - 1)) == 0)
        s->steps = must(realloc(s->steps, (size_t)(s->n ? s->n * 2 : 1) * sizeof one));
    s->steps[s->n++] = one;
}

static void set_pattern(const struct script_reader *r, struct story_step *one, const char *text)
{
    one->text = text;
    if (!*text || regcomp(&one->pattern, text, REG_EXTENDED | REG_NEWLINE) != 0)
        wrong(r, "not a regular expression", text);
}

/* "ann@tea/7", "ann", "tea/7" */
static void set_place(const struct script_reader *r, struct story_step *one, char *head)
{
    char *thread = strchr(head, '/'), *at = strchr(head, '@');
    if (thread)
        *thread++ = 0;
    if (at)
        *at++ = 0;
    one->thread = thread ? strtoll(thread, NULL, 10) : 0;
    one->person = person_of(r, head);
    one->group = group_of(r, at ? at : head);
    if ((one->person == NOBODY && one->group == NOBODY) ||
        (at && (one->group == NOBODY || one->person == NOBODY)))
        wrong(r, "nobody and no group has this key", head);
}

static void read_press(const struct script_reader *r, struct story_step *one, char *rest)
{
    static const char *const flags[] = {"late ", "again ", "random ", "last ",
                                        "but ",  "lying ", "stolen "};
    bool *to[] = {&one->late, &one->again, &one->chance, &one->last,
                  &one->but,  &one->lying, &one->stolen};
    for (int i = 0; i < 7;) {
        size_t n = strlen(flags[i]);
        bool found = strncmp(rest, flags[i], n) == 0;
        *to[i] |= found;
        rest += found ? n : 0;
        i = found ? 0 : i + 1;
    }
    set_pattern(r, one, rest);
}

static const struct {
    const char *word;
    enum story_verb verb;
    bool pattern;
} deeds[] = {
    {"presses", PRESS, true},     {"forges", FORGE, false},      {"toast", TOAST, true},
    {"blocks", BLOCKS, false},    {"forgets", FORGETS, false},   {"migrates", MIGRATES, false},
    {"holds", HOLDS, false},      {"releases", RELEASES, false}, {"promotes", PROMOTES, false},
    {"demotes", DEMOTES, false},  {"removes", REMOVES, false},   {"adds", ADDS, false},
    {"pings", PINGS, false},      {"asks", ASK, false},          {"says", CHOOSE, true},
    {"mentions", MENTION, false},
};

/* A line that begins with a person or a group. */
static void read_deed(struct script_reader *r, char *line)
{
    struct story_step one = r->next;
    size_t n = strcspn(line, ">: ");
    char sign = line[n];
    char *rest = sign ? line + n + 1 : line + n;
    bool hidden = sign == '>' && *rest == '>';
    line[n] = 0;
    set_place(r, &one, line);
    rest += hidden;
    rest += strspn(rest, " ");
    if (sign == '>') {
        one.verb = hidden ? SAY_HIDDEN : SAY;
        one.text = rest;
    } else if (sign == ':') {
        one.verb = one.verb == NEVER || one.verb == MOST ? one.verb : EXPECT;
        set_pattern(r, &one, rest);
    } else {
        char *verb = word(&rest);
        size_t i = 0, all = sizeof deeds / sizeof *deeds;
        while (i < all && (!verb || strcmp(verb, deeds[i].word) != 0))
            i++;
        if (i == all)
            wrong(r, "not a step", verb ? verb : line);
        one.verb = deeds[i].verb;
        one.text = rest;
        if (one.verb == PRESS)
            read_press(r, &one, rest);
        else if (deeds[i].pattern)
            set_pattern(r, &one, rest);
    }
    add(r, one);
}

static void read_repeat(struct script_reader *r, char *rest)
{
    struct story_step one = {
        .verb = REPEAT, .person = NOBODY, .group = NOBODY, .within = r->next.within};
    char *times = word(&rest), *until = word(&rest);
    if (!times || r->depth == 8)
        wrong(r, "repeat N [until PLACE: PATTERN]", "");
    one.n = strtoll(times, NULL, 10);
    if (until && strcmp(until, "until") == 0) {
        char *colon = strchr(rest, ':');
        if (!colon)
            wrong(r, "until PLACE: PATTERN", rest);
        *colon++ = 0;
        one.until = true;
        set_place(r, &one, rest);
        set_pattern(r, &one, colon + strspn(colon, " "));
    }
    r->open[r->depth++] = r->s->n;
    add(r, one);
}

static void read_end(struct script_reader *r)
{
    if (r->depth == 0)
        wrong(r, "end of nothing", "end");
    int begin = r->open[--r->depth];
    r->s->steps[begin].other_end = r->s->n;
    add(r, (struct story_step){.verb = END, .other_end = begin, .person = NOBODY, .group = NOBODY});
}

static bool read_control(struct script_reader *r, char *line)
{
    static const struct {
        const char *word;
        enum story_verb verb;
    } controls[] = {
        {"kill", KILL},           {"stop", STOP},  {"start", START},       {"storm", STORM},
        {"gateway", GATEWAY},     {"lose", LOSE},  {"age", AGE},           {"twice", TWICE},
        {"backwards", BACKWARDS}, {"unfed", DEAF}, {"answered", ANSWERED},
    };
    struct story_step one = r->next;
    one.person = one.group = NOBODY;
    one.n = one.seconds = 1;
    char *rest = line, *n, *first = word(&rest);
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        if (strcmp(first, controls[i].word) != 0)
            continue;
        one.verb = controls[i].verb;
        if ((n = word(&rest)))
            one.n = strtoll(n, NULL, 10);
        if ((n = word(&rest)))
            one.seconds = strtoll(n, NULL, 10);
        add(r, one);
        return true;
    }
    return false;
}

static bool prefix(char **line, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*line, word, n) != 0 || (*line)[n] != ' ')
        return false;
    *line += n + strspn(*line + n, " ");
    return true;
}

static void read_line(struct script_reader *r, char *line)
{
    r->next = (struct story_step){.verb = SAY, .within = 10};
    if (prefix(&line, "person")) {
        declare_person(r, line);
        return;
    }
    if (prefix(&line, "group")) {
        declare_group(r, line);
        return;
    }
    if (strcmp(line, "old server") == 0) {
        world_old = true;
        return;
    }
    if (strcmp(line, "stiff server") == 0) {
        world_stiff = true;
        return;
    }
    for (bool more = true; more; line += strspn(line, " ")) {
        more = false;
        if (prefix(&line, "within"))
            r->next.within = strtod(word(&line), NULL), more = true;
        if (prefix(&line, "always"))
            r->next.always = more = true;
        if (prefix(&line, "try"))
            r->next.try = more = true;
        if (prefix(&line, "otherwise"))
            r->next.otherwise = more = true;
    }
    if (prefix(&line, "repeat")) {
        read_repeat(r, line);
    } else if (strcmp(line, "end") == 0) {
        read_end(r);
    } else if (prefix(&line, "who")) {
        r->next.verb = EXPECT;
        read_deed(r, line);
        r->s->steps[r->s->n - 1].verb = WHO;
    } else if (prefix(&line, "most")) {
        r->next.n = strtoll(word(&line), NULL, 10);
        r->next.verb = MOST;
        read_deed(r, line);
    } else {
        bool never = prefix(&line, "never");
        r->next.verb = never ? NEVER : SAY;
        char *copy = must(strdup(line));
        if (never || !read_control(r, copy))
            read_deed(r, line);
        free(copy);
    }
}

void script_read(struct story_script *s, const char *file)
{
    struct script_reader r = {.s = s, .file = file};
    FILE *f = fopen(file, "r");
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    if (!f) {
        perror(file);
        exit(2);
    }
    while ((n = getline(&line, &cap, f)) > 0) {
        r.line++;
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = 0;
        char *from = line + strspn(line, " \t");
        if (*from && *from != '#')
            read_line(&r, must(strdup(from)));
    }
    if (r.depth > 0)
        wrong(&r, "a repeat has no end", "end of file");
    free(line);
    fclose(f);
}
