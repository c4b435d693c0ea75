package io.cloudkon.core.port;

import java.util.Map;

/**
 * One worker, as it was at {@code updatedMillis}.
 *
 * @param id unique among workers
 * @param host the machine's name
 * @param origin who launched it, and on what it runs
 * @param takes what it takes on
 * @param role "worker", "manager" or "sub-worker"; "sick" while it can start nothing; "draining"
 *     while it ends
 * @param notice why its machine is to leave soon, as its cloud announced: "interruption",
 *     "rebalance" or "maintenance"; empty if it did not
 * @param sickness why it can start nothing, in one line; empty while it can
 * @param slots its slots
 * @param busy slots that run a task, or make its files ready
 * @param staging how many of the busy ones make files ready
 * @param shippedFiles the label of its {@link io.cloudkon.core.model.ShippedFiles}; empty if
 *     unknown
 * @param cpu of this process, 0 to 1 of all cores; negative if unknown
 * @param memoryBytes used heap
 * @param tasksDone since it started
 * @param tasksPerSecond since its last entry
 * @param finished what it has finished of the runs on which it works, by run
 * @param sinceMillis when it started; service clock, epoch milliseconds
 * @param updatedMillis when this was written; likewise
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
    double cpu,
    long memoryBytes,
    long tasksDone,
    double tasksPerSecond,
    Map<String, FinishedTasks> finished,
    long sinceMillis,
    long updatedMillis) {

  /** A worker that has not written for so long has died: four of its default intervals. */
  public static final long SILENT_MILLIS = 20_000;

  /** A death is news for so long, which is several leases; entries stay for some minutes more. */
  private static final long LATELY_MILLIS = 120_000;

  /** The role of a worker that ends. */
  public static final String DRAINING = "draining";

  /** The role of a worker that can start nothing. */
  public static final String SICK = "sick";

  public WorkerEntry {
    finished = Map.copyOf(finished);
  }

  /** A worker of which no slot makes files ready. */
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
        cpu,
        memoryBytes,
        tasksDone,
        tasksPerSecond,
        finished,
        sinceMillis,
        updatedMillis);
  }

  /** A worker that is well, and has finished nothing of any run. */
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

  /** Whether it takes work, neither ending nor sick. */
  public boolean takesWork() {
    return !role.equals(DRAINING) && !role.equals(SICK);
  }

  /** Whether it has written lately, seen from this moment of the service's clock. */
  public boolean livesAt(long millis) {
    return millis - updatedMillis < SILENT_MILLIS;
  }

  /**
   * Whether it has died, and what it had in hand may still wait for its lease to end. The entry of
   * a worker that died before only waits to be deleted.
   */
  public boolean diedLatelyAt(long millis) {
    return !livesAt(millis) && millis - updatedMillis < LATELY_MILLIS;
  }
}
