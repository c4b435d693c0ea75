package io.cloudkon.client.cli;

import io.cloudkon.client.report.RunFacts;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunReport;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.core.cli.ExitCodes;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.ResultBatch.WorkerId;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.WorkerEntry;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A run's report: written as soon as every result is there, so that no run has ended without one,
 * and once more with the last calls. Used by one thread.
 */
final class Reporting {
  private final Cluster cluster;
  private final RunStatistics statistics;
  private final RunFolder folder;
  private final Meters meters;
  private final OutputOptions shown;
  private final Supplier<RunFacts> facts;
  private long ended;

  Reporting(
      Cluster cluster,
      RunStatistics statistics,
      RunFolder folder,
      Meters meters,
      OutputOptions shown,
      Supplier<RunFacts> facts) {
    this.cluster = cluster;
    this.statistics = statistics;
    this.folder = folder;
    this.meters = meters;
    this.shown = shown;
    this.facts = facts;
  }

  /** Every result is there. */
  void settled() {
    ended = meters.time().wallMicros();
    liveWorkers().ifPresent(statistics::onlyLive);
    folder.writeReport(report());
  }

  /** The run has ended: says how, and gives the exit code. */
  int print() {
    RunReport report = report();
    folder.writeReport(report);
    shown.report(report, statistics.failures(), folder.path());
    return report.notSucceeded() == 0 ? ExitCodes.SUCCESS : ExitCodes.SOME_FAILED;
  }

  private RunReport report() {
    return statistics.report(facts.get(), meters.calls().get(), ended);
  }

  private static WorkerId identity(WorkerEntry worker) {
    return new WorkerId(
        worker.id(),
        worker.slots(),
        worker.sinceMillis() * 1000,
        worker.origin().type(),
        worker.origin().lifeCycle(),
        worker.shippedFiles());
  }

  /** Workers that wrote their entry lately; empty if none did, or nobody can say. */
  private Optional<Map<String, WorkerId>> liveWorkers() {
    try {
      long now = meters.time().serviceMillis();
      Map<String, WorkerId> live =
          cluster.workers().list().stream()
              .filter(worker -> worker.livesAt(now))
              .collect(Collectors.toMap(WorkerEntry::id, Reporting::identity));
      return live.isEmpty() ? Optional.empty() : Optional.of(live);
    } catch (CloudKonException e) {
      // The report is about the run: it comes, with every worker counted to the end.
      return Optional.empty();
    }
  }
}
