package io.cloudkon.client.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A run as {@code report.json} tells it: component names are its keys, in this order. Immutable.
 *
 * @param run the run's id
 * @param tasks how many tasks it has
 * @param succeeded how many of them ended so; likewise the next four
 * @param outstanding tasks without a final result: 0 unless the client left early
 * @param duplicatesDropped results that came for a task that had its final result
 * @param reruns tasks whose result is from a later attempt at their bundle than the first: its
 *     worker died, lost its lease or drained before they were recorded. Whether it had started them
 *     only it could say
 * @param bundlesTakenOver how many bundles they were in
 * @param retried tasks that were tried more than once within one attempt
 * @param makespanSeconds from the run's start to its last result
 * @param tasksPerSecond final results over the makespan
 * @param rampUpSeconds from the begin of the client's program to the first start of a task; null,
 *     and not written, if none ran, or the run is one that was resumed
 * @param rampDownSeconds from the last finish of a task to this report, which is the last thing
 *     that the client's program does; null, and not written, if none ran
 * @param efficiency the tasks' own run time (finished - started; of an HPC job, that of each rank)
 *     over the slot-seconds of the workers that lived; 0 if none did
 * @param efficiencyNominal for {@code sleep} alone, and each of them run to its end, the time asked
 *     for over the same; else null
 * @param stagingShare the time in which slots made tasks' files ready over those slot-seconds
 * @param latencyMillis submitted to collected
 * @param stageMillis by {@link Stage#key}, in the order of the way
 * @param gangs how the gangs of HPC jobs fared; null, and not written, if none ran
 * @param files that tasks brought back; null, and not written, if none were asked for
 * @param outputsCut tasks of whose standard output, standard error or output more came than {@code
 *     --capture} kept
 * @param calls by service ({@code sqs}, {@code dynamodb}, {@code s3}) and operation: how many calls
 *     client and workers made for this run
 * @param callCostsUsd what they cost at list price, by the same keys
 * @param costUsd the sum
 * @param instancesUsd what the workers' machines cost for as long as they served the run, at the
 *     list price on demand; null, and not written, if no price is known
 * @param workers by id, those that sent results or ran ranks of HPC jobs
 * @param clientVersion the client's version
 * @param cluster the request queue's name, or {@code LOCAL}
 * @param consistency as on the command line
 * @param startedAt when the run started
 * @param endedAt when its last result was here
 * @param workload the file, and the SHA-256 of what was in it
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
   * @param waitMillis received to claimBegun: the wait for so many free slots
   * @param startMillis claimed to started: until all ranks were there
   * @param runMillis started to finished
   */
  public record Gangs(long count, Latency waitMillis, Latency startMillis, Latency runMillis) {}

  /**
   * One worker's part.
   *
   * @param id the worker's id
   * @param slots its slots
   * @param tasks final results it sent
   * @param busySeconds how long its tasks ran, added up over its slots
   * @param lifeSeconds how long it lived within the run: from its start or the run's, to the run's
   *     end unless it is known to have ended before
   * @param clockOffsetMillis its clock minus the client's, as estimated
   * @param instanceType of the machine that it ran on; empty, and not written, if unknown
   * @param lifeCycle {@code on-demand} or {@code spot}; likewise
   * @param shippedFiles how it provided what was shipped, a label of {@link
   *     io.cloudkon.core.model.ShippedFiles}; empty, and not written, if unknown
   * @param instanceUsd what its machine cost for {@code lifeSeconds} at the list price on demand,
   *     which Spot does not exceed; null, and not written, if its price is unknown or nothing
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
   * What was run.
   *
   * @param file as it was named
   * @param sha256 of its bytes, hex; empty if it was not read whole
   */
  public record Workload(String file, String sha256) {}

  /** Tasks that ended in another way than by succeeding. */
  public long notSucceeded() {
    return failed + timedOut + lost + cancelled;
  }

  /** All calls of a service. */
  public long callsTo(String service) {
    SortedMap<String, Long> operations = calls.get(service);
    return operations == null ? 0 : operations.values().stream().mapToLong(Long::longValue).sum();
  }
}
