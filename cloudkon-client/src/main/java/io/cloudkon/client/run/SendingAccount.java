package io.cloudkon.client.run;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.protocol.bundler.BundlerPhase;
import io.cloudkon.core.time.Moment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The sending side of a run's account: decides what to send next, and records what was sent. Thread
 * safe.
 */
public final class SendingAccount {
  /**
   * The number of outstanding bundles at which sending waits: more than a queue allows in flight,
   * and few enough to keep in memory.
   */
  private static final int OUTSTANDING = 200_000;

  /** The plan of an HPC job, which is sent alone and at once: bundling does not apply to it. */
  private static final BundlePlan JOB =
      new BundlePlan(1, Limits.FULL_BUNDLE_BYTES, Double.POSITIVE_INFINITY);

  /** How long to wait for a result before the bundler is asked again. */
  private static final long WAIT_NANOS = 100_000_000L;

  private final RunBooks books;
  private final RunOutcome outcome;
  private final CountDownLatch firstSent = new CountDownLatch(1);
  private volatile Consumer<SentBundle> writer = bundle -> {};
  private boolean closed;

  SendingAccount(RunBooks books, RunOutcome outcome) {
    this.books = books;
    this.outcome = outcome;
  }

  /** Creates a bundle that was given its place. */
  @FunctionalInterface
  public interface Numbered {
    /**
     * Returns the bundle. Called under the account's lock, so it must return at once.
     *
     * @param sequence its number
     * @param firstOrdinal the ordinal of its first task
     */
    SentBundle bundle(int sequence, int firstOrdinal);
  }

  /**
   * The plan of where the next bundle ends; {@link BundlePlan#WAIT} while nothing is to be sent.
   *
   * @param allTasks how many tasks the run has; negative if unknown
   * @throws RuntimeException the failure of the run, if it has failed meanwhile
   */
  public BundlePlan plan(Work next, LongSupplier allTasks) {
    return books.locked(() -> planned(next, allTasks));
  }

  /** Like {@link #plan}, but waits while nothing is to be sent. */
  @SuppressWarnings("WaitNotInLoop") // the passing of time alone may also let the bundler continue
  public BundlePlan awaitPlan(Work next, LongSupplier allTasks) throws InterruptedException {
    books.lock.lock();
    try {
      BundlePlan plan = planned(next, allTasks);
      while (plan.waits()) {
        long unused = books.changed.awaitNanos(WAIT_NANOS);
        plan = planned(next, allTasks);
      }
      return plan;
    } finally {
      books.lock.unlock();
    }
  }

  private BundlePlan planned(Work next, LongSupplier allTasks) {
    outcome.checkWell();
    // A client that does not wait for results must not wait for fewer outstanding bundles.
    BundlePlan plan =
        books.outstanding.size() < OUTSTANDING || !books.mayWait
            ? fairly(next, remaining(allTasks.getAsLong()), books.time.now())
            : BundlePlan.WAIT;
    if (plan.waits()) {
      books.bundler.heldBack();
    }
    return plan;
  }

  private long remaining(long allTasks) {
    return allTasks < 0 ? Long.MAX_VALUE : allTasks - books.completeness.tasks();
  }

  private BundlePlan fairly(Work next, long remaining, Moment now) {
    boolean job = next instanceof Work.Hpc;
    BundlePlan plan = job ? JOB : books.bundler.plan(next, remaining, now);
    return books.share.map(of -> of.fit(plan, job, books.bundler.slots(now), now)).orElse(plan);
  }

  /**
   * Sets the slots of the workers that may run the run's tasks and jobs; see {@code
   * FairShare.fleet}.
   */
  public void fleet(int taskSlots, int freeTaskSlots, int jobSlots, int freeJobSlots) {
    books.carryOut(() -> {
      books.share.ifPresent(of -> of.fleet(taskSlots, freeTaskSlots, jobSlots, freeJobSlots));
      books.changed.signalAll();
    });
  }

  /**
   * Sets the listed workers that may run the run's tasks, with their slots.
   *
   * @param idle whether any of them has a free slot
   */
  public void listed(Map<String, Integer> slotsByWorker, boolean idle) {
    books.carryOut(() -> {
      books.bundler.listed(slotsByWorker, idle, books.time.now());
      books.changed.signalAll();
    });
  }

  /** Waits until the request queue has accepted a bundle. */
  public void awaitFirstSent() throws InterruptedException {
    firstSent.await();
  }

  /** The client's priority in a fair cluster; empty elsewhere. */
  public Optional<Priority> priority() {
    return books.priority();
  }

  /**
   * Sets whether no worker is alive and some are being launched; sending then waits for the first
   * answer.
   */
  public void noWorkerYet(boolean none) {
    books.carryOut(() -> {
      books.bundler.noWorkerYet(none, books.time.now());
      books.changed.signalAll();
    });
  }

  /** Whether sending ever waits for the first answers; it does not if the bundle size is fixed. */
  public boolean waitsForAnswers() {
    return books.mayWait && books.bundler.phase() != BundlerPhase.FIXED;
  }

  /** Whether any worker has answered this client. */
  public boolean answered() {
    return books.locked(() -> books.answered);
  }

  /** Records that something other than the sending calls holds the client back. */
  public void heldBack() {
    books.carryOut(books.bundler::heldBack);
  }

  /** The expected duration of a task, in microseconds; NaN if unknown. */
  public double micros(Work work) {
    return books.locked(() -> books.bundler.micros(work));
  }

  /**
   * Gives the next bundle its place, and records it before the following one is made, so that the
   * record has no gaps.
   *
   * @param tasks the number of its tasks
   * @param job whether it is an HPC job, from which the bundler learns nothing
   * @param micros the expected duration of its work in microseconds; NaN if unknown
   * @throws InterruptedException if the account is closed
   */
  public SentBundle make(int tasks, boolean job, double micros, Numbered as)
      throws InterruptedException {
    books.lock.lock();
    try {
      if (closed) {
        throw new InterruptedException("closed");
      }
      int firstOrdinal = books.completeness.tasks();
      int sequence = job ? books.completeness.job() : books.completeness.bundle(tasks);
      SentBundle bundle = as.bundle(sequence, firstOrdinal);
      if (!job) {
        books.bundler.made(sequence, tasks, micros, books.time.now());
      }
      books.sharing(bundle, micros);
      writer.accept(bundle);
      return bundle;
    } finally {
      books.lock.unlock();
    }
  }

  /** Sets the writer that records bundles as they are made; without one, they are not recorded. */
  public void writeDown(Consumer<SentBundle> by) {
    writer = by;
  }

  /** Prevents the making of further bundles. */
  public void close() {
    books.carryOut(() -> closed = true);
  }

  /** Records that a bundle is about to be sent. */
  public void sending(SentBundle bundle) {
    books.carryOut(() -> {
      if (books.outstanding.put(bundle.sequence(), bundle) == null && bundle.job()) {
        books.jobs.sent(bundle.ranks());
      }
      books.sleepMicros += bundle.sleepMicros();
      books.onlySleeps &= bundle.keys().isEmpty();
    });
  }

  /** Records the duration of a call that carried bundles, in microseconds. */
  public void called(long micros) {
    books.carryOut(() -> books.bundler.called(micros));
  }

  /** Records that the request queue accepted a bundle. */
  public void sent(SentBundle bundle) {
    books.carryOut(() -> {
      // Its results may have arrived already; then it is no longer outstanding.
      books.outstanding.computeIfPresent(bundle.sequence(), (k, old) -> bundle);
      books.completeness.sent(bundle.sequence(), books.time.now());
      books.sentTasks += bundle.tasks();
    });
    firstSent.countDown();
  }
}
