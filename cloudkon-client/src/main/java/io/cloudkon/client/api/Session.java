package io.cloudkon.client.api;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.spool.TaskInlet;
import io.cloudkon.client.spool.TaskSpool;
import io.cloudkon.client.workload.LineCheck;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.client.workload.TaskFilesCheck;
import io.cloudkon.core.error.CloudKonException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A connection to a cluster, or to slots of this process, that accepts tasks one by one and
 * delivers their results as they arrive. The start-up cost is paid once: after that, a task costs
 * only the calls until its result and one write to disk.
 *
 * {@snippet file="SessionSnippets.java" region="session"}
 *
 * <p>A session is one run that stays open until {@link #close}, with the same guarantees and files
 * as any other run: a folder with the tasks, a journal, {@code results.jsonl} and, at the end,
 * {@code report.json}. {@code cloudkon status} shows it, and {@code cloudkon cancel} cancels it. A
 * task is in that folder when {@link #submit} returns, and on disk before it is sent. If this
 * process dies, {@code cloudkon client -s QUEUE --resume RUN} sends and collects everything that
 * was submitted. Resuming does not run any task twice.
 *
 * <p>Thread safe: any number of threads may submit. An idle session polls for results and renews
 * its lease, which takes some 26,000 calls a day.
 */
public final class Session implements AutoCloseable {
  private final SessionCluster where;
  private final String runId;
  private final TaskSpool spool;
  private final TaskInlet inlet;
  private final OpenTasks open;
  private final ResultDelivery delivery;
  private final SessionRun run;

  private final SessionEnd end;

  /**
   * The number of tasks offered so far, including refused ones, so that no number is used twice.
   */
  private final AtomicLong offered = new AtomicLong();

  private Session(SessionCluster where, SessionConfig config) {
    this.where = where;
    this.runId = config.runId().orElseGet(() -> RunIdentity.randomRun(Instant.now(), new Random()));
    RunOptions options = where.options().apply(config.options(runId));
    this.spool = config.files() ? TaskSpool.kept() : TaskSpool.temporary();
    RunFolder folder = SessionRun.folder(config, runId, spool);
    RunChecks checks =
        new RunChecks(
            options.consistency(),
            config.isLocal() ? OptionalInt.of(config.slots()) : OptionalInt.empty(),
            Optional.of(
                new TaskFilesCheck(options.directory(), Set.of(), false, folder.unkeptFiles())));
    this.inlet =
        new TaskInlet(spool, checks, where.cluster().blobs(), runId, where.meters().time());
    this.open = new OpenTasks(config.maxOpen());
    this.delivery = new ResultDelivery(open, config.listener());
    this.run = new SessionRun(where, config, options, spool, folder, delivery);
    this.end =
        new SessionEnd(
            run,
            open,
            delivery,
            () -> {
              inlet.close();
              where.letGo();
            });
  }

  /**
   * Connects and returns when tasks can be submitted.
   *
   * @throws io.cloudkon.core.error.UsageException if the configuration contradicts itself, the
   *     folder exists, the run's id is already used, or region or credentials are missing
   * @throws CloudKonException if the cluster is missing, a service refuses or cannot be reached, or
   *     the thread was interrupted
   */
  public static Session connect(SessionConfig config) {
    config.check();
    return start(SessionCluster.connect(config), config);
  }

  /** Starts a session on a cluster that is already connected. */
  static Session start(SessionCluster where, SessionConfig config) {
    boolean begun = false;
    Session session = null;
    try {
      session = new Session(where, config);
      session.begin();
      begun = true;
      return session;
    } finally {
      if (!begun) {
        where.letGo();
        if (session != null) {
          session.delivery.close();
        }
      }
    }
  }

  private void begin() {
    try {
      run.begin();
    } catch (InterruptedException e) {
      run.withdraw();
      Thread.currentThread().interrupt();
      throw new CloudKonException("interrupted while connecting to " + where.cluster().name(), e);
    }
    end.start();
  }

  // ---- tasks

  /**
   * Submits a task. Waits only while {@link SessionConfig#maxOpen} tasks are open, and never if a
   * listener or a future calls it.
   *
   * @return a future that the delivery thread completes with the task's result, whatever its
   *     status; do slow follow-up work on another thread. Cancelling the future has no effect on
   *     the task. It fails with a {@link CloudKonException} only if the session ends first
   * @throws io.cloudkon.core.error.UsageException if the task is not legal; the message says what
   *     is wrong and what was expected, and the session continues
   * @throws CloudKonException if the session is over, or the thread was interrupted while it
   *     waited; nothing was submitted
   */
  public CompletableFuture<SessionResult> submit(SessionTask task) {
    return submit(List.of(task)).getFirst();
  }

  /**
   * Submits tasks together: all of them, or none if one is not legal.
   *
   * @return a future for each task, in the same order; see {@link #submit(SessionTask)}
   * @throws io.cloudkon.core.error.UsageException if a task is not legal
   * @throws CloudKonException if the session is over, or the thread was interrupted while it waited
   */
  public List<CompletableFuture<SessionResult>> submit(Collection<SessionTask> tasks) {
    List<byte[]> lines = tasks.stream().map(SessionTask::bytes).toList();
    List<CompletableFuture<SessionResult>> futures = new ArrayList<>(lines.size());
    List<Integer> ordinals = new ArrayList<>(lines.size());
    open.reserve(lines.size(), !delivery.isDelivering());
    boolean taken = false;
    try {
      take(lines, futures, ordinals);
      taken = true;
      return futures;
    } finally {
      if (!taken) {
        ordinals.forEach(open::finished);
        open.release(lines.size() - ordinals.size());
      }
    }
  }

  private void take(
      List<byte[]> lines, List<CompletableFuture<SessionResult>> futures, List<Integer> ordinals) {
    List<LineCheck.Line> numbered = new ArrayList<>(lines.size());
    long number = offered.getAndAdd(lines.size());
    for (byte[] line : lines) {
      numbered.add(new LineCheck.Line(line, 0, line.length, ++number));
    }
    int unused =
        inlet.takeAll(
            numbered,
            (task, ordinal) -> {
              CompletableFuture<SessionResult> future = new CompletableFuture<>();
              open.add(ordinal, future);
              ordinals.add(ordinal);
              futures.add(future);
            });
  }

  // ---- end

  /**
   * Cancels the open tasks: they stop, and each ends as {@code CANCELLED} unless its result arrives
   * first. The session accepts no more tasks. Does not wait; {@link #close} does.
   *
   * @return false if the session is already over
   * @throws CloudKonException if the cancellation cannot be published; the session continues
   */
  public boolean cancel() {
    boolean cancelled = run.cancel();
    if (cancelled) {
      open.close(run.over("was cancelled"));
    }
    return cancelled;
  }

  /**
   * Leaves the session at once. Tasks that were sent continue without this process, and {@code
   * cloudkon client --resume} continues the run. The tasks of a local session end. The futures of
   * open tasks fail. A listener that is busy gets a second to take the results that wait for it;
   * those that it does not take are in the session's folder only.
   *
   * @return the number of tasks left open
   * @throws CloudKonException if the thread was interrupted while it waited
   */
  public int leave() {
    end.refuseFromWithin("leave");
    open.close(run.over("was left"));
    return end.leave();
  }

  /**
   * Accepts no more tasks, waits for the results of the open ones, and ends the run. If the thread
   * is interrupted, leaves the session as {@link #leave} does. A second call has no effect.
   *
   * @throws CloudKonException if the session could not finish, or the thread was interrupted; the
   *     message says how many tasks are left open and how to continue with them
   */
  @Override
  public void close() {
    end.refuseFromWithin("close");
    open.close(run.over("was closed"));
    spool.end();
    end.close();
  }

  // ---- properties

  /** The id of its run. */
  public String run() {
    return runId;
  }

  /** The folder of its files; empty if it keeps none. */
  public Optional<Path> folder() {
    return run.path();
  }

  /** The number of tasks without a result. */
  public long open() {
    return open.count();
  }
}
