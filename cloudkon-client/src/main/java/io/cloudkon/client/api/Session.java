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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a cluster, or to slots of this process, that takes tasks one by one and hands out
 * their results as they come. The price of a start is paid once: a task submitted later takes the
 * calls until its result, and a write to disk.
 *
 * {@snippet file="SessionSnippets.java" region="session"}
 *
 * <p>A session is one run, open until {@link #close}, with the promises and the files of any other:
 * a folder with the tasks, a journal, {@code results.jsonl} and in the end {@code report.json};
 * {@code cloudkon status} shows it, {@code cloudkon cancel} ends it. A task is in that folder when
 * {@link #submit} returns, and on disk before it is sent. If this process dies, {@code cloudkon
 * client -s QUEUE --resume RUN} sends and collects all that was submitted; nothing runs twice by
 * it.
 *
 * <p>Thread safe: any number of threads may submit. An idle session polls for results and renews
 * its lease, some 26,000 calls a day.
 */
public final class Session implements AutoCloseable {
  private final SessionCluster where;
  private final String runId;
  private final TaskSpool spool;
  private final TaskInlet inlet;
  private final OpenTasks open;
  private final ResultDelivery delivery;
  private final SessionRun run;

  /** Completed when all has ended, and every future: with how many tasks are left open. */
  private final CompletableFuture<Integer> over = new CompletableFuture<>();

  private final AtomicBoolean closed = new AtomicBoolean();

  /** Fails the futures that are left, before {@link #over} is complete. */
  private volatile @Nullable Thread ending;

  /** Tasks that were offered, refused ones included: so no number is offered twice. */
  private long offered;

  private Session(SessionCluster where, SessionConfig config) {
    this.where = where;
    this.runId = config.runId().orElseGet(() -> RunIdentity.randomRun(Instant.now(), new Random()));
    RunOptions options = where.options().apply(config.options(runId));
    this.spool = config.files() ? TaskSpool.kept() : TaskSpool.temporary();
    RunChecks checks =
        new RunChecks(
            options.consistency(),
            config.isLocal() ? OptionalInt.of(config.slots()) : OptionalInt.empty(),
            Optional.of(new TaskFilesCheck(options.directory(), Set.of(), false)));
    this.inlet = new TaskInlet(spool, checks, where.cluster().blobs(), runId);
    this.open = new OpenTasks(config.maxOpen());
    RunFolder folder = SessionRun.folder(config, runId, spool);
    this.delivery = new ResultDelivery(open, config.listener());
    this.run = new SessionRun(where, config, options, spool, folder, delivery);
  }

  /**
   * Connects, and returns when tasks can be submitted.
   *
   * @throws io.cloudkon.core.error.UsageException if the configuration contradicts itself, the
   *     folder exists, the run's id is used, or region or credentials are missing
   * @throws CloudKonException if the cluster is missing, a service refuses or cannot be reached, or
   *     the thread was interrupted
   */
  public static Session connect(SessionConfig config) {
    config.check();
    return start(SessionCluster.connect(config), config);
  }

  /** The same where the cluster is at hand. */
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
      run.interrupt();
      Thread.currentThread().interrupt();
      throw new CloudKonException("interrupted while connecting to " + where.cluster().name(), e);
    }
    Thread.ofVirtual().name("cloudkon-session-end").start(this::awaitEnd);
  }

  // ---- tasks

  /**
   * Submits a task. Waits only while as many tasks are open as may be ({@link
   * SessionConfig#maxOpen}), and not at all if a listener or a future calls it.
   *
   * @return is completed with the task's result, whatever its status, by the thread that delivers
   *     results: what follows and takes time is better done elsewhere. To cancel it has no effect
   *     on the task. It fails with a {@link CloudKonException} only if the session ends before
   * @throws io.cloudkon.core.error.UsageException if it is no legal task: what is wrong, and what
   *     was expected; the session goes on
   * @throws CloudKonException if the session is over, or the thread was interrupted as it waited;
   *     then nothing was submitted
   */
  public CompletableFuture<SessionResult> submit(SessionTask task) {
    return submit(List.of(task)).getFirst();
  }

  /**
   * Submits tasks together: all of them or, if one is not legal, none.
   *
   * @return a future for each, in their order; see {@link #submit(SessionTask)}
   * @throws io.cloudkon.core.error.UsageException if one is no legal task
   * @throws CloudKonException if the session is over, or the thread was interrupted as it waited
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

  private synchronized void take(
      List<byte[]> lines, List<CompletableFuture<SessionResult>> futures, List<Integer> ordinals) {
    List<LineCheck.Line> numbered = new ArrayList<>(lines.size());
    for (byte[] line : lines) {
      numbered.add(new LineCheck.Line(line, 0, line.length, ++offered));
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

  // ---- its end

  /**
   * Cancels what is open: it runs no further, and each of its tasks ends as {@code CANCELLED}
   * unless its result comes first. No more tasks are taken. Does not wait: {@link #close} does.
   *
   * @return false if the session is over already
   * @throws CloudKonException if that cannot be published: the session goes on
   */
  public boolean cancel() {
    boolean cancelled = run.cancel();
    if (cancelled) {
      open.close(isOver("was cancelled"));
    }
    return cancelled;
  }

  /**
   * Leaves at once: what was sent goes on without this process, and {@code cloudkon client
   * --resume} goes on with the run. A local session's tasks end. The futures of open tasks fail.
   *
   * @return how many tasks are left open
   */
  public int leave() {
    refuseFromDelivery("leave");
    open.close(isOver("was left"));
    run.interrupt();
    return awaitOver(true);
  }

  /**
   * Takes no more tasks, waits for the results of those that are open, and ends the run. If the
   * thread is interrupted, it leaves as {@link #leave} does. Has no effect the second time.
   *
   * @throws CloudKonException if the session could not go on to its end, or was interrupted: how
   *     many tasks are left open, and how to go on with them
   */
  @Override
  public void close() {
    refuseFromDelivery("close");
    open.close(isOver("was closed"));
    spool.end();
    awaitOver(closed.getAndSet(true));
  }

  /** It would wait for itself. */
  private void refuseFromDelivery(String what) {
    if (delivery.isDelivering() || Thread.currentThread().equals(ending)) {
      throw new IllegalStateException(
          what + "() was called by a listener or a future of the session; expected another thread");
    }
  }

  private int awaitOver(boolean saidBefore) {
    try {
      return over.get();
    } catch (InterruptedException e) {
      run.interrupt();
      int left = over.exceptionally(why -> 0).join();
      Thread.currentThread().interrupt();
      throw new CloudKonException("interrupted: " + run.leftBehind(left), e);
    } catch (ExecutionException e) {
      if (saidBefore) {
        return 0;
      }
      throw SessionRun.failure(e.getCause());
    }
  }

  /** How the run ended decides what becomes of what is open; then all is let go of. */
  private void awaitEnd() {
    ending = Thread.currentThread();
    Throwable failure = run.awaitEnd().orElse(null);
    int left = 0;
    try {
      left = abandon(failure);
    } catch (RuntimeException | Error e) {
      // Those who wait for the end are told, whatever happened.
      failure = failure == null ? e : failure;
    }
    boolean unused = failure == null ? over.complete(left) : over.completeExceptionally(failure);
  }

  /** Lets go of everything and fails the futures that are left; returns how many those are. */
  private int abandon(@Nullable Throwable failure) {
    open.close(isOver(failure == null ? "has ended" : "cannot go on: " + failure.getMessage()));
    delivery.close();
    inlet.close();
    where.letGo();
    String left = run.leftBehind(open.count());
    List<CompletableFuture<SessionResult>> abandoned = open.abandon();
    CloudKonException why =
        new CloudKonException(failure == null ? left : failure.getMessage() + "; " + left, failure);
    abandoned.forEach(future -> future.completeExceptionally(why));
    return abandoned.size();
  }

  private String isOver(String how) {
    return "session %s %s; it takes no more tasks, connect another one".formatted(runId, how);
  }

  // ---- what it is

  /** The id of its run. */
  public String run() {
    return runId;
  }

  /** Where its files are; empty if it keeps none. */
  public Optional<Path> folder() {
    return run.path();
  }

  /** How many tasks have no result yet. */
  public long open() {
    return open.count();
  }
}
