package io.cloudkon.client.cli;

import io.cloudkon.client.report.Progress;
import io.cloudkon.client.report.Report;
import io.cloudkon.client.report.RunFacts;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.report.ShortReport;
import io.cloudkon.client.report.Terminal;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.RunInterruptedException;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.cli.Version;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One run as a person sees it: progress while it goes on, a report at its end.
 *
 * @param workloadName as the user named it
 * @param calls this process's API calls so far
 * @param price what calls cost, in US dollars
 * @param serviceToWallMicros from the service's clock in milliseconds to this machine's in
 *     microseconds
 * @param progress whether to show progress, where there is a terminal
 */
record ClientRun(
    RunOptions options,
    Workload workload,
    String workloadName,
    RunFolder folder,
    TimeSource time,
    Supplier<List<Calls>> calls,
    ToDoubleFunction<List<Calls>> price,
    LongUnaryOperator serviceToWallMicros,
    boolean progress) {

  /** Runs to the end and gives the exit code. */
  int run(Cluster cluster) throws InterruptedException {
    RunStatistics statistics = new RunStatistics(time.wallMicros(), price);
    RunIdentity identity = RunIdentity.fresh(cluster.name(), options.run(), new Random());
    RunSession session =
        new RunSession(cluster, options, identity, workload, statistics, time, serviceToWallMicros);
    try (Interrupt interrupt = Interrupt.install(session::interrupt)) {
      try (Progress shown = show(statistics, session);
          WorkerHint hint = new WorkerHint(cluster, statistics::done, time)) {
        session.run(folder, workloadName);
      } catch (RunInterruptedException e) {
        interrupt.outstanding(String.valueOf(e.getMessage()));
        throw e;
      }
      long ended = time.wallMicros();
      liveWorkers(cluster).ifPresent(statistics::onlyLive);
      Report report = statistics.report(facts(cluster, session), calls.get(), ended);
      folder.writeReport(report);
      ShortReport.print(System.out, report, statistics.failures(), folder.path());
      return report.notSucceeded() == 0 ? ExitCodes.SUCCESS : ExitCodes.SOME_FAILED;
    }
  }

  /** Workers that wrote their entry lately; empty if none did, or nobody can say. */
  private Optional<Set<String>> liveWorkers(Cluster cluster) {
    try {
      long now = time.serviceMillis();
      Set<String> live =
          cluster.workers().list().stream()
              .filter(worker -> worker.livesAt(now))
              .map(WorkerEntry::id)
              .collect(Collectors.toSet());
      return live.isEmpty() ? Optional.empty() : Optional.of(live);
    } catch (CloudKonException e) {
      // The report is about the run: it comes, with every worker counted to the end.
      return Optional.empty();
    }
  }

  private Progress show(RunStatistics statistics, RunSession session) {
    OptionalInt columns = progress ? Terminal.columns(System.getenv()) : OptionalInt.empty();
    return Progress.start(
        System.err,
        columns,
        statistics::done,
        statistics::notSucceeded,
        () -> tasks(session),
        time::monotonicNanos);
  }

  /** All tasks; negative while that is not known. */
  private long tasks(RunSession session) {
    Optional<WorkloadSummary> summary = workload.summary();
    if (summary.isPresent()) {
      return summary.get().tasks();
    }
    return session.counts().allSent() ? session.counts().tasks() : -1;
  }

  private RunFacts facts(Cluster cluster, RunSession session) {
    return new RunFacts(
        options.run(),
        Version.number(),
        cluster.name(),
        options.consistency(),
        workloadName,
        workload.summary().map(WorkloadSummary::sha256).orElse(""),
        session.counts().tasks(),
        session.nominalMicros());
  }
}
