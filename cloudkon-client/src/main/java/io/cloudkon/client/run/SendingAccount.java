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
 * A run's account as its sending side keeps it: what to send next, and what was sent. Thread safe.
 */
public final class SendingAccount {
  /**
   * Bundles that may be outstanding before sending waits: more than a queue lets be in flight, and
   * few enough to hold.
   */
  private static final int OUTSTANDING = 200_000;

  /** A job travels alone, and at once: it fills nobody's slots by its size. */
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

  /** Describes a bundle that was given its place. */
  @FunctionalInterface
  public interface Numbered {
    /**
     * The bundle. Called under the account's lock: returns at once.
     *
     * @param sequence its number
     * @param firstOrdinal the ordinal of its first task
     */
    SentBundle bundle(int sequence, int firstOrdinal);
  }

  /**
   * Where the next bundle ends; {@link BundlePlan#WAIT} while nothing is to be sent.
   *
   * @param allTasks how many tasks the run has; negative if unknown
   * @throws RuntimeException why the run has failed, if it has meanwhile
   */
  public BundlePlan plan(Work next, LongSupplier allTasks) {
    return books.locked(() -> planned(next, allTasks));
  }

  /** The same, but waits for as long as nothing is to be sent. */
  @SuppressWarnings("WaitNotInLoop") // it may also be time alone that lets the bundler go on
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
    // Who does not wait for results must not wait for fewer to be outstanding.
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

  /** The workers that may run the run's tasks and jobs; see {@code FairShare.fleet}. */
  public void fleet(int taskSlots, int freeTaskSlots, int jobSlots, int freeJobSlots) {
    books.carryOut(() -> {
      books.share.ifPresent(of -> of.fleet(taskSlots, freeTaskSlots, jobSlots, freeJobSlots));
      books.changed.signalAll();
    });
  }

  /** The workers that may run the run's tasks, as they are listed, with their slots. */
  public void listed(Map<String, Integer> slotsByWorker) {
    books.carryOut(() -> {
      books.bundler.listed(slotsByWorker, books.time.now());
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
   * Says whether no worker lives and somebody launches some: then sending waits for the first
   * answer.
   */
  public void noWorkerYet(boolean none) {
    books.carryOut(() -> {
      books.bundler.noWorkerYet(none, books.time.now());
      books.changed.signalAll();
    });
  }

  /** Whether sending ever waits for the first answers: not where a bundle's size is fixed. */
  public boolean waitsForAnswers() {
    return books.mayWait && books.bundler.phase() != BundlerPhase.FIXED;
  }

  /** Whether any worker has answered this client. */
  public boolean answered() {
    return books.locked(() -> books.answered);
  }

  /** Something other than the calls that send holds the client back. */
  public void heldBack() {
    books.carryOut(books.bundler::heldBack);
  }

  /** How long the task is likely to take, in microseconds; NaN if unknown. */
  public double micros(Work work) {
    return books.locked(() -> books.bundler.micros(work));
  }

  /**
   * The next bundle gets its place, and is written down before anybody makes the one behind it, so
   * that what is written down has no gaps.
   *
   * @param tasks how many it holds
   * @param job whether it is an HPC job; bundles of tasks learn nothing from one
   * @param micros how much work it holds; NaN if unknown
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

  /** Sets who writes bundles down as they are made; nobody if this is not called. */
  public void writeDown(Consumer<SentBundle> by) {
    writer = by;
  }

  /** From here on no bundle is made. */
  public void close() {
    books.carryOut(() -> closed = true);
  }

  /** The bundle is about to be sent. */
  public void sending(SentBundle bundle) {
    books.carryOut(() -> {
      if (books.outstanding.put(bundle.sequence(), bundle) == null && bundle.job()) {
        books.jobs.sent(bundle.ranks());
      }
      books.sleepMicros += bundle.sleepMicros();
      books.onlySleeps &= bundle.keys().isEmpty();
    });
  }

  /** A call that carried bundles took so long, in microseconds. */
  public void called(long micros) {
    books.carryOut(() -> books.bundler.called(micros));
  }

  /** The request queue accepted it. */
  public void sent(SentBundle bundle) {
    books.carryOut(() -> {
      // Its results may be here already, and then it is outstanding no more.
      books.outstanding.computeIfPresent(bundle.sequence(), (k, old) -> bundle);
      books.completeness.sent(bundle.sequence(), books.time.now());
      books.sentTasks += bundle.tasks();
    });
    firstSent.countDown();
  }
}
