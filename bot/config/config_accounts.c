/* Accounts of the configuration: one a network, and those that have a section of their own. See
 * config_internal.h. */
#include "config_internal.h"

void config_add_fields(struct loading *l, const char *section, const struct option *o, void *base)
{
    for (; o && o->key && l->n < MAX_FIELDS; o++)
        l->at[l->n++] = (struct field){.section = section, .o = o, .base = base};
}

static void add_account(struct loading *l, const char *name, const struct adapter *adapter)
{
    void *state = arena_alloc(l->process, adapter->account_size + 1);
    l->account[l->n_accounts++] = (struct account){.name = str_of(name),
                                                   .adapter = adapter,
                                                   .can = adapter->can,
                                                   .limits = adapter->limits,
                                                   .state = state};
    config_add_fields(l, name, adapter->options, state);
}

void config_make_accounts(struct loading *l)
{
    for (int i = 0; registry[i]; i++)
        add_account(l, registry[i]->name, registry[i]);
}

/* ---- a section of an account of its own ---- */

static bool is_own_name(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!(name.p[i] >= 'a' && name.p[i] <= 'z') && !(name.p[i] >= '0' && name.p[i] <= '9'))
            return false;
    return name.n > 0 && name.n <= ACCOUNT_NAME;
}

bool config_add_account(struct loading *l, struct str section, bool *ret_added, struct err *err)
{
    struct str name, network = str_cut(section, '.', &name);
    const struct adapter *adapter = registry_find(network);
    *ret_added = adapter && is_own_name(name) && section.n > network.n;
    if (!*ret_added)
        return true;
    if (l->n_accounts == MAX_ACCOUNTS)
        return err_set(err, "there are more than %d accounts", MAX_ACCOUNTS);
    add_account(l, arena_str(l->process, section).p, adapter);
    return true;
}

/* ---- checks ---- */

/* "terminal,telegram.second": accounts by their names. The name of a network stands for all accounts
 * of it that are configured; without any, for the one that is called like it. */
static bool is_among(const struct loading *l, struct str list, const struct account *a)
{
    bool named = false, network = false, any = false;
    for (struct str rest = list; rest.n > 0;) {
        struct str word = str_cut(rest, ',', &rest);
        named |= str_is(word, a->name);
        network |= str_is(word, str_of(a->adapter->name));
    }
    for (int i = 0; i < l->n_accounts; i++)
        any |= l->account[i].adapter == a->adapter && a->adapter->configured(l->account[i].state);
    return network && any ? a->adapter->configured(a->state) : named;
}

static struct field *field_of(struct loading *l, const struct account *a, const char *key)
{
    for (int i = 0; i < l->n; i++)
        if (str_is(a->name, str_of(l->at[i].section)) &&
            (!key || strcmp(l->at[i].o->key, key) == 0) && l->at[i].set)
            return &l->at[i];
    return NULL;
}

/* A section of which something is set, but not what its network needs: a token that did not arrive
 * must not end in a quiet terminal. */
static bool check_half(struct loading *l, const struct account *a, struct err *err)
{
    const struct field *set = field_of(l, a, NULL);
    if (!a->adapter->needs || a->adapter->configured(a->state) || !set)
        return true;
    return err_set(err, "[%s] is half set up (%s): %s is missing or empty", a->name.p, set->place,
                   a->adapter->needs);
}

/* A token is one account's: two that ask for its news would take them from each other. */
static bool check_token(struct loading *l, int i, struct err *err)
{
    const struct field *mine = field_of(l, &l->account[i], "token");
    for (int k = 0; k < i && mine && mine->value.n > 0; k++) {
        const struct field *other = field_of(l, &l->account[k], "token");
        if (l->account[k].adapter == l->account[i].adapter && other &&
            str_is(other->value, mine->value))
            return err_set(err, "%s: token: the same as that of [%s]", mine->place,
                           l->account[k].name.p);
    }
    return true;
}

bool config_check_accounts(struct loading *l, struct str only, struct err *err)
{
    for (int i = 0; i < l->n_accounts; i++)
        if ((!only.n || is_among(l, only, &l->account[i])) &&
            (!check_half(l, &l->account[i], err) || !check_token(l, i, err)))
            return false;
    return true;
}

bool config_choose_accounts(struct loading *l, struct str only, struct config *c, struct err *err)
{
    c->n_accounts = 0;
    c->accounts = arena_array(l->process, struct account, (size_t)l->n_accounts + 1);
    for (int i = 0; i < l->n_accounts; i++) {
        const struct account *a = &l->account[i];
        if (only.n ? is_among(l, only, a) : a->adapter->configured(a->state))
            c->accounts[c->n_accounts++] = *a;
    }
    c->terminal_unasked = c->n_accounts == 0 && only.n == 0;
    for (int i = 0; i < l->n_accounts && c->terminal_unasked; i++)
        if (str_is(l->account[i].name, STR("terminal")))
            c->accounts[c->n_accounts++] = l->account[i];
    return c->n_accounts > 0 || (only.n ? err_set(err, "there is no adapter %.*s", STR_ARG(only))
                                        : err_set(err, "no network is configured: nothing to do"));
}
