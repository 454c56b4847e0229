/* Any bytes as the file with the key: taken if they are as many as a key has, refused with a reason,
 * and without a change, otherwise. */
#include <stdint.h>

#include "account_vault.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char key[VAULT_KEY_BYTES] = {7}, before[VAULT_KEY_BYTES] = {7};
    char path[] = "/tmp/koikoi-key-XXXXXX";
    struct err err = {""};
    int fd = mkstemp(path);
    assert(fd >= 0);
    bool written = write(fd, data, size) == (ssize_t)size;
    close(fd);
    bool good = vault_key_read(path, false, key, &err);
    unlink(path);
    assert(written && good == (size == VAULT_KEY_BYTES));
    assert(memcmp(key, good ? data : before, VAULT_KEY_BYTES) == 0);
    assert(good || err.text[0] != '\0');
    return 0;
}
