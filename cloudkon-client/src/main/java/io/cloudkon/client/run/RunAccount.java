package io.cloudkon.client.run;

import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.protocol.bundler.BundlePlan;
import io.cloudkon.core.protocol.bundler.BundlerMachine;
import io.cloudkon.core.protocol.bundler.BundlerPhase;
import io.cloudkon.core.protocol.bundler.FairShare;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.protocol.completeness.CompletenessPhase;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

  /** What a receive may take besides its wait. */
  private static final long ROUND_TRIP_MILLIS = 1_000;

  /** A job travels alone, and at once: it fills nobody's slots by its size. */
  private static final BundlePlan JOB =
      new BundlePlan(1, Limits.FULL_BUNDLE_BYTES, Double.POSITIVE_INFINITY);

  /** How long to wait for a result before the bundler is asked again. */
  private static final long WAIT_NANOS = 100_000_000L;

  private final CompletenessMachine completeness;
  private final BundlerMachine bundler;
  private final TimeSource time;
  private final Map<Integer, SentBundle> outstanding;
  private final SentJobs jobs;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final RunOutcome outcome;
  private final Optional<FairShare> share;
  private final boolean mayWait;
  private volatile Consumer<SentBundle> writer = bundle -> {};
  private long sentTasks;
  private long sleepMicros;
  private boolean onlySleeps;
  private boolean answered;

  /** Whether no results of a former client's bundles lie waiting. */
  private boolean caughtUp;

  /** An account of a run of which nothing was sent. */
  public RunAccount(RunOptions options, String epoch, TimeSource time) {
    this(options, RunState.fresh(options, epoch), time, new RunOutcome());
  }

  /** An account of a run as it stands. */
  public RunAccount(RunOptions options, RunState state, TimeSource time, RunOutcome outcome) {
    this.time = time;
    this.outcome = outcome;
    this.mayWait = options.bundler().mayWait();
    this.bundler = new BundlerMachine(options.bundler());
    this.completeness = state.completeness();
    this.outstanding = state.outstanding();
    this.jobs = state.jobs();
    this.share = options.priority().map(FairShare::new);
    outstanding.values().forEach(bundle -> sharing(bundle, Double.NaN));
    this.sentTasks = state.sentTasks();
    this.caughtUp = outstanding.isEmpty();
    // What the sleeps of a former client's bundles asked for was not written down.
    this.onlySleeps = state.completeness().tasks() == 0;
  }

  /** Whether work on the run is over, and how. */
  public RunOutcome outcome() {
    return outcome;
  }

  // ---- sending

  /** Plans a bundle, or registers one: one caller at a time does so, from the plan on. */
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
    outcome.checkWell();
    // Who does not wait for results must not wait for fewer to be outstanding.
    BundlePlan plan =
        outstanding.size() < OUTSTANDING || !mayWait
            ? fairly(next, remaining, time.now())
            : BundlePlan.WAIT;
    if (plan.waits()) {
      bundler.heldBack();
    }
    return plan;
  }

  private BundlePlan fairly(Work next, long remaining, Moment now) {
    boolean job = next instanceof Work.Hpc;
    BundlePlan plan = job ? JOB : bundler.plan(next, remaining, now);
    return share.map(of -> of.fit(plan, job, bundler.slots(now), now)).orElse(plan);
  }

  /** The workers that may run the run's tasks and jobs; see {@link FairShare#fleet}. */
  public void fleet(int taskSlots, int freeTaskSlots, int jobSlots, int freeJobSlots) {
    carryOut(() -> {
      share.ifPresent(of -> of.fleet(taskSlots, freeTaskSlots, jobSlots, freeJobSlots));
      changed.signalAll();
    });
  }

  /** The client's priority in a fair cluster; empty elsewhere. */
  public Optional<Priority> priority() {
    return share.map(FairShare::priority);
  }

  /**
   * Says whether no worker lives and somebody launches some: then sending waits for the first
   * answer.
   */
  public void noWorkerYet(boolean none) {
    carryOut(() -> {
      bundler.noWorkerYet(none, time.now());
      changed.signalAll();
    });
  }

  /** Whether sending ever waits for the first answers: not where a bundle's size is fixed. */
  public boolean waitsForAnswers() {
    return mayWait && bundler.phase() != BundlerPhase.FIXED;
  }

  /** Whether any worker has answered this client. */
  public boolean answered() {
    return locked(() -> answered);
  }

  /** Something other than the calls that send holds the client back. */
  public void heldBack() {
    lock.lock();
    try {
      bundler.heldBack();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a result, or a little while. Lets go of {@link #lock} meanwhile. */
  @SuppressWarnings("WaitNotInLoop") // its caller loops
  public void awaitChange() throws InterruptedException {
    long unused = changed.awaitNanos(WAIT_NANOS);
  }

  /** How long the task is likely to take, in microseconds; NaN if unknown. */
  public double micros(Work work) {
    return locked(() -> bundler.micros(work));
  }

  /** The number of the next bundle, of so many tasks. Under {@link #lock}. */
  public int bundle(int tasks) {
    bundler.made(tasks, time.now());
    return completeness.bundle(tasks);
  }

  /**
   * The number of the next bundle, an HPC job. Bundles of tasks learn nothing from it. Under {@link
   * #lock}.
   */
  public int job() {
    return completeness.job();
  }

  /**
   * The bundle is as described: written down before anybody makes the next one, so that what is
   * written down has no gaps. Under {@link #lock}.
   *
   * @param micros how much work it holds; NaN if unknown
   */
  public void made(SentBundle bundle, double micros) {
    sharing(bundle, micros);
    writer.accept(bundle);
  }

  private void sharing(SentBundle bundle, double micros) {
    if (bundle.job()) {
      share.ifPresent(of -> of.sentJob(bundle.sequence(), bundle.ranks(), micros));
    } else {
      share.ifPresent(of -> of.sent(bundle.sequence(), bundle.tasks(), micros));
    }
  }

  /** Who writes bundles down as they are made; nobody if this is not called. */
  public void writeDown(Consumer<SentBundle> by) {
    writer = by;
  }

  /** The ordinal of the next task. Under {@link #lock}. */
  public int nextOrdinal() {
    return completeness.tasks();
  }

  /** The bundle is about to be sent. */
  public void sending(SentBundle bundle) {
    carryOut(() -> {
      if (outstanding.put(bundle.sequence(), bundle) == null && bundle.job()) {
        jobs.sent(bundle.ranks());
      }
      sleepMicros += bundle.sleepMicros();
      onlySleeps &= bundle.keys().isEmpty();
    });
  }

  /** The request queue accepted it. */
  public void sent(SentBundle bundle) {
    carryOut(() -> {
      // Its results may be here already, and then it is outstanding no more.
      outstanding.computeIfPresent(bundle.sequence(), (k, old) -> bundle);
      completeness.sent(bundle.sequence(), time.now());
      sentTasks += bundle.tasks();
    });
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
      Lessons.learn(bundler, batch, bundle, now);
      share.ifPresent(of -> {
        of.ended(sequence, fresh.size() + provisional.size());
        Lessons.learn(of, fresh, bundle, now);
      });
      answered = true;
      if (completeness.closed(sequence)) {
        close(sequence);
      }
      changed.signalAll();
      return new Sorted(fresh, provisional, duplicates, bundle);
    } finally {
      lock.unlock();
    }
  }

  private void close(int sequence) {
    share.ifPresent(of -> of.closed(sequence));
    SentBundle bundle = outstanding.remove(sequence);
    if (bundle != null && bundle.job()) {
      jobs.finished(bundle.ranks());
    }
  }

  /**
   * A receive brought something that is still to be sorted, which may have to be fetched first:
   * until then no other receive shows that nothing comes.
   */
  public void brought() {
    carryOut(() -> completeness.received(1, time.now(), time.now()));
  }

  /**
   * A receive came back, with so many messages; says what follows.
   *
   * @param wait how long it was to wait at most: what came after that, while this process was
   *     stopped, it has not seen
   */
  public List<CompletenessEffect> received(int messages, Moment begun, Duration wait) {
    return locked(() -> {
      Moment now = time.now();
      Moment seen = begun.plus(wait.toMillis() + ROUND_TRIP_MILLIS);
      caughtUp |= messages == 0;
      boolean stopped = messages == 0 && now.eitherPast(seen);
      completeness.received(messages, begun, stopped ? seen : now);
      return completeness.follow(time.now());
    });
  }

  /** A receive failed: what it may have hidden comes again later. */
  public void receiveFailed() {
    carryOut(() -> completeness.receiveFailed(time.now()));
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
    return locked(() -> completeness.phase() == CompletenessPhase.GRACE);
  }

  /** The tasks of a bundle, or of the bundle that it is a child of, that have no final result. */
  public int[] open(String bundle) {
    return locked(() -> completeness.open(bundle));
  }

  /** The ordinals of all tasks of a bundle; none if there is no such bundle. */
  public int[] range(int sequence) {
    return locked(() -> completeness.range(sequence));
  }

  /** Claims were read. */
  public List<CompletenessEffect> claimsRead(List<String> ids, Map<String, Claim> found) {
    return locked(() -> givenUp(completeness.claimsRead(ids, found, time.now())));
  }

  /** Frees the share of tasks that are LOST, if only for the time being: they wait for no slot. */
  private List<CompletenessEffect> givenUp(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      if (effect instanceof CompletenessEffect.ProvisionalLost lost) {
        int sequence = BundleIds.sequence(lost.claim().id());
        share.ifPresent(of -> of.ended(sequence, lost.ordinals().length));
      }
    }
    return effects;
  }

  /** What the blob store has of these results was sorted. */
  public List<CompletenessEffect> fetched(CompletenessEffect.FetchResults asked) {
    return locked(() -> givenUp(completeness.fetched(asked, time.now())));
  }

  /** The blob store could not be asked for these results. */
  public void fetchFailed(CompletenessEffect.FetchResults asked) {
    carryOut(() -> completeness.fetchFailed(asked, time.now()));
  }

  /** The request queue accepted what was sent again under the id of a bundle or child. */
  public void resent(String bundle) {
    carryOut(() -> completeness.resent(bundle, time.now()));
  }

  /** Results may have been lost on their way: all that is outstanding is looked at soon. */
  public void lookAtAll() {
    carryOut(() -> completeness.lookAtAll(time.now()));
  }

  /** Whether the task has its final result; false for one that is in no bundle yet. */
  public boolean isFinal(int ordinal) {
    return locked(() -> completeness.isFinal(ordinal));
  }

  /** Claims could not be read. */
  public void readFailed(List<String> ids) {
    carryOut(() -> completeness.readFailed(ids, time.now()));
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

  // ---- how far it is

  /** The bundles without all results, as they were sent. */
  public List<SentBundle> outstanding() {
    return locked(() -> List.copyOf(outstanding.values()));
  }

  /**
   * The work that is left of the run. After a resume its counts hold from the first receive on that
   * brings nothing: until then, results of tasks that have long run may lie in the response queue.
   *
   * @param taskMicros how long a task kept a slot on average, in microseconds; 0 if none did
   */
  public RemainingWork remaining(Workload workload, double taskMicros) {
    return locked(() ->
        Remainder.of(workload, outstanding.size() - jobs.outstanding(), jobs, taskMicros)
            .with(priority())
            .counted(caughtUp));
  }

  /** What the tasks asked for, in microseconds, if all of them are sleeps. */
  public OptionalLong nominalMicros() {
    return locked(
        () -> onlySleeps && sleepMicros > 0 ? OptionalLong.of(sleepMicros) : OptionalLong.empty());
  }

  /** How far the run is. */
  public Counts counts() {
    return locked(() ->
        new Counts(
            completeness.tasks(),
            sentTasks,
            completeness.finished(),
            completeness.phase() != CompletenessPhase.SENDING));
  }

  /** The same; empty if somebody makes a bundle for so long. */
  public Optional<Counts> countsWithin(long millis) {
    try {
      if (!lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      return Optional.of(counts());
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

  private <T> T locked(Supplier<T> of) {
    lock.lock();
    try {
      return of.get();
    } finally {
      lock.unlock();
    }
  }

  private void carryOut(Runnable what) {
    lock.lock();
    try {
      what.run();
    } finally {
      lock.unlock();
    }
  }
}
