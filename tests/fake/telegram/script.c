/* Reader of a story's script; see story.h. */
#include "story.h"

#include <ctype.h>

struct story_script script;

static struct {
    const char *file;
    int line, open[MAX_DEPTH], depth;
} reader;

static _Noreturn void wrong(const char *why, const char *what)
{
    fprintf(stderr, "%s:%d: %s: %s\n", reader.file, reader.line, why, what ? what : "");
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

/* The number that comes next, or `otherwise`. */
static int64_t number(char **s, int64_t otherwise)
{
    char *w = word(s);
    return w ? strtoll(w, NULL, 10) : otherwise;
}

static int person_of(const char *key)
{
    static const char *const special[] = {"anybody", "mover", "anonymous"};
    for (int i = 0; i < script.n_people; i++)
        if (strcmp(script.people[i].key, key) == 0)
            return i;
    for (int i = 0; i < 3; i++)
        if (strcmp(special[i], key) == 0)
            return ANYBODY - i;
    return NOBODY;
}

static int group_of(const char *key)
{
    for (int i = 0; i < script.n_groups; i++)
        if (strcmp(script.groups[i].key, key) == 0)
            return i;
    return NOBODY;
}

static void declare_person(char *rest)
{
    char *key = word(&rest), *id = word(&rest), *name = word(&rest), *more;
    if (!name || script.n_people == MAX_PEOPLE)
        wrong("a person needs a key, a number and a name", rest);
    struct cast_person *p = &script.people[script.n_people++];
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

static void declare_group(char *rest)
{
    char *key = word(&rest), *id = word(&rest), *title = word(&rest), *more;
    if (!title || script.n_groups == MAX_GROUPS)
        wrong("a group needs a key, a number and a title", rest);
    struct cast_group *g = &script.groups[script.n_groups++];
    *g = (struct cast_group){.key = key, .title = title, .id = strtoll(id, NULL, 10)};
    while ((more = word(&rest))) {
        g->forum |= strcmp(more, "forum") == 0;
        g->super |= g->forum || strcmp(more, "super") == 0;
        g->admin |= strcmp(more, "admin") == 0;
        g->bare |= strcmp(more, "bare") == 0;
        g->without |= strcmp(more, "without") == 0;
    }
}

/* The verb of this word; with ALONE or without. NULL if not found. */
static const struct story_verb *verb_of(const char *w, bool alone)
{
    for (const struct story_verb *v = story_verbs; v->word; v++)
        if (w && strcmp(v->word, w) == 0 && (v->form == ALONE) == alone)
            return v;
    return NULL;
}

static void add(struct story_step one)
{
    one.line = reader.line;
    if (one.always) {
        if (strcmp(one.verb->word, "presses") != 0 || one.person < 0 ||
            script.n_always == MAX_ALWAYS)
            wrong("always somebody presses something", one.text);
        script.always[script.n_always++] = one;
        return;
    }
    script.steps = must(realloc(script.steps, (size_t)(script.n + 1) * sizeof one));
    script.steps[script.n++] = one;
}

static void set_pattern(struct story_step *one, const char *text)
{
    one->text = text;
    if (!*text || regcomp(&one->pattern, text, REG_EXTENDED | REG_NEWLINE) != 0)
        wrong("not a regular expression", text);
}

/* "ann@tea/7", "ann", "tea/7" */
static void set_place(struct story_step *one, char *head)
{
    char *thread = strchr(head, '/'), *at = strchr(head, '@');
    if (thread)
        *thread++ = 0;
    if (at)
        *at++ = 0;
    one->thread = thread ? strtoll(thread, NULL, 10) : 0;
    one->person = person_of(head);
    one->group = group_of(at ? at : head);
    if ((one->person == NOBODY && one->group == NOBODY) ||
        (at && (one->group == NOBODY || one->person == NOBODY)))
        wrong("nobody and no group has this key", head);
}

/* Takes a word at the beginning of *line and the blanks behind it. */
static bool prefix(char **line, const char *w)
{
    size_t n = strlen(w);
    if (strncmp(*line, w, n) != 0 || (*line)[n] != ' ')
        return false;
    *line += n + strspn(*line + n, " ");
    return true;
}

static char *read_press_flags(struct story_step *one, char *rest)
{
    const struct {
        const char *w;
        bool *to;
    } flags[] = {{"late", &one->late},    {"again", &one->again}, {"random", &one->chance},
                 {"last", &one->last},    {"but", &one->but},     {"lying", &one->lying},
                 {"stolen", &one->stolen}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (prefix(&rest, flags[i].w)) {
            *flags[i].to = true;
            i = (size_t)-1; /* from the first again */
        }
    return rest;
}

/* A line that begins with a person or a group: PLACE> TEXT, PLACE>> TEXT, PLACE: PATTERN, PLACE
 * VERB ... `one` may have its verb from a word before it. */
static void read_deed(struct story_step one, char *line)
{
    size_t n = strcspn(line, ">: ");
    char sign[3] = {line[n], line[n] == '>' && line[n + 1] == '>' ? '>' : 0, 0};
    char *rest = line + n + (*sign == ' ' ? 1 : strlen(sign));
    line[n] = 0;
    set_place(&one, line);
    rest += strspn(rest, " ");
    const char *w = *sign == '>' || *sign == ':' ? sign : word(&rest);
    if (!one.verb)
        one.verb = verb_of(w, false);
    if (!one.verb)
        wrong("not a step", w ? w : line);
    if (strcmp(one.verb->word, "presses") == 0)
        rest = read_press_flags(&one, rest);
    if (one.verb->form == PATTERN)
        set_pattern(&one, rest);
    one.text = rest;
    add(one);
}

static void read_repeat(struct story_step one, char *rest)
{
    one.n = number(&rest, 0);
    if (!one.n || reader.depth == MAX_DEPTH)
        wrong("repeat N [until PLACE: PATTERN]", rest);
    if (prefix(&rest, "until")) {
        char *colon = strchr(rest, ':');
        if (!colon)
            wrong("until PLACE: PATTERN", rest);
        *colon++ = 0;
        one.until = true;
        set_place(&one, rest);
        set_pattern(&one, colon + strspn(colon, " "));
    }
    reader.open[reader.depth++] = script.n;
    add(one);
}

static void read_end(struct story_step one)
{
    if (reader.depth == 0)
        wrong("end of nothing", "end");
    one.other_end = reader.open[--reader.depth];
    script.steps[one.other_end].other_end = script.n;
    add(one);
}

static void read_line(char *line)
{
    struct story_step next = {.person = NOBODY, .group = NOBODY, .within = 10};
    if (prefix(&line, "person")) {
        declare_person(line);
        return;
    }
    if (prefix(&line, "group")) {
        declare_group(line);
        return;
    }
    if (strcmp(line, "old server") == 0 || strcmp(line, "stiff server") == 0) {
        *(*line == 'o' ? &world_old : &world_stiff) = true;
        return;
    }
    for (bool more = true; more; line += strspn(line, " ")) {
        more = false;
        if (prefix(&line, "within"))
            next.within = strtod(word(&line), NULL), more = true;
        if (prefix(&line, "always"))
            next.always = more = true;
        if (prefix(&line, "try"))
            next.try = more = true;
        if (prefix(&line, "otherwise"))
            next.otherwise = more = true;
    }
    char *copy = must(strdup(line)), *rest = copy, *first = word(&rest);
    if ((next.verb = verb_of(first, true))) {
        if (!next.verb->act && next.verb->arg) {
            read_repeat(next, rest);
        } else if (!next.verb->act) {
            read_end(next);
        } else {
            next.n = number(&rest, 1);
            next.seconds = number(&rest, 1);
            add(next);
        }
        return; /* the step keeps the copy */
    }
    free(copy);
    if (prefix(&line, "who"))
        next.verb = verb_of("who", false);
    else if (prefix(&line, "never"))
        next.verb = verb_of("never", false);
    else if (prefix(&line, "most")) {
        next.n = number(&line, 0);
        next.verb = verb_of("most", false);
        line += strspn(line, " ");
    }
    read_deed(next, line);
}

void script_read(const char *file)
{
    FILE *f = fopen(file, "r");
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    reader.file = file;
    if (!f) {
        perror(file);
        exit(2);
    }
    while ((n = getline(&line, &cap, f)) > 0) {
        reader.line++;
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = 0;
        char *from = line + strspn(line, " \t");
        if (*from && *from != '#')
            read_line(must(strdup(from)));
    }
    if (reader.depth > 0)
        wrong("a repeat has no end", "end of file");
    free(line);
    fclose(f);
}
