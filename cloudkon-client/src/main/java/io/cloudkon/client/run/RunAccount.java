package io.cloudkon.client.run;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.protocol.completeness.CompletenessPhase;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The account of a run: one side of it sends, the other collects, and both see the same books. Here
 * is how far the run is. Thread safe.
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

  /** An account of a run as it stands. */
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
   * The work that is left of the run. After a resume its counts hold from the first receive on that
   * brings nothing: until then, results of tasks that have long run may lie in the response queue.
   *
   * @param taskMicros how long a task kept a slot on average, in microseconds; 0 if none did
   */
  public RemainingWork remaining(Workload workload, double taskMicros) {
    return books.locked(() ->
        Remainder.of(
                workload,
                books.outstanding.size() - books.jobs.outstanding(),
                books.jobs,
                taskMicros)
            .with(books.priority())
            .counted(books.caughtUp));
  }

  /** What the tasks asked for, in microseconds, if all of them are sleeps. */
  public OptionalLong nominalMicros() {
    return books.locked(() ->
        books.onlySleeps && books.sleepMicros > 0
            ? OptionalLong.of(books.sleepMicros)
            : OptionalLong.empty());
  }

  /** How far the run is. */
  public Counts counts() {
    return books.locked(() ->
        new Counts(
            books.completeness.tasks(),
            books.sentTasks,
            books.completeness.finished(),
            books.completeness.phase() != CompletenessPhase.SENDING));
  }

  /** The same; empty if somebody makes a bundle for so long. */
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
   * How far a run is.
   *
   * @param tasks put into bundles
   * @param sent accepted by the request queue
   * @param finished with a final result
   * @param allSent whether no more will be sent
   */
  public record Counts(long tasks, long sent, long finished, boolean allSent) {}
}
