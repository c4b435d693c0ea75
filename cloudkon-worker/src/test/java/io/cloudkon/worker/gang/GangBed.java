package io.cloudkon.worker.gang;

import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A cluster in memory, and workers of it that serve HPC jobs only, each with its service. */
final class GangBed implements AutoCloseable {
  private static final long LIMIT_SECONDS = 40;

  final TimeSource time;
  final Cluster cluster;
  private final LeaseSettings lease;

  /** By job. */
  final Map<String, TaskResult> results = new ConcurrentHashMap<>();

  private final List<Worker> workers = new ArrayList<>();
  private int jobs;

  /** One with short leases. */
  GangBed() {
    this(new SystemTime(), new LeaseSettings(3_000, 1_000, 500));
  }

  GangBed(TimeSource time, LeaseSettings lease) {
    this.time = time;
    this.lease = lease;
    this.cluster = new MemoryCloud(time).setup("Q");
  }

  /** One worker. */
  final class Worker implements AutoCloseable {
    final GangInbox inbox = new GangInbox();
    final PlainHost host;
    final GangService gangs;
    private final Later later = new Later();
    private final ExecutorService io = Executors.newVirtualThreadPerTaskExecutor();

    private Worker(String id, int slots, BlobStore blobs, boolean gives, boolean manages) {
      BackOff backOff = new BackOff(5, 50, new Random(1));
      Pulse pulse = new Pulse(time, lease.margin());
      host = new PlainHost(slots, cluster, blobs, time, inbox, pulse, later, backOff, io, results);
      host.withheld = gives ? 0 : slots;
      host.manages = manages;
      GangSettings settings =
          GangSettings.of(
              new WorkerSettings(id, slots, lease, ReplySettings.DEFAULT, IntakeSettings.DEFAULT));
      gangs =
          new GangService(
              new GangConfig(settings, "127.0.0.1", 0, true),
              cluster,
              time,
              inbox,
              host.jobs,
              host,
              pulse,
              later,
              backOff,
              io);
      host.slotsChanged = gangs::slotsChanged;
    }

    /** The run of all jobs in hand is over. */
    void cancelAll() {
      host.jobs.keySet().forEach(key -> inbox.post(key, new BundleEvent.RunClosed()));
    }

    /** Waits until nothing is in hand, and it is out of the ledger. */
    void awaitDrained() {
      await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(gangs::drained);
    }

    @Override
    public void close() throws InterruptedException {
      gangs.close();
      io.shutdownNow();
      later.close();
    }
  }

  /** Starts a worker. */
  Worker worker(String id, int slots) {
    return add(new Worker(id, slots, cluster.blobs(), true, true));
  }

  /** One that gives ranks none of the slots that it says are free. */
  Worker withholder(String id, int slots) {
    return add(new Worker(id, slots, cluster.blobs(), false, true));
  }

  /** One with a blob store of its own. */
  Worker worker(String id, int slots, BlobStore blobs) {
    return add(new Worker(id, slots, blobs, true, true));
  }

  /** One that receives no jobs. */
  Worker subWorker(String id, int slots) {
    return add(new Worker(id, slots, cluster.blobs(), true, false));
  }

  private Worker add(Worker worker) {
    workers.add(worker);
    return worker;
  }

  /** Sends a job; gives its id. */
  String send(int ranks, Work each) {
    return send(new Work.Hpc(ranks, false, each));
  }

  String send(Work.Hpc work) {
    return send(work, 0);
  }

  String send(Work.Hpc work, int retries) {
    String id = BundleIds.of("run", "e", jobs++);
    BundleHeader header =
        new BundleHeader("run", "e", id, "Q-response-run", Consistency.EXACTLY_ONCE, 4096, 0, 0, 0);
    cluster
        .hpc()
        .jobs()
        .send(
            List.of(
                BundleMessages.of(
                    new Bundle(header, List.of(new Task(0, "t", work, 0, retries))))));
    return id;
  }

  /** Waits for its result. */
  TaskResult result(String job) {
    return await()
        .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
        .until(() -> results.get(job), r -> r != null);
  }

  /** Waits until so many ranks run on that worker. */
  void awaitBusy(Worker worker, int ranks) {
    await().atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(() -> worker.gangs.busy() == ranks);
  }

  /** Waits until so many slots are in no gang. */
  void awaitFree(int slots) {
    await()
        .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
        .until(() -> cluster.hpc().ledger().counter().free() == slots);
  }

  /** Which attempts of a job counted. */
  int attempts(String job) {
    Claim claim = cluster.claims().read(List.of(job)).get(job);
    return claim == null ? 0 : claim.attempt() - claim.releases();
  }

  /** On which worker each rank ran, by rank. */
  static List<String> workersOf(TaskResult result) {
    return result.ranks().stream().map(RankResult::worker).toList();
  }

  @Override
  public void close() throws Exception {
    for (Worker worker : workers) {
      worker.close();
    }
  }
}
