/* See work.h. One lock guards three lists: waiting jobs in the order of their commits, running
 * jobs, and unread results. Pushed, uncommitted jobs are on a list of the loop's thread. At most
 * one job of a session runs at a time, so its results come in order. An eventfd is readable while
 * there are results.
 *
 * Fair order: a committed job gets a place, one behind the last of its session, or the place of the
 * job that began last if that is later; the lowest place runs first. So a session's first job never
 * waits for another session's second. */
#include "work.h"
#include "clock.h"

#include "alloc.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

struct task {
    struct task *next;
    struct work *work;
    struct job job; /* its input is the one below */
    int64_t place;  /* in the queue */
    int ahead;      /* of its session, waiting or running before it */
    int64_t end;    /* of its time, by the monotonic clock in ms; 0: none */
    _Atomic bool cancelled;
    char *output;
    size_t n_output;
    char input[];
};

struct work {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread[MAX_THREADS];
    int n_threads, behind;
    int ready; /* eventfd */
    bool ending;
    int n_waiting; /* committed and not yet taken */
    int64_t place; /* of the job that began last */
    struct histogram times;
    struct task *waiting, *running, *done; /* lists, the oldest first */
    struct task *pushed;                   /* the loop's own */
    int n_pushed;
};

static void list_add(struct task **list, struct task *t)
{
    while (*list)
        list = &(*list)->next;
    t->next = NULL;
    *list = t;
}

static void list_remove(struct task **list, const struct task *t)
{
    while (*list != t)
        list = &(*list)->next;
    *list = t->next;
}

static void task_free(struct task *t)
{
    free(t->output);
    free(t);
}

static void list_free(struct task **list)
{
    for (struct task *t = *list, *next; t; t = next) {
        next = t->next;
        task_free(t);
    }
    *list = NULL;
}

/* The job of the lowest place, of those the oldest, whose session has none before it; patient ones
 * last. *ret_crowd: how many sessions have one that could run. Under the lock, for which the loop
 * waits: it looks at each waiting job once. */
static struct task *next_task(struct work *w, int *ret_crowd)
{
    struct task *best = NULL;
    int n_patient = 0;
    *ret_crowd = 0;
    for (const struct task *s = w->running; s; s = s->next)
        n_patient += s->job.patient;
    for (struct task *t = w->waiting; t; t = t->next) {
        bool patient = t->job.patient;
        if (t->ahead > 0 || (patient && 2 * n_patient >= w->n_threads))
            continue; /* half of the threads are for the others */
        ++*ret_crowd;
        if (!best || (best->job.patient && !patient) ||
            (best->job.patient == patient && t->place < best->place))
            best = t;
    }
    return best;
}

static bool spent(void *arg);

static void run(struct task *t, int crowd, char *output)
{
    struct buf b = {output, 0, JOB_RESULT, false};
    struct job_pace pace = {.crowd = crowd, .spent = spent, .arg = t};
    if (t->job.ms)
        t->end = clock_awake_ms() + (t->job.ms + crowd - 1) / crowd;
    t->job.run(t->job.input, &pace, &b);
    t->output = alloc_room(b.n + 1);
    memcpy(t->output, b.p, b.n);
    t->n_output = b.n;
}

/* Under the lock, which is left while the job runs. */
static void run_waiting(struct work *w, struct task *t, int crowd, char *output)
{
    list_remove(&w->waiting, t);
    list_add(&w->running, t);
    w->place = t->place;
    crowd = (crowd + w->n_threads - 1) / w->n_threads;
    pthread_mutex_unlock(&w->lock);
    int64_t since = clock_awake_ms();
    run(t, crowd, output);
    pthread_mutex_lock(&w->lock);
    histogram_add(&w->times, clock_awake_ms() - since);
    list_remove(&w->running, t);
    for (struct task *s = w->waiting; s; s = s->next)
        s->ahead -= s->job.session == t->job.session;
    list_add(&w->done, t);
    pthread_cond_broadcast(&w->wake); /* the session's next may run now */
    eventfd_write(w->ready, 1);
}

/* On the thread of a patient job, which asks now and then whether it must end: what has come
 * meanwhile goes first, also where there is no other thread. */
static void give_way(struct work *w)
{
    char *output = NULL;
    int crowd;
    pthread_mutex_lock(&w->lock);
    for (struct task *t; !w->ending && (t = next_task(w, &crowd)) && !t->job.patient;) {
        output = output ? output : alloc_room(JOB_RESULT);
        run_waiting(w, t, crowd, output);
    }
    pthread_mutex_unlock(&w->lock);
    free(output);
}

static bool spent(void *arg)
{
    const struct task *t = arg;
    if (t->job.patient)
        give_way(t->work);
    return t->cancelled || (t->end && clock_awake_ms() >= t->end);
}

static void *worker(void *arg)
{
    struct work *w = arg;
    char *output = alloc_room(JOB_RESULT);
    /* Of this thread, on Linux: the loop comes first. If it may not be, so be it. */
    if (nice(w->behind) == -1)
        errno = 0;
    pthread_mutex_lock(&w->lock);
    while (!w->ending) {
        int crowd;
        struct task *t = next_task(w, &crowd);
        if (t)
            run_waiting(w, t, crowd, output);
        else
            pthread_cond_wait(&w->wake, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    free(output);
    return NULL;
}

bool work_open(int threads, int behind, struct work **ret, struct err *err)
{
    assert(threads >= 1 && threads <= MAX_THREADS);
    struct work *w = alloc_zeroed(sizeof *w);
    w->behind = behind;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
    w->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int why = w->ready < 0 ? errno : 0;
    while (!why && w->n_threads < threads &&
           !(why = pthread_create(&w->thread[w->n_threads], NULL, worker, w)))
        w->n_threads++;
    if (why) {
        work_close(w);
        return err_set(err, "worker threads: %s", strerror(why));
    }
    *ret = w;
    return true;
}

void work_close(struct work *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    for (struct task *t = w->running; t; t = t->next)
        t->cancelled = true;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    for (int i = 0; i < w->n_threads; i++)
        pthread_join(w->thread[i], NULL);
    list_free(&w->waiting);
    list_free(&w->done);
    list_free(&w->pushed);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
    if (w->ready >= 0)
        close(w->ready);
    free(w);
}

void work_push(struct work *w, const struct job *job)
{
    assert(job->input.n <= JOB_BYTES);
    struct task *t = alloc_zeroed(sizeof *t + job->input.n + 1);
    t->job = *job;
    t->work = w;
    t->job.input.p = t->input;
    if (job->input.n)
        memcpy(t->input, job->input.p, job->input.n);
    list_add(&w->pushed, t);
    w->n_pushed++;
}

int work_savepoint(const struct work *w)
{
    return w->n_pushed;
}

void work_rollback(struct work *w, int mark)
{
    struct task **link = &w->pushed;
    for (int i = 0; i < mark; i++)
        link = &(*link)->next;
    list_free(link);
    w->n_pushed = mark;
}

static void find_place(const struct work *w, struct task *ret)
{
    const struct task *lists[] = {w->running, w->waiting};
    ret->place = w->place;
    ret->ahead = 0;
    for (int i = 0; i < 2; i++)
        for (const struct task *t = lists[i]; t; t = t->next)
            if (t->job.session == ret->job.session) {
                ret->ahead++;
                if (t->place + 1 > ret->place)
                    ret->place = t->place + 1;
            }
}

/* Under the lock. */
static void cancel(struct work *w, int64_t session)
{
    for (struct task **link = &w->waiting, *t; (t = *link);) {
        if (t->job.session != session) {
            link = &t->next;
            continue;
        }
        *link = t->next;
        task_free(t);
        w->n_waiting--;
    }
    struct task *begun[] = {w->running, w->done};
    for (int i = 0; i < 2; i++)
        for (struct task *t = begun[i]; t; t = t->next)
            if (t->job.session == session)
                t->cancelled = true;
}

void work_commit(struct work *w)
{
    if (!w->pushed)
        return;
    pthread_mutex_lock(&w->lock);
    for (struct task *t = w->pushed, *next; t; t = next) {
        next = t->next;
        if (!t->job.run) {
            cancel(w, t->job.session);
            task_free(t);
            continue;
        }
        find_place(w, t);
        list_add(&w->waiting, t);
        w->n_waiting++;
    }
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    w->pushed = NULL;
    w->n_pushed = 0;
}

void work_cancel(struct work *w, int64_t session)
{
    pthread_mutex_lock(&w->lock);
    cancel(w, session);
    pthread_mutex_unlock(&w->lock);
}

int work_fd(const struct work *w)
{
    return w->ready;
}

bool work_next(struct work *w, struct arena *a, struct job_done *ret)
{
    bool any = false;
    while (!any) {
        pthread_mutex_lock(&w->lock);
        struct task *t = w->done;
        if (t) {
            list_remove(&w->done, t);
            w->n_waiting--;
        } else {
            eventfd_t seen;
            (void)eventfd_read(w->ready, &seen);
        }
        pthread_mutex_unlock(&w->lock);
        if (!t)
            return false;
        any = !t->cancelled;
        if (any)
            *ret = (struct job_done){t->job.tag, t->job.session, t->job.version,
                                     arena_str(a, (struct str){t->output, t->n_output})};
        task_free(t);
    }
    return true;
}

int work_waiting(struct work *w)
{
    pthread_mutex_lock(&w->lock);
    int n = w->n_waiting;
    pthread_mutex_unlock(&w->lock);
    return n;
}

struct histogram work_times(struct work *w)
{
    pthread_mutex_lock(&w->lock);
    struct histogram h = w->times;
    pthread_mutex_unlock(&w->lock);
    return h;
}
