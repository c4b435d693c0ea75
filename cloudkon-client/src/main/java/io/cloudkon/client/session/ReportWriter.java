package io.cloudkon.client.session;

import io.cloudkon.client.report.RunFacts;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunReport;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadSummary;
import io.cloudkon.core.cli.Version;
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
public final class ReportWriter {
  private final Cluster cluster;
  private final RunStatistics statistics;
  private final RunFolder folder;
  private final Meters meters;
  private final Supplier<RunFacts> facts;
  private long ended;

  /**
   * Has written nothing yet.
   *
   * @param facts as they stand when it is written
   */
  public ReportWriter(
      Cluster cluster,
      RunStatistics statistics,
      RunFolder folder,
      Meters meters,
      Supplier<RunFacts> facts) {
    this.cluster = cluster;
    this.statistics = statistics;
    this.folder = folder;
    this.meters = meters;
    this.facts = facts;
  }

  /** Every result is there. */
  public void settled() {
    ended = meters.time().wallMicros();
    liveWorkers().ifPresent(statistics::onlyLive);
    folder.writeReport(report());
  }

  /** The run has ended: writes it with the last calls. */
  public RunReport write() {
    RunReport report = report();
    folder.writeReport(report);
    return report;
  }

  /**
   * The facts of a run as they stand.
   *
   * @param workloadName as the user named it
   * @param begunMicros when the client's program began, or the session; epoch microseconds
   * @param nowMicros the time of this call; likewise
   */
  public static RunFacts facts(
      Cluster cluster,
      RunOptions options,
      Workload workload,
      String workloadName,
      RunSession session,
      long begunMicros,
      long nowMicros) {
    Optional<WorkloadSummary> summary = workload.summary();
    return new RunFacts(
        options.run(),
        Version.number(),
        cluster.name(),
        options.consistency(),
        workloadName,
        summary.map(WorkloadSummary::sha256).orElse(""),
        summary.isPresent() ? summary.get().tasks() : session.counts().tasks(),
        session.nominalMicros(),
        begunMicros,
        nowMicros);
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
              .collect(Collectors.toMap(WorkerEntry::id, ReportWriter::identity));
      return live.isEmpty() ? Optional.empty() : Optional.of(live);
    } catch (CloudKonException e) {
      // The report is about the run: it comes, with every worker counted to the end.
      return Optional.empty();
    }
  }
}
