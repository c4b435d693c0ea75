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
 * Writes a run's report as soon as every result is there, so that no run ends without one, and once
 * more with the last calls. Used by one thread.
 */
public final class ReportWriter {
  private final Cluster cluster;
  private final RunStatistics statistics;
  private final RunFolder folder;
  private final Meters meters;
  private final Supplier<RunFacts> facts;
  private long ended;

  /**
   * A writer that has written nothing yet.
   *
   * @param facts the facts at the time of writing
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

  /**
   * Writes the report when every result is there.
   *
   * @throws CloudKonException if it cannot be written
   */
  public void settled() {
    end();
    folder.writeReport(report());
  }

  /** Whether the run's end is set: there is a report, written or not. */
  public boolean hasEnd() {
    return ended != 0;
  }

  /** Sets the run's end to now, because no more results follow. */
  public void end() {
    ended = meters.time().wallMicros();
    liveWorkers().ifPresent(statistics::onlyLive);
  }

  /** The report with the last calls, after the run has ended. */
  public RunReport report() {
    return statistics.report(facts.get(), meters.calls().get(), ended);
  }

  /**
   * Writes the report with the last calls.
   *
   * @throws CloudKonException if it cannot be written
   */
  public void write(RunReport report) {
    folder.writeReport(report);
  }

  /**
   * The current facts of a run.
   *
   * @param workloadName the workload's name, as the user gave it
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
        Math.max(workload.knownTasks(), session.counts().tasks()),
        session.nominalMicros(),
        begunMicros,
        nowMicros,
        Optional.empty());
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

  /**
   * The workers that wrote their entry recently; empty if there are none or they cannot be read.
   */
  private Optional<Map<String, WorkerId>> liveWorkers() {
    try {
      long now = meters.time().serviceMillis();
      Map<String, WorkerId> live =
          cluster.workers().list().stream()
              .filter(worker -> worker.livesAt(now))
              .collect(Collectors.toMap(WorkerEntry::id, ReportWriter::identity));
      return live.isEmpty() ? Optional.empty() : Optional.of(live);
    } catch (CloudKonException e) {
      // The report is written anyway, with every worker counted to the end.
      return Optional.empty();
    }
  }
}
