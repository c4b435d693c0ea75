package io.cloudkon.client.session;

import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.ResumeState;
import io.cloudkon.client.run.RunAccount;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunLease;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.run.RunOutcome;
import io.cloudkon.client.send.Sender;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.refusal.RefusalLog;
import io.cloudkon.core.refusal.WatchedPorts;
import io.cloudkon.core.time.Moment;
import io.cloudkon.core.time.TimeSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a workload to a cluster and collects its results. The order of steps: the run is published,
 * its response queue is created, what it ships is stored, its journal is begun, then the first
 * bundle is sent. At the end everything is written, the run is ended, its response queue is
 * removed, then its objects in the blob store.
 *
 * <p>If the process dies after the journal has begun, {@link #resume} continues the run; before
 * that, nothing of it was sent. Thread safe, except that only one of {@link #run} and {@link
 * #resume} may be called, and only once.
 */
public final class RunSession {
  /**
   * The maximum wait for numbers that are shown to the user: a thread that reads standard input may
   * block them forever.
   */
  private static final long COUNT_MILLIS = 300;

  private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);

  private final SessionParts parts;
  private final RunOutcome outcome = new RunOutcome();
  private final Interruptible beginning = new Interruptible(outcome);
  private volatile RunIdentity identity;
  private volatile RunAccount account;
  private volatile @Nullable Sender sender;
  private volatile boolean sendsNoMore;
  private volatile boolean resumed;

  /** Whether the account is not yet that of the resumed run. */
  private volatile boolean restoring;

  /** A session of a run that ships nothing and waits for its results. */
  public RunSession(
      Cluster cluster,
      RunOptions options,
      RunIdentity identity,
      Workload workload,
      RunStatistics statistics,
      TimeSource time,
      LongUnaryOperator serviceToWallMicros) {
    this(
        cluster,
        options,
        identity,
        workload,
        statistics,
        time,
        serviceToWallMicros,
        SessionOptions.NONE);
  }

  /**
   * A session that has done nothing yet.
   *
   * @param serviceToWallMicros converts the service's clock in milliseconds to this machine's in
   *     microseconds
   */
  public RunSession(
      Cluster cluster,
      RunOptions options,
      RunIdentity identity,
      Workload workload,
      RunStatistics statistics,
      TimeSource time,
      LongUnaryOperator serviceToWallMicros,
      SessionOptions sessionOptions) {
    this.parts =
        new SessionParts(
            WatchedPorts.of(cluster, new RefusalLog(LOG::warn)),
            options,
            workload,
            statistics,
            time,
            serviceToWallMicros,
            sessionOptions);
    this.identity = identity;
    this.account = account(ResumeState.fresh(options, identity.epoch()));
  }

  private RunAccount account(ResumeState state) {
    return new RunAccount(parts.options(), state, parts.time(), outcome);
  }

  /** The progress of the run. */
  public RunAccount.Counts counts() {
    return account.counts();
  }

  /** The total time that its tasks ask for, in microseconds, if all of them are sleeps. */
  public OptionalLong nominalMicros() {
    return account.nominalMicros();
  }

  /** Whether something of the run may have been sent, or will be; otherwise nobody resumes it. */
  public boolean begun() {
    return resumed
        || parts.tookTasks()
        || account.countsWithin(COUNT_MILLIS).map(counts -> counts.tasks() > 0).orElse(true);
  }

  /**
   * The progress of the run in words, for a user whose client leaves.
   *
   * @param continues whether the tasks that were sent continue without this client
   */
  public String outstanding(boolean continues) {
    if (!begun()) {
      return "nothing was sent";
    }
    return account
        .countsWithin(COUNT_MILLIS)
        .map(counts ->
            new Outstanding(
                    counts.sent(), Math.max(parts.allTasks(), counts.tasks()), counts.finished())
                .text(continues))
        .orElse(
            continues
                ? "the tasks that were sent continue without this client"
                : "the tasks that had not finished were stopped");
  }

  // ---- what a user may request meanwhile

  /** Stops sending; results are still collected. */
  public void stopSending() {
    sendsNoMore = true;
    Sender sending = sender;
    if (sending != null) {
      sending.stop();
    }
  }

  /**
   * Stops the session: {@link #run} returns soon, what was sent continues, and the run can be
   * resumed.
   */
  public void interrupt() {
    stopSending();
    outcome.end(RunEnd.INTERRUPTED);
    beginning.interrupt();
  }

  /**
   * Cancels the run: {@link #run} returns when every task without a result is CANCELLED.
   *
   * @return false if the run is over already, and is left as it is
   * @throws CloudKonException if that cannot be published; the run then stays as it is
   */
  public boolean cancel() {
    if (outcome.over()) {
      return false;
    }
    // Published first: if that fails, the run continues, and so does sending.
    var unused = parts.cluster().runs().cancel(identity.run(), parts.time().serviceMillis());
    stopSending();
    outcome.end(RunEnd.CANCELLED);
    beginning.interrupt();
    return true;
  }

  // ---- the run

  /**
   * Runs a new run until it is over; blocks.
   *
   * @param folder the folder for its files; prepared here, once the run is known to be new
   * @param workloadName the path from which the workload can be read again, for the journal
   * @throws UsageException if the run's id is used already
   * @throws CloudKonException if it cannot continue; what was sent continues without this client
   */
  public RunEnd run(RunFolder folder, String workloadName) throws InterruptedException {
    Moment created = parts.time().now();
    RunEntry entry = Publication.publish(parts, identity, created);
    HeldRun held = held(entry, created, false);
    return held.untilOver(() -> {
      held.begin();
      folder.prepare();
      try (Journal journal = folder.openJournal();
          ResultSink sink = folder.openResults().and(parts.sessionOptions().results())) {
        Restored nothing = Restored.nothing(parts.options(), identity);
        RunWork work = held.work(sink, journal, nothing);
        Optional<List<Content>> ships = beginning.run(() -> work.begin(workloadName));
        if (!outcome.over()) {
          parts.sessionOptions().begun().run();
        }
        return work.toItsEnd(ships.orElse(List.of()), this::sending);
      }
    });
  }

  private void sending(Sender by) {
    sender = by;
    if (sendsNoMore) {
      by.stop();
    }
  }

  /**
   * Continues a run that another client has begun, until it is over; blocks. Settles a cancelled
   * run.
   *
   * @param taken the run, which is this client's now
   * @param folder its files
   * @throws CloudKonException if its files are damaged, or it cannot continue
   */
  public RunEnd resume(Takeover.Taken taken, RunFolder folder) throws InterruptedException {
    identity = taken.identity();
    resumed = true;
    restoring = true;
    if (taken.entry().state() == RunEntry.State.CANCELLED) {
      outcome.end(RunEnd.CANCELLED);
    }
    HeldRun held = held(taken.entry(), taken.when(), true);
    return held.untilOver(() -> {
      try (Journal journal = folder.openJournal()) {
        Restored restored =
            Restored.read(
                folder, journal, parts.options(), taken.entry(), parts.statistics(), parts.time());
        account = account(restored.state());
        restoring = false;
        try (ResultSink sink = folder.openResults(restored.resultBytes())) {
          RunWork work = held.work(sink, journal, restored);
          if (restored.hasMoved(parts.cluster().name(), identity.responseQueue())) {
            held.lookAtAll();
          }
          return work.toItsEnd(restored.ships(), this::sending);
        }
      }
    });
  }

  private HeldRun held(RunEntry entry, Moment written, boolean begunBefore) {
    RunLease lease =
        new RunLease(
            parts.cluster().runs(),
            entry,
            written,
            parts.options().lease(),
            parts.time(),
            this::progress,
            outcome);
    return new HeldRun(parts, identity, () -> account, lease, begunBefore);
  }

  private RunLease.Progress progress() {
    Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
    for (TaskStatus status : TaskStatus.values()) {
      long count = parts.statistics().count(status);
      if (count > 0) {
        counts.put(status, count);
      }
    }
    boolean restoring = this.restoring;
    RunAccount.Counts reached = account.counts();
    RemainingWork remaining = account.remaining(parts.workload(), parts.statistics().slotTimes());
    return new RunLease.Progress(
        Math.max(parts.allTasks(), reached.tasks()),
        reached.sent(),
        counts,
        restoring ? remaining.counted(false) : remaining);
  }
}
