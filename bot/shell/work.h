/* Work that takes long: pure jobs on a few threads. Bytes in, bytes out; a job knows nothing of
 * chats, stores or clocks. Its result comes back on the loop's thread as an event, and only if the
 * session it was for still has the version it was asked for: whoever takes it checks that.
 *
 *     work_push(work, &job)           inside the transaction that asks for it
 *     work_commit(work)               the transaction is durable: now it may start
 *     work_rollback(work, mark)       it is not: all that was pushed since `mark` is forgotten
 *     ... work_fd(work) is readable
 *     work_take(work, arena, &done)   until it answers false
 *
 * The queue is fair: sessions take turns, so that one that asks for much holds up itself alone.
 */
#ifndef KOIKOI_WORK_H
#define KOIKOI_WORK_H

#include "arena.h"
#include "err.h"

enum { JOB_BYTES = 16 * 1024 * 1024, JOB_RESULT = 1024 * 1024 };

/* What a job may know of the place it runs in: how long it is wanted. */
struct job_pace {
    int crowd;                  /* sessions that wait for a thread as it begins, over all threads:
                                   it is asked to do so many times less */
    bool (*spent)(void *arg);   /* its time is over, or nobody waits for it any more: end soon */
    void *arg;
};

/* Writes the result into `ret` (of JOB_RESULT bytes). Runs on any thread; but for its pace it must
 * be pure. */
typedef void job_run(struct str input, const struct job_pace *pace, struct buf *ret);

struct job {
    job_run *run;               /* NULL: nothing; the session needs no answer any more, as
                                   work_cancel() */
    int tag;                    /* the asker's own; comes back with the result */
    int64_t session, version;
    struct str input;           /* copied; at most JOB_BYTES */
    int ms;                     /* spent after this time on a thread, divided by what waits; 0:
                                   never */
    bool patient;               /* runs only while no other job waits that could, on half of the
                                   threads */
};
struct job_done {
    int tag;
    int64_t session, version;
    struct str output;
};

struct work;
/* Where the machine is busy its threads stand behind the loop: `behind` is their nice value, 0 ...
 * 19. */
bool work_open(int threads, int behind, struct work **ret, struct err *err) MUST_CHECK;
void work_close(struct work *w);                 /* forgets what waits; what runs is told and waited
                                                    for */
void work_push(struct work *w, const struct job *job);
int work_mark(const struct work *w);
void work_commit(struct work *w);
void work_rollback(struct work *w, int mark);    /* 0: all that is not committed */
/* Jobs of the session that have not begun are forgotten, one that runs is told so; results that
 * come later are dropped. */
void work_cancel(struct work *w, int64_t session);
int work_fd(const struct work *w);
bool work_take(struct work *w, struct arena *a, struct job_done *ret);
int work_waiting(const struct work *w);          /* asked for and not yet taken */

#endif
