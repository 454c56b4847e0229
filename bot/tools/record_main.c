/* See record_main.h. */
#include "record_main.h"

#include "file.h"
#include "record_read.h"
#include "replay.h"
#include "verify.h"

typedef bool check_fn(struct str record, FILE *out, int *ret_line, struct err *err);

/* Returns 2 for wrong arguments, 1 if the record cannot be read or is wrong. */
static int check_main(const char *name, check_fn *check, int argc, char **argv)
{
    struct err err;
    struct str record;
    int line = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: koikoi %s FILE\n", name);
        return 2;
    }
    if (!file_read(argv[1], RECORD_FILE_LIMIT, &record, &err)) {
        fprintf(stderr, "koikoi %s: %s\n", name, err.text);
        return 1;
    }
    bool ok = check(record, stdout, &line, &err);
    fflush(stdout);
    if (!ok)
        fprintf(stderr, "%s: line %d: %s\n", argv[1], line, err.text);
    file_free(record);
    return ok ? 0 : 1;
}

int replay_main(int argc, char **argv)
{
    return check_main("replay", replay_record, argc, argv);
}

int verify_main(int argc, char **argv)
{
    int status = check_main("verify", verify_record, argc, argv);
    if (status == 0)
        printf("%s: every deck is the one that its sealed seed gives\n", argv[1]);
    return status;
}
