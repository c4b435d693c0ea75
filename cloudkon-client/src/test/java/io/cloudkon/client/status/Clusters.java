package io.cloudkon.client.status;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.FinishedTasks;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Clusters as they may be found. */
public final class Clusters {
  /** The moment at which all of them are seen; epoch milliseconds. */
  public static final long NOW = 1_767_225_600_000L;

  private static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);

  /** No HPC job at all. */
  public static final HpcStatus NO_HPC = new HpcStatus(EMPTY, EMPTY, LedgerView.EMPTY, "");

  private Clusters() {}

  /** An open run of 100 tasks, whose client holds it for another 10 s. */
  public static RunEntry run(String id) {
    return run(id, RunEntry.State.OPEN, NOW + 10_000, 100, 60, 40);
  }

  /** A run, last written 5 s ago; two of what has finished have failed. */
  public static RunEntry run(
      String id, RunEntry.State state, long leaseEnd, long tasks, long sent, long finished) {
    Map<TaskStatus, Long> counts =
        finished < 2
            ? Map.of(TaskStatus.SUCCEEDED, finished)
            : Map.of(TaskStatus.SUCCEEDED, finished - 2, TaskStatus.FAILED, 2L);
    return new RunEntry(
        id,
        "e",
        state,
        Consistency.EXACTLY_ONCE,
        "Q-response-c",
        "c",
        "host, process 7",
        leaseEnd,
        "",
        tasks,
        sent,
        counts,
        RemainingWork.UNKNOWN,
        NOW - 60_000,
        NOW - 5_000);
  }

  /** The same run with another promise. */
  public static RunEntry with(RunEntry run, Consistency consistency) {
    return with(run, consistency, run.remaining());
  }

  /** The same run, whose client sends by a priority, as in a fair cluster. */
  public static RunEntry with(RunEntry run, Priority priority) {
    return with(run, run.consistency(), run.remaining().with(Optional.of(priority)));
  }

  /** The same run, with what its client knows of the rest. */
  public static RunEntry with(RunEntry run, RemainingWork remaining) {
    return with(run, run.consistency(), remaining);
  }

  private static RunEntry with(RunEntry run, Consistency consistency, RemainingWork remaining) {
    return new RunEntry(
        run.run(),
        run.epoch(),
        run.state(),
        consistency,
        run.responseQueue(),
        run.holder(),
        run.host(),
        run.leaseEnd(),
        run.digest(),
        run.tasks(),
        run.sent(),
        run.counts(),
        remaining,
        run.createdMillis(),
        run.updatedMillis());
  }

  /** A worker of four slots that wrote its entry so long ago. */
  public static WorkerEntry worker(String id, int busy, long silentMillis) {
    return worker(id, "worker", busy, silentMillis);
  }

  /** The same in another role. */
  public static WorkerEntry worker(String id, String role, int busy, long silentMillis) {
    return new WorkerEntry(
        id,
        "box",
        WorkerOrigin.BY_HAND,
        WorkerTakes.ALL,
        role,
        "",
        4,
        busy,
        0.25,
        64L << 20,
        1_234,
        56.7,
        NOW - 3_600_000L * 3,
        NOW - silentMillis);
  }

  /** The same worker, of which so many slots make files ready. */
  public static WorkerEntry staging(WorkerEntry worker, int slots) {
    return with(worker, slots, "reused", worker.unreachable(), worker.finished());
  }

  /** The same worker, which others cannot call at this address. */
  public static WorkerEntry unreachable(WorkerEntry worker, String address) {
    return with(worker, worker.staging(), worker.shippedFiles(), address, worker.finished());
  }

  /** The same worker, which can start nothing for this reason, or is told that its machine ends. */
  static WorkerEntry noticed(WorkerEntry worker, String sickness, String notice) {
    return new WorkerEntry(
        worker.id(),
        worker.host(),
        worker.origin(),
        worker.takes(),
        worker.role(),
        notice,
        sickness,
        worker.slots(),
        worker.busy(),
        worker.staging(),
        worker.shippedFiles(),
        worker.unreachable(),
        worker.cpu(),
        worker.memoryBytes(),
        worker.tasksDone(),
        worker.tasksPerSecond(),
        worker.finished(),
        worker.sinceMillis(),
        worker.updatedMillis());
  }

  /** The same worker, which has finished so much. */
  public static WorkerEntry finished(WorkerEntry worker, Map<String, FinishedTasks> finished) {
    return with(worker, worker.staging(), worker.shippedFiles(), worker.unreachable(), finished);
  }

  private static WorkerEntry with(
      WorkerEntry worker,
      int staging,
      String shippedFiles,
      String unreachable,
      Map<String, FinishedTasks> finished) {
    return new WorkerEntry(
        worker.id(),
        worker.host(),
        worker.origin(),
        worker.takes(),
        worker.role(),
        worker.notice(),
        worker.sickness(),
        worker.slots(),
        worker.busy(),
        staging,
        shippedFiles,
        unreachable,
        worker.cpu(),
        worker.memoryBytes(),
        worker.tasksDone(),
        worker.tasksPerSecond(),
        finished,
        worker.sinceMillis(),
        worker.updatedMillis());
  }

  /** A cluster of so many workers, all busy, with these runs. */
  static ClusterStatus cluster(int workers, List<RunEntry> runs) {
    return cluster(workers, runs, NO_HPC);
  }

  /** The same with HPC jobs. */
  static ClusterStatus cluster(int workers, List<RunEntry> runs, HpcStatus hpc) {
    return new ClusterStatus(
        "Q",
        new QueueDepth(3, 2, 0),
        new QueueDepth(0, 0, 0),
        IntStream.range(0, workers).mapToObj(i -> worker("w%03d".formatted(i), 4, 0)).toList(),
        0,
        runs,
        Map.of(),
        hpc,
        ProvisionerStatus.NONE,
        NOW);
  }

  /** A provisioner at work, which wants 3 workers of 2 slots, 4 at most, and has one. */
  public static ProvisionerStatus provisioner(int booting, String reason) {
    return provisioner(booting, reason, WorkerTakes.ALL, NOW + 10_000);
  }

  /** The same, whose workers take this, with a lease until then. */
  public static ProvisionerStatus provisioner(
      int booting, String reason, WorkerTakes takes, long leaseEnd) {
    return provisioner(
        new ProvisionerEntry.Settings("process", 0, 4, 2, takes), booting, reason, leaseEnd);
  }

  /** The same with other settings. */
  public static ProvisionerStatus provisioner(
      ProvisionerEntry.Settings settings, int booting, String reason, long leaseEnd) {
    return new ProvisionerStatus(
        new ProvisionerEntry(
            "p",
            "box, process 9",
            leaseEnd,
            settings,
            3,
            2,
            new ProvisionerEntry.Fleet(
                3,
                1,
                booting,
                NOW - 40_000,
                reason,
                Map.of("capacity", 2L),
                0.27,
                1.5,
                ProvisionerEntry.Fleet.UNKNOWN,
                "",
                NOW - 2_400_000),
            NOW - 1_000),
        NOW);
  }

  /** The cluster with that provisioner. */
  static ClusterStatus with(ClusterStatus status, ProvisionerStatus provisioner) {
    return new ClusterStatus(
        status.cluster(),
        status.queue(),
        status.dead(),
        status.workers(),
        status.silentWorkers(),
        status.runs(),
        status.progress(),
        status.hpc(),
        provisioner,
        status.atMillis());
  }

  /** Two workers of four slots in the ledger, of which these gangs and jobs are. */
  public static HpcStatus hpc(
      int free, List<Share> gangs, List<Waiting> waiting, @Nullable Reservation reservation) {
    List<Share> shares = new ArrayList<>(gangs);
    shares.add(Share.ofWorker("w1", 4, NOW + 10_000));
    shares.add(Share.ofWorker("w2", 4, NOW + 10_000));
    int reserved = reservation == null || reservation.admitted() ? 0 : reservation.ranks();
    return new HpcStatus(
        new QueueDepth(1, 2, 0),
        new QueueDepth(0, 0, 0),
        new LedgerView(new LedgerCounter(free, reserved), shares, waiting, reservation),
        "");
  }

  /** A gang of worker w1 for that job, whose lease holds for another 10 s. */
  public static Share gang(String id, int ranks, String job) {
    return Share.ofGang(id, "w1", ranks, job, NOW + 10_000);
  }

  /** A job in the hands of worker w2, that has waited for so long. */
  public static Waiting waiting(String job, int ranks, long millis) {
    return new Waiting(job, ranks, NOW - millis, "w2", NOW + 10_000);
  }

  /** A reservation of worker w2's job, for which w1 and w2 keep so many slots. */
  public static Reservation reservation(String job, int ranks, int keptByW1, int keptByW2) {
    return new Reservation(
        job, ranks, "w2", false, Map.of("w1", keptByW1, "w2", keptByW2), NOW + 10_000);
  }
}
