/* Worker pool for jobs that take long: pure functions from bytes to bytes, without chats, stores or
 * clocks. The loop's thread reads the result as an event, and drops it if the session has another
 * version by then.
 *
 *     work_push(work, &job)           inside the transaction that asks for it
 *     work_commit(work)               the transaction is durable: the job may start
 *     work_rollback(work, mark)       it failed: drops all jobs pushed since work_savepoint()
 *     ... work_fd(work) is readable
 *     work_next(work, arena, &done)   until it returns false
 *
 * The queue is fair: sessions take turns, so that one with many jobs delays only itself.
 */
#ifndef KOIKOI_WORK_H
#define KOIKOI_WORK_H

#include "arena.h"
#include "err.h"
#include "histogram.h"

enum { JOB_BYTES = 16 * 1024 * 1024, JOB_RESULT = 1024 * 1024 };

/* Limits of a job's computation. */
struct job_pace {
    int crowd; /* sessions that wait, per thread, as it begins: so many times less to do */
    bool (*spent)(void *arg); /* true when its time is over or it was cancelled: end soon */
    void *arg;
};

/* Writes the result into `ret` (of JOB_RESULT bytes). Runs on any thread; pure, except for its
 * pace. */
typedef void job_run(struct str input, const struct job_pace *pace, struct buf *ret);

struct job {
    job_run *run; /* NULL: no job, but work_cancel() at the commit */
    int tag;      /* the caller's; comes back with the result */
    int64_t session, version;
    struct str input; /* copied; at most JOB_BYTES */
    int ms;           /* time on a thread, divided by crowd, until `spent`; 0: no limit */
    bool patient;     /* runs only while no other job can, on half of the threads, and lets others
                         go first whenever it calls `spent` */
};
struct job_done {
    int tag;
    int64_t session, version;
    struct str output;
};

struct work;
/* `behind` is the threads' nice value, 0 ... 19, so that the loop comes first on a busy machine. */
bool work_open(int threads, int behind, struct work **ret, struct err *err) MUST_CHECK;
/* Drops waiting jobs; cancels running ones and waits for them. */
void work_close(struct work *w);
void work_push(struct work *w, const struct job *job);
int work_savepoint(const struct work *w);
void work_commit(struct work *w);
void work_rollback(struct work *w, int mark); /* 0: all uncommitted jobs */
/* Drops the session's waiting jobs and cancels the running one; later results are dropped. */
void work_cancel(struct work *w, int64_t session);
int work_fd(const struct work *w);
bool work_next(struct work *w, struct arena *a, struct job_done *ret);
int work_waiting(struct work *w); /* committed, result not yet read */
/* How long jobs ran on their threads, cancelled ones too. */
struct histogram work_times(struct work *w);

#endif
