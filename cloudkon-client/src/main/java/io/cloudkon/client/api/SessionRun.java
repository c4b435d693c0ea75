package io.cloudkon.client.api;

import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.report.Resuming;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.ReportWriter;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.session.SessionOptions;
import io.cloudkon.client.spool.TaskSpool;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.RunLabel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The run behind a session, on its own thread. Thread safe. */
final class SessionRun {
  private static final Logger LOG = LoggerFactory.getLogger(SessionRun.class);
  private static final long WITHDRAWAL_SECONDS = 10;

  private final SessionCluster where;
  private final String run;
  private final Workload workload;
  private final RunFolder folder;
  private final RunSession session;
  private final ReportWriter report;
  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private final CompletableFuture<RunEnd> ended = new CompletableFuture<>();

  /**
   * A run that has not begun.
   *
   * @param results receives each result
   */
  SessionRun(
      SessionCluster where,
      SessionConfig config,
      RunOptions options,
      TaskSpool spool,
      RunFolder folder,
      ResultSink results) {
    this.where = where;
    this.run = options.run();
    this.workload = Workload.growing(spool);
    this.folder = folder;
    RunIdentity identity = RunIdentity.fresh(where.cluster().name(), options.run(), new Random());
    long begunMicros = where.meters().time().wallMicros();
    RunStatistics statistics = new RunStatistics(begunMicros, where.meters().price());
    AtomicReference<RunSession> made = new AtomicReference<>();
    this.report =
        new ReportWriter(
            where.cluster(),
            statistics,
            folder,
            where.meters(),
            () ->
                ReportWriter.facts(
                    where.cluster(),
                    options,
                    workload,
                    name(),
                    made.getPlain(),
                    begunMicros,
                    where.meters().time().wallMicros()));
    this.session =
        new RunSession(
            where.cluster(),
            options,
            identity,
            workload,
            statistics,
            where.meters().time(),
            where.meters().serviceToWallMicros(),
            new SessionOptions(
                (blobs, run) -> List.of(),
                false,
                new RunLabel(config.name(), Map.of()),
                () -> begun.complete(null),
                report::settled,
                results,
                LOG::info,
                Pause.real()));
    made.setPlain(session);
    where.meters().outages().accept(LOG::warn);
  }

  /** The folder of a session's run. */
  static RunFolder folder(SessionConfig config, String run, TaskSpool spool) {
    if (!config.files()) {
      return RunFolder.choose(run, Optional.of(RunFolder.NONE), false);
    }
    return RunFolder.choose(run, config.folder().map(Path::toString), false)
        .keeping(spool.keptFile())
        .recording(KeptOptions.here(), KeptSettings.of(config));
  }

  private String name() {
    return folder.keptWorkload().map(Path::toString).orElse("<session>");
  }

  /**
   * Begins the run and returns when it accepts tasks.
   *
   * @throws CloudKonException if it cannot begin
   */
  void begin() throws InterruptedException {
    var unused = SessionThreads.start("cloudkon-session", this::work);
    CompletableFuture<Object> either = CompletableFuture.anyOf(begun, ended);
    try {
      either.get();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private void work() {
    try (workload) {
      RunEnd end =
          session.run(
              folder,
              folder.keptWorkload().map(Path::toAbsolutePath).map(Path::toString).orElse("-"));
      if (end == RunEnd.COMPLETE || end == RunEnd.CANCELLED) {
        report.write(report.report());
      }
      ended.complete(end);
    } catch (InterruptedException | RuntimeException | Error e) {
      ended.completeExceptionally(e);
    }
  }

  /** The exception for the program if the run cannot continue. */
  static CloudKonException failure(@Nullable Throwable why) {
    return why instanceof CloudKonException known
        ? known
        : new CloudKonException("the session cannot continue: " + why, why);
  }

  /** Waits for the run's end, and returns the failure that stopped it; empty if there was none. */
  Optional<Throwable> awaitEnd() {
    return ended.handle((end, why) -> Optional.<Throwable>ofNullable(why)).join();
  }

  /** Leaves the run: tasks that were sent continue without this process. */
  void interrupt() {
    session.interrupt();
  }

  /** Leaves a run that has hardly begun, and waits until it is withdrawn, or for some seconds. */
  void withdraw() {
    interrupt();
    try {
      var unused = ended.handle((end, why) -> why).get(WITHDRAWAL_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      LOG.warn("run {} may be left open: {}", run, e.toString());
    }
  }

  /** Cancels the run; returns false if it is over. */
  boolean cancel() {
    return session.cancel();
  }

  /** Says that the session accepts no more tasks, and why. */
  String over(String how) {
    return "session %s %s; it accepts no more tasks, so connect another one".formatted(run, how);
  }

  /** Says how many tasks are left open and, if possible, how to continue with them. */
  String leftBehind(long open) {
    String cluster = where.cluster().name();
    String tasks =
        "%s of session %s %s left open"
            .formatted(Wording.count(open, "task"), run, open == 1 ? "is" : "are");
    return cluster.equals(Names.LOCAL) || path().isEmpty()
        ? tasks
        : "%s; resume the run with: %s"
            .formatted(tasks, Resuming.command(cluster, run, path().get()));
  }

  /** The folder of its files. */
  Optional<Path> path() {
    return folder.path();
  }
}
