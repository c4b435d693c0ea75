package io.cloudkon.client.run;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.protocol.completeness.CompletenessPhase;
import io.cloudkon.core.protocol.durations.DurationSum;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The client's two machines, completeness and bundler, behind one lock, and the bundles that are
 * outstanding. Thread safe.
 */
public final class RunAccount {
  /**
   * Bundles that may be outstanding before sending waits: more than a queue lets be in flight, and
   * few enough to hold.
   */
  private static final int OUTSTANDING = 200_000;

  /** How long to wait for a result before the bundler is asked again. */
  private static final long WAIT_NANOS = 100_000_000L;

  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final TimeSource time;
  private final Map<Integer, SentBundle> outstanding = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean complete;
  private @Nullable RuntimeException failure;
  private long sentTasks;
  private long sleepMicros;
  private boolean onlySleeps = true;

  /** An account of a run of which nothing was sent. */
  public RunAccount(RunOptions options, String epoch, TimeSource time) {
    this.time = time;
    this.bundler = new BundlerMachine(options.bundler());
    this.completeness =
        new CompletenessMachine(
            options.run(), epoch, options.consistency().claims(), options.completeness());
  }

  // ---- sending

  /** Makes a bundle: the caller holds {@link #lock} from the plan to the bundle's registration. */
  public void lock() {
    lock.lock();
  }

  public void unlock() {
    lock.unlock();
  }

  /**
   * Where the next bundle ends; {@link BundlePlan#WAIT} while nothing is to be sent. Under {@link
   * #lock}.
   *
   * @throws RuntimeException why the run has failed, if it has meanwhile
   */
  public BundlePlan plan(Work next, long remaining) {
    checkRunning();
    return outstanding.size() < OUTSTANDING
        ? bundler.plan(next, remaining, time.now())
        : BundlePlan.WAIT;
  }

  /**
   * Waits for a result, or a little while. Lets go of {@link #lock} meanwhile: others may have made
   * bundles when it returns.
   */
  @SuppressWarnings("WaitNotInLoop") // its caller loops
  public void awaitChange() throws InterruptedException {
    long unused = changed.awaitNanos(WAIT_NANOS);
  }

  /** How long the task is likely to take, in microseconds; NaN if unknown. Under {@link #lock}. */
  public double micros(Work work) {
    return bundler.micros(work);
  }

  /** The number and first ordinal of the next bundle of so many tasks. Under {@link #lock}. */
  public int bundle(int tasks) {
    bundler.made(tasks, time.now());
    return completeness.bundle(tasks);
  }

  /** The ordinal of the next task. Under {@link #lock}. */
  public int nextOrdinal() {
    return completeness.tasks();
  }

  /** The bundle is about to be sent. */
  public void sending(SentBundle bundle) {
    lock.lock();
    try {
      outstanding.put(bundle.sequence(), bundle);
      sleepMicros += bundle.sleepMicros();
      onlySleeps &= bundle.keys().isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The request queue accepted it. */
  public void sent(SentBundle bundle) {
    lock.lock();
    try {
      // Its results may be here already, and then it is outstanding no more.
      outstanding.computeIfPresent(bundle.sequence(), (k, old) -> bundle);
      completeness.sent(bundle.sequence(), time.now());
      sentTasks += bundle.tasks();
    } finally {
      lock.unlock();
    }
  }

  /** Every task was sent. */
  public List<CompletenessEffect> allSent() {
    return locked(() -> completeness.allSent(time.now()));
  }

  // ---- collecting

  /**
   * A worker's message sorted.
   *
   * @param fresh results that are final
   * @param provisional ordinals that are LOST unless a result still comes
   * @param duplicates results to be dropped
   * @param bundle the bundle as it was sent; null if it is closed, or was sent before a resume
   */
  public record Sorted(
      List<TaskResult> fresh,
      List<TaskResult> provisional,
      int duplicates,
      @Nullable SentBundle bundle) {}

  /** Sorts a worker's message, and learns from it. */
  public Sorted sort(ResultBatch batch, int sequence) {
    lock.lock();
    try {
      Moment now = time.now();
      SentBundle bundle = outstanding.get(sequence);
      completeness.heard(batch.bundle(), now);
      // Waiting for late results begins anew with the first one that came, not when the whole
      // receive was written: LOST would be final at once, else, by receives that were empty before.
      completeness.received(1, now, now);
      List<TaskResult> fresh = new ArrayList<>(batch.results().size());
      List<TaskResult> provisional = new ArrayList<>();
      int duplicates = 0;
      for (TaskResult result : batch.results()) {
        boolean lost = result.status() == TaskStatus.LOST;
        switch (completeness.offer(batch.bundle(), result.ordinal(), lost)) {
          case FINAL -> fresh.add(result);
          case PROVISIONAL -> provisional.add(result);
          case DUPLICATE, FOREIGN -> duplicates++;
        }
      }
      learn(batch, bundle, now);
      if (completeness.closed(sequence)) {
        outstanding.remove(sequence);
      }
      changed.signalAll();
      return new Sorted(fresh, provisional, duplicates, bundle);
    } finally {
      lock.unlock();
    }
  }

  private void learn(ResultBatch batch, @Nullable SentBundle bundle, Moment now) {
    bundler.heard(batch.worker().id(), batch.worker().slots(), now);
    if (bundle == null || bundle.keys().isEmpty()) {
      return;
    }
    DurationSum durations = new DurationSum();
    for (TaskResult result : batch.results()) {
      if (result.status() != TaskStatus.LOST) {
        durations.add(result.finishedMicros() - result.startedMicros());
      }
    }
    if (durations.size() > 0) {
      DurationSum.Sum sum = durations.take();
      double sleeps = (double) bundle.sleepMicros() * sum.count() / bundle.tasks();
      for (String key : bundle.keys()) {
        bundler.learn(key, sum.count(), (long) Math.max(0, sum.micros() - sleeps));
      }
    }
  }

  /** A receive came back, with so many messages; says what follows. */
  public List<CompletenessEffect> received(int messages, Moment begun) {
    return locked(() -> {
      completeness.received(messages, begun, time.now());
      return completeness.follow(time.now());
    });
  }

  /** A receive failed: what it may have hidden comes again later. */
  public void receiveFailed() {
    lock.lock();
    try {
      completeness.receiveFailed(time.now());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Time went by: says whether a wait is over, and looks for bundles that were silent for too long.
   */
  public List<CompletenessEffect> tick() {
    return locked(() -> {
      Moment now = time.now();
      List<CompletenessEffect> effects = new ArrayList<>(completeness.follow(now));
      effects.addAll(completeness.lookForSilence(now));
      return effects;
    });
  }

  /** Whether only late results are waited for. */
  public boolean inGrace() {
    lock.lock();
    try {
      return completeness.phase() == CompletenessPhase.GRACE;
    } finally {
      lock.unlock();
    }
  }

  /** The tasks of a bundle, or of the bundle that it is a child of, that have no final result. */
  public int[] open(String bundle) {
    lock.lock();
    try {
      return completeness.open(bundle);
    } finally {
      lock.unlock();
    }
  }

  /** Claims were read. */
  public List<CompletenessEffect> claimsRead(List<String> ids, Map<String, Claim> found) {
    return locked(() -> completeness.claimsRead(ids, found, time.now()));
  }

  /** Claims could not be read. */
  public void readFailed(List<String> ids) {
    lock.lock();
    try {
      completeness.readFailed(ids);
    } finally {
      lock.unlock();
    }
  }

  /** The bundle as it was sent, if it is still outstanding. */
  public @Nullable SentBundle outstanding(int sequence) {
    lock.lock();
    try {
      return outstanding.get(sequence);
    } finally {
      lock.unlock();
    }
  }

  // ---- the end

  /** Everything is there and written. */
  public void completed() {
    lock.lock();
    try {
      complete = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The run cannot go on; the first reason counts. */
  public void failed(Throwable why) {
    lock.lock();
    try {
      if (failure == null) {
        failure =
            why instanceof RuntimeException failed
                ? failed
                : new CloudKonException(
                    "the client cannot go on: %s; what was sent goes on without it".formatted(why),
                    why);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is over, one way or the other. */
  public boolean over() {
    lock.lock();
    try {
      return complete || failure != null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until everything is there and written, or the run has failed, and throws why then. */
  public void awaitCompletion() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!complete) {
        checkRunning();
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void checkRunning() {
    RuntimeException why = failure;
    if (why != null) {
      throw why;
    }
  }

  /** What the tasks asked for, in microseconds, if all of them are sleeps. */
  public OptionalLong nominalMicros() {
    lock.lock();
    try {
      return onlySleeps && sleepMicros > 0 ? OptionalLong.of(sleepMicros) : OptionalLong.empty();
    } finally {
      lock.unlock();
    }
  }

  /** How far the run is. */
  public Counts counts() {
    lock.lock();
    try {
      return new Counts(
          completeness.tasks(),
          sentTasks,
          completeness.finished(),
          completeness.phase() != CompletenessPhase.SENDING);
    } finally {
      lock.unlock();
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

  private List<CompletenessEffect> locked(
      java.util.function.Supplier<List<CompletenessEffect>> of) {
    lock.lock();
    try {
      return of.get();
    } finally {
      lock.unlock();
    }
  }
}
