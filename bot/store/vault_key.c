/* See vault_key.h. The file is written under another name first: it is there whole or not at
 * all. */
#include "vault_key.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

enum { PATH_MOST = 4096 };

static bool make_key(const char *path, unsigned char key[VAULT_KEY_BYTES], struct err *err)
{
    char fresh[PATH_MOST];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh)
        return err_set(err, "key file: expected a shorter path than %s", path);
    randombytes_buf(key, VAULT_KEY_BYTES);
    int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool good = fd >= 0 && write(fd, key, VAULT_KEY_BYTES) == VAULT_KEY_BYTES;
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (good && file_keep(fresh, path))
        return true;
    return err_set(err, "key file: %s cannot be written: %s", path, strerror(good ? errno : why));
}

/* A core dump would hold the key and what it opened. */
static bool leave_no_core(struct err *err)
{
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 ||
           err_set(err, "key file: core dumps cannot be switched off: %s", strerror(errno));
}

bool vault_key_read(const char *path, bool make, unsigned char ret[VAULT_KEY_BYTES],
                    struct err *err)
{
    bool open;
    if (sodium_init() < 0)
        return err_set(err, "libsodium: cannot be used");
    if (!leave_no_core(err))
        return false;
    if (!vault_key_exists(path, &open)) {
        if (make)
            return make_key(path, ret, err);
        return err_set(err,
                       "key file: expected %s, which opens what the store keeps; bring it back "
                       "from a backup",
                       path);
    }
    struct str bytes;
    if (!file_read(path, 2 * VAULT_KEY_BYTES, &bytes, err))
        return err_wrap(err, "key file");
    bool good = bytes.n == VAULT_KEY_BYTES;
    if (good)
        memcpy(ret, bytes.p, VAULT_KEY_BYTES);
    size_t n = bytes.n;
    sodium_memzero((void *)(uintptr_t)bytes.p, bytes.n);
    file_free(bytes);
    return good ||
           err_set(err, "key file: %s: expected %d bytes, got %zu", path, VAULT_KEY_BYTES, n);
}

bool vault_key_exists(const char *path, bool *ret_open)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    *ret_open = (st.st_mode & (S_IRWXG | S_IRWXO)) != 0;
    return true;
}
