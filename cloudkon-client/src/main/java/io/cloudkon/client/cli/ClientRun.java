package io.cloudkon.client.cli;

import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.Progress;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunReport;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.report.UnwritableFolderException;
import io.cloudkon.client.report.Wording;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Meters;
import io.cloudkon.client.session.ReportWriter;
import io.cloudkon.client.session.ResumeCommand;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.session.SessionOptions;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunLabel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run with its output for the user: progress while it runs and a report at its end.
 *
 * @param command the command's name
 * @param workloadName the workload's name in messages and the report
 * @param streamed whether the workload cannot be read again
 * @param output selects the output
 * @param detach whether to leave when everything is sent
 * @param maxFailures the number of unsuccessful tasks at which the run is cancelled
 * @param label the run's name and tags
 * @param shipper stores what the run ships
 * @param settles whether the run was cancelled before, so that Ctrl-C only leaves
 * @param hooks the additional actions of a run whose tasks come one by one
 */
record ClientRun(
    String command,
    RunOptions options,
    Workload workload,
    String workloadName,
    boolean streamed,
    RunFolder folder,
    Meters meters,
    OutputOptions output,
    boolean detach,
    OptionalLong maxFailures,
    RunLabel label,
    SessionOptions.Shipper shipper,
    boolean settles,
    RunHooks hooks) {

  /** Starts the session: a new run or a resumed one. */
  @FunctionalInterface
  interface Start {
    RunEnd of(RunSession session) throws InterruptedException;
  }

  /** Runs until the run is over, and returns the exit code. */
  int run(Cluster cluster, RunIdentity identity, Start start) throws InterruptedException {
    RunStatistics statistics = new RunStatistics(meters.time().wallMicros(), meters.price());
    AtomicReference<RunSession> begun = new AtomicReference<>();
    ReportWriter reporting =
        new ReportWriter(
            cluster,
            statistics,
            folder,
            meters,
            () ->
                ReportWriter.facts(
                        cluster,
                        options,
                        workload,
                        workloadName,
                        begun.getPlain(),
                        CommandStart.micros(),
                        meters.time().wallMicros())
                    .with(hooks.refused().get()));
    OptionalInt columns = output.columns();
    CommandMessages messages = CommandMessages.beside(columns, command);
    Consumer<String> say = messages::say;
    meters.outages().accept(say);
    RunSession session =
        new RunSession(
            cluster,
            options,
            identity,
            workload,
            statistics,
            meters.time(),
            meters.serviceToWallMicros(),
            new SessionOptions(
                shipper,
                detach,
                label,
                () -> {
                  announce(cluster.name(), messages);
                  hooks.begun().accept(cluster);
                },
                reporting::settled,
                hooks.results(),
                say,
                Pause.real()));
    begun.setPlain(session);
    ResumeCommand way =
        new ResumeCommand(cluster.name(), options.run(), folder, workloadName, streamed);
    boolean local = cluster.name().equals(Names.LOCAL);
    @Nullable ResumeCommand resumable = local ? null : way;
    try (Interrupt interrupt =
        Interrupt.install(session, resumable, settles, hooks.leaving(), messages)) {
      RunEnd end;
      boolean hinted;
      try (Progress bar = show(columns, statistics, session);
          EarlyEnd early =
              EarlyEnd.start(
                  earlyEnd(cluster, statistics, session),
                  tell -> cancel(session, local && statistics.done() != tasks(session), tell),
                  say);
          WorkerHint hint =
              WorkerHint.start(
                  cluster,
                  workload,
                  statistics::done,
                  () -> session.counts().openJobs(),
                  () ->
                      interrupt.pressedOnce()
                          || (workload.grows() && workload.knownTasks() == statistics.done()),
                  meters.time(),
                  say)) {
        end = start.of(session);
        hinted = hint.told();
      } catch (UsageException e) {
        throw streamed ? withSent(e, session.counts().sent(), resumable) : e;
      } catch (LocalFileException e) {
        if (reporting.hasEnd()) {
          // Every result is there; only the files that say so could not be written.
          output.report(reporting.report(), statistics.failures(), folder.path());
          throw local ? e : withWay(e, resumable);
        }
        throw e instanceof UnwritableFolderException ? withWay(e, resumable) : e;
      }
      return switch (end) {
        case COMPLETE -> print(reporting, statistics, say);
        case CANCELLED -> {
          int code = print(reporting, statistics, say);
          yield interrupt.pressedOnce() ? ExitCodes.INTERRUPTED : code;
        }
        case DETACHED -> {
          long sent = session.counts().sent();
          output.facts(
              "run %s: %s".formatted(options.run(), collect(sent, way)),
              () -> Map.of("run", options.run(), "sent", sent, "resume", way.resume()));
          if (!hinted) {
            int jobs = session.counts().openJobs();
            WorkerHint.say(cluster, workload, jobs, meters.time().serviceMillis(), say);
          }
          yield ExitCodes.SUCCESS;
        }
        case INTERRUPTED -> {
          if (local) {
            // nothing of a local run continues, so these results are final
            reporting.end();
            int unused = print(reporting, statistics, say);
          }
          yield ExitCodes.INTERRUPTED;
        }
      };
    }
  }

  /**
   * A disk that is full, say: what is written stays, and the rest can be had once there is room.
   */
  private CloudKonException withWay(LocalFileException e, @Nullable ResumeCommand way) {
    Optional<Path> begun = folder.path().filter(path -> RunFolder.headerIn(path).isPresent());
    if (begun.isEmpty()) {
      return e; // nothing was sent
    }
    Optional<String> rest =
        way != null
            ? Optional.of("the run is not over; " + way.advice())
            : KeptOptions.rerun(begun.get()).map(command -> "run the other tasks with: " + command);
    return new LocalFileException(e.getMessage() + rest.map(what -> "; " + what).orElse(""), e);
  }

  /** A bad line of a streamed workload, of which the lines before it may have been sent. */
  private static UsageException withSent(
      UsageException bad, long sent, @Nullable ResumeCommand way) {
    String cancel =
        way == null || sent == 0 ? "" : " and continue, cancel them with: " + way.cancel();
    return new UsageException(
        "%s; %s sent%s".formatted(bad.getMessage(), Wording.count(sent, "task"), cancel), bad);
  }

  /** Prints the run's report, then writes it, and returns the exit code. */
  private int print(ReportWriter reporting, RunStatistics statistics, Consumer<String> say) {
    RunReport report = reporting.report();
    output.report(report, statistics.failures(), folder.path());
    try {
      reporting.write(report);
    } catch (CloudKonException e) {
      // All results are in their file, and the report before the last calls may be.
      say.accept(String.valueOf(e.getMessage()));
    }
    return hooks
        .exitCode()
        .applyAsInt(report.notSucceeded() == 0 ? ExitCodes.SUCCESS : ExitCodes.SOME_FAILED);
  }

  private Supplier<Optional<String>> earlyEnd(
      Cluster cluster, RunStatistics statistics, RunSession session) {
    if (maxFailures.isPresent()) {
      return EarlyEnd.tooManyFailures(maxFailures.getAsLong(), statistics::notSucceeded);
    }
    return hooks.openEnded()
        ? Optional::empty
        : EarlyEnd.nothingFound(
            statistics,
            () -> tasks(session),
            () -> liveWorkers(cluster),
            cluster.name().equals(Names.LOCAL)
                ? "tasks start here, or with --ship, --file or --collect in a folder of their own"
                : "tasks start in an empty folder: --ship PATH puts a file or folder into it");
  }

  /**
   * Cancels the run. A worker in this process ends its work first: it would notice the cancellation
   * only after seconds, and what it finished until then would be collected. That takes a moment, in
   * which more tasks end.
   *
   * @param first whether to tell the user first, and not once the run is cancelled
   */
  private void cancel(RunSession session, boolean first, Runnable tell) {
    if (first) {
      tell.run();
    }
    hooks.leaving().run();
    if (session.cancel()) {
      tell.run();
    }
  }

  private long liveWorkers(Cluster cluster) {
    long now = meters.time().serviceMillis();
    return cluster.workers().list().stream().filter(worker -> worker.livesAt(now)).count();
  }

  /** Prints the run's id, number of tasks and queue, which other commands need. */
  private void announce(String cluster, CommandMessages messages) {
    String tasks =
        workload
            .summary()
            .map(summary -> Wording.count(summary.tasks(), "task"))
            .orElse("tasks as they are read");
    String name = label.name().isEmpty() ? "" : " (%s)".formatted(label.name());
    String where = cluster.equals(Names.LOCAL) ? "on this machine" : "on queue " + cluster;
    messages.clearLine();
    output.line("Run %s%s: %s %s".formatted(options.run(), name, tasks, where));
  }

  static String collect(long sent, ResumeCommand way) {
    return "%s sent; collect %s with: %s"
        .formatted(Wording.count(sent, "task"), sent == 1 ? "it" : "them", way.resume());
  }

  private Progress show(OptionalInt columns, RunStatistics statistics, RunSession session) {
    return Progress.start(
        System.err,
        columns,
        statistics::done,
        statistics::earlier,
        statistics::notSucceeded,
        () -> tasks(session),
        meters.time()::monotonicNanos);
  }

  /** The number of tasks; negative while it is unknown. */
  private long tasks(RunSession session) {
    Optional<WorkloadSummary> summary = workload.summary();
    if (summary.isPresent()) {
      return summary.get().tasks();
    }
    return session.counts().allSent() ? session.counts().tasks() : -1;
  }
}
