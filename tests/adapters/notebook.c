/* The smallest network: one that only writes. Each message becomes a line of a file, and no
 * answer comes. The contract test holds it to the promises of every adapter, so it shows what those ask
 * for at the least:
 *
 *     poll     is never without a request: where no news can come, a descriptor that never has any
 *     what     the name of the request in logs, of a REQUEST_DONE too
 *     read     takes any bytes, and finds no update in them
 *     send     writes at once what it needs no network for; receipt then tells what became of it
 *     open     refuses a bad option in one line that names it
 *
 * Of the verbs that may be NULL it has none. As adapters/notebook.c it would be a network of the
 * program, with a section [notebook]. */
#include "adapter.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct notebook {
    struct str file; /* an option */
    int page, never; /* never: readable */
    bool full;       /* the last line could not be written */
};

static const struct option options[] = {
    {.key = "file",
     .kind = OPTION_TEXT,
     .fallback = "",
     .about = "File to which each message is added as a line, with its whole path.",
     .offset = offsetof(struct notebook, file)},
    {.key = NULL},
};

static bool configured(const void *account)
{
    return ((const struct notebook *)account)->file.n > 0;
}

static bool open_notebook(void *account, struct arena *process, uint32_t *can,
                          struct limits *limits, struct err *err)
{
    (void)can, (void)limits;
    struct notebook *n = account;
    if (!str_starts(n->file, STR("/")))
        return err_set(err, "[notebook] file: is not a whole path");
    n->page = open(arena_str(process, n->file).p, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (n->page < 0)
        return err_set(err, "[notebook] file: cannot be opened: %s", strerror(errno));
    n->never = eventfd(0, EFD_CLOEXEC);
    if (n->never < 0) {
        close(n->page);
        return err_set(err, "[notebook]: %s", strerror(errno));
    }
    return true;
}

static void poll_notebook(void *account, struct arena *turn, struct str cursor, struct request *ret)
{
    (void)turn, (void)cursor;
    *ret = (struct request){
        .kind = REQUEST_WATCH, .what = STR("nothing"), .fd = ((struct notebook *)account)->never};
}

static bool read_notebook(void *account, struct arena *turn, const struct reply *reply,
                          struct batch *ret, struct err *err)
{
    (void)account, (void)turn, (void)reply, (void)err;
    *ret = (struct batch){0};
    return true;
}

static void send_notebook(void *account, struct arena *turn, const struct outgoing *out,
                          struct request *ret)
{
    struct notebook *n = account;
    struct str line = arena_print(turn, "%.*s: %.*s\n", STR_ARG(out->chat), STR_ARG(out->text));
    n->full = out->kind == OUT_POST && write(n->page, line.p, line.n) != (ssize_t)line.n;
    *ret = (struct request){.kind = REQUEST_DONE, .what = STR("write")};
}

static void receipt_notebook(void *account, struct arena *turn, const struct outgoing *out,
                             const struct reply *reply, struct receipt *ret)
{
    (void)turn, (void)out, (void)reply;
    *ret = ((struct notebook *)account)->full
               ? (struct receipt){.kind = LATER, .note = STR("the file takes no more")}
               : (struct receipt){.kind = SENT};
}

static void close_notebook(void *account)
{
    struct notebook *n = account;
    close(n->page);
    close(n->never);
}

extern const struct adapter notebook_adapter;
const struct adapter notebook_adapter = {
    .name = "notebook",
    .title = "Notebook",
    .limits = {.in_flight = 1},
    .account_size = sizeof(struct notebook),
    .options = options,
    .configured = configured,
    .needs = "file",
    .open = open_notebook,
    .poll = poll_notebook,
    .read = read_notebook,
    .send = send_notebook,
    .receipt = receipt_notebook,
    .close = close_notebook,
};
