/* See arena_program.h. */
#include "arena_program.h"
#include "view_json.h"

#include <inttypes.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 256 * 1024, COMMAND = 1000 };

bool arena_program_start(struct arena_program *p, struct err *err)
{
    char command[COMMAND + 1];
    int in[2], out[2];

    if (p->command.n > COMMAND || pipe(in) != 0 || pipe(out) != 0)
        return err_set(err, "cannot start %.*s", STR_ARG(p->command));
    memcpy(command, p->command.p, p->command.n);
    command[p->command.n] = '\0';
    p->pid = fork();
    if (p->pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    p->to = fdopen(in[1], "w");
    p->from = fdopen(out[0], "r");
    return p->pid > 0 && p->to != NULL && p->from != NULL
               ? true
               : err_set(err, "cannot start %s", command);
}

static void ask(struct arena_program *p, const struct view *v, uint64_t seed)
{
    static char line[LINE];
    struct buf b = BUF(line);

    buf_print(&b, "{\"id\":%" PRId64 ",\"do\":\"advise\",\"level\":\"master\",\"seed\":%" PRIu64,
              ++p->id, seed & 0xffffffff);
    if (p->visits || p->ms)
        buf_print(&b, ",\"%s\":%" PRId64, p->visits ? "visits" : "ms",
                  p->visits ? p->visits : p->ms);
    buf_put(&b, STR(",\"view\":{"));
    view_write(&b, v, NULL);
    buf_put(&b, STR("}}\n"));
    fwrite(b.p, 1, b.n, p->to);
    fflush(p->to);
}

/* The one of the legal moves that is meant: a take may be left out where there is one answer. */
static bool complete(const struct view *v, struct move m, bool take_given, struct move *ret)
{
    for (int i = 0; i < v->n_legal; i++) {
        const struct move *l = &v->legal[i];
        if (l->kind == m.kind && (m.kind != MOVE_PLAY || l->card == m.card) &&
            (!take_given || l->take == m.take)) {
            *ret = *l;
            return true;
        }
    }
    return false;
}

bool arena_program_pick(void *self, const struct ruleset *g, const struct view *v, uint64_t seed,
                        struct move *ret)
{
    static char line[LINE];
    struct arena_program *p = self;
    struct err err;
    struct move m;
    bool given = false;

    (void)g;
    ask(p, v, seed);
    if (fgets(line, sizeof line, p->from) == NULL)
        return false;
    cJSON *answer = json_parse(str_trim(str_of(line)), &err);
    bool ok = answer != NULL && move_read(json_member(answer, "move"), &m, &given, &err) &&
              complete(v, m, given, ret);
    if (!ok)
        fprintf(stderr, "%.*s: %s\n", STR_ARG(p->command), line);
    cJSON_Delete(answer);
    return ok;
}

void arena_program_stop(struct arena_program *p)
{
    if (p->pid <= 0)
        return;
    fclose(p->to);
    fclose(p->from);
    waitpid(p->pid, NULL, 0);
    p->pid = 0;
}
