/* `koikoi engine`: the protocol on standard input and output. */
#include "protocol.h"
#include "clock.h"

/* Reads one line without its line feed; of a longer one, the first `size` bytes. Returns false at
 * the end. */
static bool read_request(FILE *in, char *room, size_t size, struct str *ret)
{
    size_t n = 0;
    int c;
    while ((c = getc_unlocked(in)) != EOF && c != '\n')
        if (n < size)
            room[n++] = (char)c;
    *ret = (struct str){room, n};
    return c != EOF || n > 0;
}

bool protocol_serve(FILE *in, FILE *out, struct str folder)
{
    char *room = malloc(PROTOCOL_LINE_MAX + 1), *text = malloc(PROTOCOL_ANSWER_MAX);
    struct protocol *p = protocol_open(folder, clock_awake_ms);
    struct str line;
    bool ok = true;
    if (!room || !text)
        abort();
    while (ok && read_request(in, room, PROTOCOL_LINE_MAX + 1, &line)) {
        struct buf b = {text, 0, PROTOCOL_ANSWER_MAX, false};
        protocol_line(p, line, &b);
        ok = fwrite(b.p, 1, b.n, out) == b.n && fflush(out) == 0;
    }
    protocol_close(p);
    free(room);
    free(text);
    return ok;
}

int protocol_main(int argc, char **argv)
{
    (void)argv;
    if (argc != 1) {
        fprintf(stderr, "usage: koikoi engine < requests > answers\n");
        return 2;
    }
    return protocol_serve(stdin, stdout, str_of(getenv("KOIKOI_RULES_DIR"))) ? 0 : 1;
}
