/* Largest matching in a graph of at most 64 players: Edmonds' blossom algorithm, with a greedy
 * beginning. It tells whether a choice of the Swiss pairing leaves the others somebody to play. */
#include "tournament.h"

enum { MOST = ENTRANTS_MOST, NONE = -1 };

struct matching {
    const uint64_t *allowed;
    uint64_t players;
    int mate[MOST], parent[MOST], base[MOST];
    uint64_t reached; /* even vertices of the tree */
    int queue[MOST], head, tail;
};

static uint64_t bit(int i)
{
    return (uint64_t)1 << i;
}

/* The nearest common ancestor of two even vertices. */
static int common_base(const struct matching *s, int a, int b)
{
    uint64_t seen = 0;
    for (int v = s->base[a];; v = s->base[s->parent[s->mate[v]]]) {
        seen |= bit(v);
        if (s->mate[v] == NONE)
            break;
    }
    int v = s->base[b];
    while (!(seen >> v & 1))
        v = s->base[s->parent[s->mate[v]]];
    return v;
}

static void mark_path(struct matching *s, uint64_t *blossom, int v, int base, int child)
{
    while (s->base[v] != base) {
        *blossom |= bit(s->base[v]) | bit(s->base[s->mate[v]]);
        s->parent[v] = child;
        child = s->mate[v];
        v = s->parent[child];
    }
}

static void reach(struct matching *s, int v)
{
    s->reached |= bit(v);
    s->queue[s->tail++] = v;
}

static void contract(struct matching *s, int v, int to)
{
    int base = common_base(s, v, to);
    uint64_t blossom = 0;
    mark_path(s, &blossom, v, base, to);
    mark_path(s, &blossom, to, base, v);
    for (int i = 0; i < MOST; i++)
        if (blossom >> s->base[i] & 1) {
            s->base[i] = base;
            if (!(s->reached >> i & 1))
                reach(s, i);
        }
}

/* Looks along the edges of an even vertex. Returns the free end of an augmenting path, or NONE. */
static int look_from(struct matching *s, int v, int root)
{
    uint64_t edges = s->allowed[v] & s->players;
    for (int to = 0; to < MOST; to++) {
        if (!(edges >> to & 1) || s->base[v] == s->base[to] || s->mate[v] == to)
            continue;
        if (to == root || (s->mate[to] != NONE && s->parent[s->mate[to]] != NONE)) {
            contract(s, v, to);
        } else if (s->parent[to] == NONE) {
            s->parent[to] = v;
            if (s->mate[to] == NONE)
                return to;
            if (!(s->reached >> s->mate[to] & 1))
                reach(s, s->mate[to]);
        }
    }
    return NONE;
}

static int free_end(struct matching *s, int root)
{
    s->reached = 0;
    s->head = s->tail = 0;
    for (int i = 0; i < MOST; i++) {
        s->parent[i] = NONE;
        s->base[i] = i;
    }
    reach(s, root);
    while (s->head < s->tail) {
        int end = look_from(s, s->queue[s->head++], root);
        if (end != NONE)
            return end;
    }
    return NONE;
}

static void pair(struct matching *s, int a, int b)
{
    s->mate[a] = b;
    s->mate[b] = a;
}

int matching_size(const uint64_t *allowed, uint64_t players)
{
    struct matching s = {.allowed = allowed, .players = players};
    int pairs = 0;
    for (int i = 0; i < MOST; i++)
        s.mate[i] = NONE;
    for (int v = 0; v < MOST; v++) { /* the greedy beginning */
        uint64_t edges = players >> v & 1 ? allowed[v] & players : 0;
        for (int to = 0; to < MOST && s.mate[v] == NONE; to++)
            if (edges >> to & 1 && s.mate[to] == NONE) {
                pair(&s, v, to);
                pairs++;
            }
    }
    for (int root = 0; root < MOST; root++) {
        int v = players >> root & 1 && s.mate[root] == NONE ? free_end(&s, root) : NONE;
        pairs += v != NONE;
        while (v != NONE) { /* turns the augmenting path over */
            int before = s.parent[v], next = s.mate[before];
            pair(&s, v, before);
            v = next;
        }
    }
    return pairs;
}

bool matching_is_complete(const uint64_t *allowed, uint64_t players)
{
    int n = 0;
    for (uint64_t rest = players; rest; rest &= rest - 1)
        n++;
    return n % 2 == 0 && matching_size(allowed, players) == n / 2;
}
