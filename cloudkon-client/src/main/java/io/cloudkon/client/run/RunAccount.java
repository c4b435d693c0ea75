package io.cloudkon.client.run;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.SlotTimes;
import io.cloudkon.core.protocol.completeness.CompletenessPhase;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The account of a run, with a sending side and a collecting side that share the same books. Holds
 * the run's progress. Thread safe.
 */
public final class RunAccount {
  private final RunBooks books;
  private final RunOutcome outcome;
  private final SendingAccount sending;
  private final CollectingAccount collecting;

  /** An account of a run of which nothing was sent. */
  public RunAccount(RunOptions options, String epoch, TimeSource time) {
    this(options, ResumeState.fresh(options, epoch), time, new RunOutcome());
  }

  /** An account of a run in a given state. */
  public RunAccount(RunOptions options, ResumeState state, TimeSource time, RunOutcome outcome) {
    this.books = new RunBooks(options, state, time);
    this.outcome = outcome;
    this.sending = new SendingAccount(books, outcome);
    this.collecting = new CollectingAccount(books);
  }

  /** Whether work on the run is over, and how. */
  public RunOutcome outcome() {
    return outcome;
  }

  /** The side that sends. */
  public SendingAccount sending() {
    return sending;
  }

  /** The side that collects. */
  public CollectingAccount collecting() {
    return collecting;
  }

  /** The bundles without all results, as they were sent. */
  public List<SentBundle> outstanding() {
    return books.locked(() -> List.copyOf(books.outstanding.values()));
  }

  /**
   * The remaining work of the run. After a resume, its counts are valid only after the first empty
   * receive: until then, results of tasks that ended long ago may wait in the response queue.
   *
   * @param measured the average slot times of what has run
   */
  public RemainingWork remaining(Workload workload, SlotTimes measured) {
    return books.locked(() ->
        Remainder.of(
                workload, books.outstanding.size() - books.jobs.outstanding(), books.jobs, measured)
            .with(books.priority())
            .counted(books.caughtUp));
  }

  /** The total time that the tasks ask for, in microseconds, if all of them are sleeps. */
  public OptionalLong nominalMicros() {
    return books.locked(() ->
        books.onlySleeps && books.sleepMicros > 0
            ? OptionalLong.of(books.sleepMicros)
            : OptionalLong.empty());
  }

  /** The progress of the run. */
  public Counts counts() {
    return books.locked(() ->
        new Counts(
            books.completeness.tasks(),
            books.sentTasks,
            books.completeness.finished(),
            books.completeness.phase() != CompletenessPhase.SENDING,
            books.jobs.outstanding()));
  }

  /**
   * The progress of the run; empty if another thread holds the lock for that long, to make a
   * bundle.
   */
  public Optional<Counts> countsWithin(long millis) {
    try {
      if (!books.lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      return Optional.of(counts());
    } finally {
      books.lock.unlock();
    }
  }

  /**
   * The progress of a run.
   *
   * @param tasks the number of tasks put into bundles
   * @param sent the number accepted by the request queue
   * @param finished the number with a final result
   * @param allSent whether no more will be sent
   * @param openJobs the number of HPC jobs in bundles without a final result
   */
  public record Counts(long tasks, long sent, long finished, boolean allSent, int openJobs) {}
}
