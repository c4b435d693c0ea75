package io.cloudkon.core.port;

import java.util.Map;

/**
 * The entry of a worker, with its state at {@code updatedMillis}.
 *
 * @param id unique among workers
 * @param host the machine's name
 * @param origin its launch and the machine on which it runs
 * @param takes the work that it accepts
 * @param role "worker", "manager" or "sub-worker"; "sick" while it cannot start tasks; "draining"
 *     while it ends
 * @param notice the notice of the cloud that its machine will leave soon: "interruption",
 *     "rebalance" or "maintenance"; empty if there is none
 * @param sickness why it cannot start tasks, in one line; empty while it can
 * @param slots the number of its slots
 * @param busy the number of slots that run a task or prepare its files
 * @param staging the number of busy slots that prepare files
 * @param shippedFiles the label of its {@link io.cloudkon.core.model.ShippedFiles}; empty if
 *     unknown
 * @param unreachable the address at which other workers could not call it for HPC jobs, so that it
 *     takes no ranks of theirs; empty if none has said so, or one could since
 * @param cpu the process's use of all cores, 0 to 1; negative if unknown
 * @param memoryBytes the used heap in bytes
 * @param tasksDone the number of tasks since it started
 * @param tasksPerSecond the rate since its last entry
 * @param finished the tasks that it has finished, by run
 * @param sinceMillis when it started; service clock, epoch milliseconds
 * @param updatedMillis when this entry was written; service clock, epoch milliseconds
 */
public record WorkerEntry(
    String id,
    String host,
    WorkerOrigin origin,
    WorkerTakes takes,
    String role,
    String notice,
    String sickness,
    int slots,
    int busy,
    int staging,
    String shippedFiles,
    String unreachable,
    double cpu,
    long memoryBytes,
    long tasksDone,
    double tasksPerSecond,
    Map<String, FinishedTasks> finished,
    long sinceMillis,
    long updatedMillis) {

  /**
   * A worker that has not written for this time is considered dead: four of its default intervals.
   */
  public static final long SILENT_MILLIS = 20_000;

  /**
   * A death is reported for this time, which is several leases; entries remain for some minutes
   * longer.
   */
  private static final long LATELY_MILLIS = 120_000;

  /** The role of a worker that ends. */
  public static final String DRAINING = "draining";

  /** The role of a worker that cannot start tasks. */
  public static final String SICK = "sick";

  public WorkerEntry {
    finished = Map.copyOf(finished);
  }

  /** A worker without slots that prepare files. */
  public WorkerEntry(
      String id,
      String host,
      WorkerOrigin origin,
      WorkerTakes takes,
      String role,
      String notice,
      String sickness,
      int slots,
      int busy,
      double cpu,
      long memoryBytes,
      long tasksDone,
      double tasksPerSecond,
      Map<String, FinishedTasks> finished,
      long sinceMillis,
      long updatedMillis) {
    this(
        id,
        host,
        origin,
        takes,
        role,
        notice,
        sickness,
        slots,
        busy,
        0,
        "",
        "",
        cpu,
        memoryBytes,
        tasksDone,
        tasksPerSecond,
        finished,
        sinceMillis,
        updatedMillis);
  }

  /** A healthy worker that has finished no task of any run. */
  public WorkerEntry(
      String id,
      String host,
      WorkerOrigin origin,
      WorkerTakes takes,
      String role,
      String notice,
      int slots,
      int busy,
      double cpu,
      long memoryBytes,
      long tasksDone,
      double tasksPerSecond,
      long sinceMillis,
      long updatedMillis) {
    this(
        id,
        host,
        origin,
        takes,
        role,
        notice,
        "",
        slots,
        busy,
        cpu,
        memoryBytes,
        tasksDone,
        tasksPerSecond,
        Map.of(),
        sinceMillis,
        updatedMillis);
  }

  /** The number of slots that run a task. */
  public int running() {
    return Math.max(0, busy - staging);
  }

  /** Whether it takes work, because it is neither ending nor sick. */
  public boolean takesWork() {
    return !role.equals(DRAINING) && !role.equals(SICK);
  }

  /**
   * Whether it counts as live at this time of the service's clock, because it has written recently.
   */
  public boolean livesAt(long millis) {
    return millis - updatedMillis < SILENT_MILLIS;
  }

  /**
   * Whether it has died recently, so that its bundles may still wait for their leases to end. The
   * entry of a worker that died earlier only waits to be deleted.
   */
  public boolean diedLatelyAt(long millis) {
    return !livesAt(millis) && millis - updatedMillis < LATELY_MILLIS;
  }
}
