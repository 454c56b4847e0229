/* Which addresses are on the public internet: the edges of each range that is not. */
#include <arpa/inet.h>
#include <stdio.h>

#include "address.h"
#include "engine/test.h"

static bool is_public(const char *text)
{
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
        return address_is_public((const struct sockaddr *)&in);
    assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
    return address_is_public((const struct sockaddr *)&in6);
}

TEST(private_and_special_addresses_are_not_public)
{
    static const char *const none[] = {"0.0.0.0",
                                       "0.255.255.255",
                                       "10.0.0.0",
                                       "10.255.255.255",
                                       "100.64.0.0",
                                       "100.127.255.255",
                                       "127.0.0.1",
                                       "127.255.255.255",
                                       "169.254.0.0",
                                       "169.254.169.254",
                                       "172.16.0.0",
                                       "172.31.255.255",
                                       "192.0.0.0",
                                       "192.0.0.255",
                                       "192.0.2.1",
                                       "192.88.99.1",
                                       "192.168.0.0",
                                       "192.168.255.255",
                                       "198.18.0.0",
                                       "198.19.255.255",
                                       "198.51.100.7",
                                       "203.0.113.7",
                                       "224.0.0.0",
                                       "239.255.255.255",
                                       "240.0.0.0",
                                       "255.255.255.255",
                                       "::",
                                       "::1",
                                       "::ffff:8.8.8.8",
                                       "::ffff:127.0.0.1",
                                       "::8.8.8.8",
                                       "64:ff9b::808:808",
                                       "64:ff9b:1::1",
                                       "100::1",
                                       "2001::1",
                                       "2001:1ff::1",
                                       "2001:db8::1",
                                       "2002:7f00:1::",
                                       "2002:808:808::",
                                       "3fff::1",
                                       "4000::1",
                                       "fc00::1",
                                       "fd12:3456::1",
                                       "fe80::1",
                                       "fec0::1",
                                       "ff02::1",
                                       "5f00::1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (is_public(none[i]))
            fail_msg("%s counts as public", none[i]);
}

TEST(others_are_public)
{
    static const char *const all[] = {
        "1.0.0.0",         "9.255.255.255",   "11.0.0.0",       "100.63.255.255",
        "100.128.0.0",     "126.255.255.255", "128.0.0.0",      "169.253.255.255",
        "169.255.0.0",     "172.15.255.255",  "172.32.0.0",     "192.0.1.0",
        "192.167.255.255", "192.169.0.0",     "198.17.255.255", "198.20.0.0",
        "8.8.8.8",         "223.255.255.255", "2001:200::1",    "2001:4860:4860::8888",
        "2606:4700::1111", "2a00::1",         "3ffe::1"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!is_public(all[i]))
            fail_msg("%s does not count as public", all[i]);
}

TEST(other_families_are_not)
{
    const struct sockaddr local = {.sa_family = AF_UNIX}, unset = {.sa_family = AF_UNSPEC};
    assert_false(address_is_public(&local));
    assert_false(address_is_public(&unset));
}
