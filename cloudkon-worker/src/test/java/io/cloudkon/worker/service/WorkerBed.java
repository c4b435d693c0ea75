package io.cloudkon.worker.service;

import static org.awaitility.Awaitility.await;

import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.memory.faults.UnreliableCloud;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.gang.GangSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.Mounting;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.execute.guard.StartRule;
import io.cloudkon.worker.gang.GangConfig;
import io.cloudkon.worker.lifetime.LifetimeConfig;
import io.cloudkon.worker.monitor.WorkerStats;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory, one run of it, and workers on real threads. The run's client is the test.
 */
final class WorkerBed implements AutoCloseable {
  static final LeaseSettings SHORT = new LeaseSettings(3_000, 1_000, 500);
  static final String QUEUE = "Q";
  private static final int CLAIMS_PER_READ = 100;

  final String run = "run-" + UUID.randomUUID().toString().substring(0, 8);
  final String responses = Names.response(QUEUE, run);
  final SystemTime time = new SystemTime();
  final UnreliableCloud cloud;
  final Cluster reliable;
  final Consistency consistency;
  final LeaseSettings lease;
  private final HandlerRegistry handlers;
  private final List<WorkerService> workers = new ArrayList<>();
  private final Map<Integer, TaskResult> results = new TreeMap<>();
  private final List<String> bundles = new ArrayList<>();
  private final List<String> claimIds = new ArrayList<>();
  private int tasks;

  /** What the bundles that are sent from now on ask for. */
  int captureBytes = 65_536;

  List<Content> ships = List.of();
  ClaimScope claim = ClaimScope.BUNDLE;
  int retries;
  CollectRule collect = CollectRule.NONE;

  /** What the next tasks alone find, and bring back. */
  TaskFiles files = TaskFiles.NONE;

  /** How the workers that are started from now on are. */
  Duration replyTimeout = WorkerConfig.DEFAULT_REPLY_TIMEOUT;

  Duration sickTimeout = WorkerConfig.DEFAULT_SICK_TIMEOUT;

  Path temporary = RunnerConfig.DEFAULT.temporary();

  @Nullable Path directory;
  boolean hpc;
  int rmiPort;

  WorkerBed(Misbehaviour misbehaviour, Consistency consistency, LeaseSettings lease, Path temp)
      throws IOException {
    this.cloud = new UnreliableCloud(time, misbehaviour);
    this.consistency = consistency;
    this.lease = lease;
    this.handlers = Witness.registry(temp);
    cloud.setup(QUEUE);
    this.reliable = cloud.reliable(QUEUE);
    reliable.responses().create(responses);
    open(run);
  }

  private void open(String id) {
    long now = time.serviceMillis();
    reliable
        .runs()
        .create(
            new RunEntry(
                id,
                "e1",
                RunEntry.State.OPEN,
                consistency,
                responses,
                "test",
                "host",
                now + 60_000,
                "",
                0,
                0,
                Map.of(),
                RemainingWork.UNKNOWN,
                now,
                now));
  }

  /** Starts a worker of four slots over ports that misbehave as this bed's cloud does. */
  WorkerService worker() {
    return worker(cloud.cluster(QUEUE), null);
  }

  WorkerService worker(Cluster cluster, Duration exitWhenIdle) {
    return worker(cluster, exitWhenIdle, new WorkerStats());
  }

  WorkerService worker(Cluster cluster, Duration exitWhenIdle, WorkerStats stats) {
    return workerOf(cluster, LifetimeConfig.exitWhenIdle(exitWhenIdle), stats);
  }

  WorkerService workerOf(Cluster cluster, LifetimeConfig lifetime, WorkerStats stats) {
    WorkerSettings settings =
        new WorkerSettings(
            "w" + workers.size(), 4, lease, ReplySettings.DEFAULT, IntakeSettings.DEFAULT);
    WorkerConfig config =
        new WorkerConfig(
            settings,
            new RunnerConfig(
                RunnerConfig.DEFAULT.allowed(),
                Limits.CAPTURE_BYTES,
                directory,
                RunnerConfig.DEFAULT.guardDeadline(),
                StartRule.AS_THE_WORKER,
                0,
                temporary,
                null,
                Mounting.AUTO),
            Duration.ofSeconds(20),
            lifetime,
            Duration.ofMillis(100),
            WorkerConfig.DEFAULT_CACHE_BYTES,
            replyTimeout,
            hpc ? gangs(settings) : null,
            WorkerOrigin.BY_HAND,
            sickTimeout);
    WorkerService worker = new WorkerService(config, cluster, handlers, time, List::of, stats);
    workers.add(worker);
    return worker;
  }

  /** By loopback, and without patience. */
  private GangConfig gangs(WorkerSettings worker) {
    GangSettings settings =
        new GangSettings(worker.id(), worker.slots(), worker.bundles(), 500, 0, 0, 100);
    return new GangConfig(settings, "127.0.0.1", rmiPort, false);
  }

  /** Sends an HPC job whose ranks the witness sees, by one name. */
  void sendJob(int ranks, String behaviour) {
    sendJob(ranks, behaviour, 0);
  }

  void sendJob(int ranks, String behaviour, long timeoutMillis) {
    Work rank = new Work.JavaCall("witness", List.of(name(tasks), behaviour));
    Task job =
        new Task(
            tasks,
            Integer.toString(tasks + 1),
            new Work.Hpc(ranks, false, rank),
            timeoutMillis,
            retries);
    tasks++;
    String id = BundleIds.of(run, "e1", bundles.size());
    bundles.add(id);
    claimIds.add(id);
    reliable
        .hpc()
        .jobs()
        .send(List.of(BundleMessages.of(new Bundle(header(run, id), List.of(job)))));
  }

  /** Sends one bundle of tasks that the witness sees. */
  void send(int count, String behaviour) {
    send(count, behaviour, 0);
  }

  void send(int count, String behaviour, long timeoutMillis) {
    sendWork(
        IntStream.range(tasks, tasks + count)
            .mapToObj(i -> new Work.JavaCall("witness", List.of(name(i), behaviour)))
            .toList(),
        timeoutMillis);
  }

  void sendWork(List<? extends Work> works, long timeoutMillis) {
    List<Task> list = new ArrayList<>();
    for (Work work : works) {
      list.add(
          new Task(tasks, Integer.toString(tasks + 1), work, timeoutMillis, retries).with(files));
      tasks++;
    }
    String id = BundleIds.of(run, "e1", bundles.size());
    bundles.add(id);
    switch (claim) {
      case BUNDLE -> claimIds.add(id);
      case TASK, ONCE ->
          IntStream.range(0, list.size()).forEach(i -> claimIds.add(BundleIds.taskClaim(id, i)));
    }
    sendMessage(BundleMessages.of(new Bundle(header(run, id), list)));
  }

  BundleHeader header(String ofRun, String id) {
    long now = time.wallMicros();
    return new BundleHeader(
        ofRun, "e1", id, responses, consistency, captureBytes, now, now, 0, ships, claim, collect);
  }

  void sendMessage(OutgoingMessage message) {
    reliable.requests().send(List.of(message));
  }

  String name(int ordinal) {
    return run + '/' + ordinal;
  }

  int starts(int ordinal) {
    return Witness.starts(name(ordinal));
  }

  /** The key of the claim that was made by the send of this number. */
  String claimId(int sent) {
    return claimIds.get(sent);
  }

  /** Every task's result, real ones before LOST, once each task has one that is wanted. */
  Map<Integer, TaskResult> awaitResults() {
    return awaitResults(60);
  }

  /** The same, within so many seconds. */
  Map<Integer, TaskResult> awaitResults(int seconds) {
    await()
        .atMost(seconds, TimeUnit.SECONDS)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> {
          collect();
          return results.size() == tasks;
        });
    return results;
  }

  /** Those collected so far, by ordinal. */
  Map<Integer, TaskResult> results() {
    return results;
  }

  int resultsSoFar() throws InterruptedException {
    collect();
    return results.size();
  }

  private void collect() throws InterruptedException {
    List<ReceivedMessage> messages =
        reliable.responses().receive(responses, 10, Duration.ofMillis(50), Duration.ofSeconds(30));
    for (ReceivedMessage message : messages) {
      for (TaskResult result : decode(message).results()) {
        results.merge(result.ordinal(), result, (a, b) -> a.status() == TaskStatus.LOST ? b : a);
      }
    }
    if (!messages.isEmpty()) {
      reliable
          .responses()
          .delete(responses, messages.stream().map(ReceivedMessage::handle).toList());
    }
  }

  /** With what lies in the blob store, as a client would find it. */
  private ResultBatch decode(ReceivedMessage message) {
    try {
      ResultBatch batch = ResultCodec.decode(message.payload());
      return batch.stored().isEmpty()
          ? batch
          : ResultCodec.decodeStored(reliable.blobs().get(batch.stored()).orElseThrow());
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns when every bundle's claim is DONE, or every task's where each has one. */
  void awaitClaimsDone() {
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() ->
            claims().size() == claimIds.size()
                && claims().values().stream().allMatch(c -> c.state() == ClaimState.DONE));
  }

  Map<String, Claim> claims() {
    Map<String, Claim> all = new HashMap<>();
    for (int from = 0; from < claimIds.size(); from += CLAIMS_PER_READ) {
      int to = Math.min(claimIds.size(), from + CLAIMS_PER_READ);
      all.putAll(reliable.claims().read(claimIds.subList(from, to)));
    }
    return all;
  }

  /** How often the claim was acquired of the bundle that the n-th call of {@code send} sent. */
  int attempts(int bundle) {
    Claim claim = claims().get(bundles.get(bundle));
    return claim == null ? 0 : claim.attempt();
  }

  @Override
  public void close() throws Exception {
    for (WorkerService worker : workers) {
      worker.kill();
    }
    for (WorkerService worker : workers) {
      worker.close();
    }
    handlers.close();
  }
}
