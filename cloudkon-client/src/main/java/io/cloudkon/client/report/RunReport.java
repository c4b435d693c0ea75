package io.cloudkon.client.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The report of a run. The component names are the keys of {@code report.json}, in this order.
 * Immutable.
 *
 * @param run the run's id
 * @param tasks the number of its tasks
 * @param succeeded the number of tasks that succeeded; likewise the next four
 * @param outstanding tasks without a final result: 0 unless the client left early
 * @param duplicatesDropped results for a task that already had its final result
 * @param reruns tasks whose result is not from the first attempt at their bundle: an earlier worker
 *     died, lost its lease or drained before they were recorded. Only that worker knew whether it
 *     had started them
 * @param bundlesTakenOver the number of bundles of those tasks
 * @param retried the number of tasks that were tried more than once within one attempt
 * @param makespanSeconds from the run's start to its last result; if it was resumed, to the last
 *     finish of a task
 * @param tasksPerSecond final results, without cancelled tasks, divided by the makespan
 * @param setUpSeconds from the run's start until its first task was submitted, part of the
 *     makespan; null, and not written, if none ran or the run was resumed
 * @param rampUpSeconds from the start of the client's program to the first start of a task; null,
 *     and not written, if none ran or the run was resumed
 * @param rampDownSeconds from the last finish of a task to this report, the last action of the
 *     client's program; null, and not written, if none ran
 * @param efficiency the tasks' run time (finished - started; for an HPC job, that of each rank)
 *     divided by the slot-seconds of the workers; 0 if there were none
 * @param efficiencyNominal the time that the tasks asked for, divided by those slot-seconds, if all
 *     of them are {@code sleep} and ran to their end; else null
 * @param stagingShare the time in which slots made tasks' files ready, divided by those
 *     slot-seconds
 * @param latencyMillis submitted to collected
 * @param stageMillis by {@link Stage#key}, in the order of the stages
 * @param gangs the times of HPC jobs' gangs; null, and not written, if none ran
 * @param files the files that tasks brought back, or left; null, and not written, if none were
 *     requested and none left
 * @param outputsCut the number of tasks whose standard output, standard error or output was cut at
 *     {@code --capture}
 * @param refusedLines the lines of {@code --serve} that were no tasks; null, and not written, if
 *     there were none
 * @param calls the number of calls that client and workers made for this run, by service ({@code
 *     sqs}, {@code dynamodb}, {@code s3}) and operation
 * @param callCostsUsd their cost at list price, by the same keys
 * @param costUsd the sum of those costs
 * @param instancesUsd the cost of the workers' machines while they served the run, at the on-demand
 *     list price; null, and not written, if no price is known
 * @param workers the workers that sent results or ran ranks of HPC jobs, by id
 * @param clientVersion the client's version
 * @param cluster the request queue's name, or {@code LOCAL}
 * @param consistency as on the command line
 * @param startedAt when the run started
 * @param endedAt when its last result arrived
 * @param workload the workload's file and the SHA-256 of its content
 */
public record RunReport(
    String run,
    long tasks,
    long succeeded,
    long failed,
    long timedOut,
    long lost,
    long cancelled,
    long outstanding,
    long duplicatesDropped,
    long reruns,
    long bundlesTakenOver,
    long retried,
    double makespanSeconds,
    double tasksPerSecond,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double setUpSeconds,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double rampUpSeconds,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double rampDownSeconds,
    double efficiency,
    @Nullable Double efficiencyNominal,
    double stagingShare,
    Latency latencyMillis,
    SortedMap<Stage, Quantiles> stageMillis,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Gangs gangs,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FileCounts files,
    long outputsCut,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable RefusedLines refusedLines,
    SortedMap<String, SortedMap<String, Long>> calls,
    SortedMap<String, SortedMap<String, Double>> callCostsUsd,
    double costUsd,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double instancesUsd,
    List<Worker> workers,
    String clientVersion,
    String cluster,
    String consistency,
    Instant startedAt,
    Instant endedAt,
    Workload workload) {

  /** In milliseconds; all 0 if there is nothing to measure. */
  public record Latency(double p50, double p90, double p99, double max) {}

  /** In milliseconds; all 0 if there is nothing to measure. */
  public record Quantiles(double p50, double p90, double p99) {}

  /**
   * The gangs of HPC jobs, by the manager's clock.
   *
   * @param count how many jobs ran
   * @param waitMillis received to claimBegun: the wait for enough free slots
   * @param startMillis claimed to stageBegun: until all ranks were there
   * @param runMillis started to finished
   */
  public record Gangs(long count, Latency waitMillis, Latency startMillis, Latency runMillis) {}

  /**
   * One worker's part in a run.
   *
   * @param id the worker's id
   * @param slots its slots
   * @param tasks the number of final results that it sent
   * @param busySeconds the run time of its tasks, summed over its slots
   * @param lifeSeconds its lifetime within the run: from the later of its start and the run's, to
   *     the run's end, or to its last message if it was gone by then
   * @param clockOffsetMillis its clock minus the client's, as estimated
   * @param instanceType the type of its machine; empty, and not written, if unknown
   * @param lifeCycle {@code on-demand} or {@code spot}; likewise
   * @param shippedFiles how it provided shipped files, a label of {@link
   *     io.cloudkon.core.model.ShippedFiles}; empty, and not written, if unknown
   * @param instanceUsd the cost of its machine for {@code lifeSeconds} at the on-demand list price,
   *     which Spot does not exceed; null, and not written, if its price is unknown or zero
   */
  public record Worker(
      String id,
      int slots,
      long tasks,
      double busySeconds,
      double lifeSeconds,
      double clockOffsetMillis,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String instanceType,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String lifeCycle,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String shippedFiles,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double instanceUsd) {}

  /**
   * The workload that was run.
   *
   * @param file the file as the user named it
   * @param sha256 the SHA-256 of its bytes, hex; empty if it was not read whole
   */
  public record Workload(String file, String sha256) {}

  /** The number of tasks that ended without succeeding. */
  public long notSucceeded() {
    return failed + timedOut + lost + cancelled;
  }

  /** The number of calls to a service. */
  public long callsTo(String service) {
    SortedMap<String, Long> operations = calls.get(service);
    return operations == null ? 0 : operations.values().stream().mapToLong(Long::longValue).sum();
  }
}
