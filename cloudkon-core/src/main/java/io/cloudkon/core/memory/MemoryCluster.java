package io.cloudkon.core.memory;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.provisioning.DecisionTable;
import io.cloudkon.core.time.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/** A whole cluster in memory. */
final class MemoryCluster {
  private static final long RUNS_KEPT_MILLIS = Duration.ofDays(15).toMillis();
  private static final long WORKERS_KEPT_MILLIS = Duration.ofHours(1).toMillis();

  private final MessageBuffer requests;
  private final MessageBuffer dead;
  private final MessageBuffer jobs;
  private final MessageBuffer ranks;
  private final MemoryTable<MemoryCapacityLedger.Kept> ledger;
  private final MemoryResponseQueue responses;
  private final MemoryTable<Claim> claims;
  private final MemoryTable<Set<String>> sick;
  private final MemoryTable<WorkerEntry> workers;
  private final MemoryTable<RunEntry> runs;
  private final MemoryTable<DecisionTable> decisions;
  private final MemoryBlobStore blobs;
  private final Cluster ports;

  /** A cluster that does not exist yet. */
  MemoryCluster(String name, TimeSource time, Function<String, MessageBuffer> queues) {
    this.requests = queues.apply(name);
    this.dead = queues.apply(Names.dead(name));
    this.jobs = queues.apply(Names.hpc(name));
    this.ranks = queues.apply(Names.ranks(name));
    this.ledger = new MemoryTable<>(Names.ledger(name));
    this.responses = new MemoryResponseQueue(name, queues);
    this.claims = new MemoryTable<>(Names.claims(name));
    this.sick = new MemoryTable<>(Names.claims(name));
    this.workers = new MemoryTable<>(Names.workers(name));
    this.runs = new MemoryTable<>(Names.runs(name));
    this.decisions = new MemoryTable<>(Names.decisions(name));
    this.blobs = new MemoryBlobStore(name, time);
    this.ports =
        new Cluster(
            name,
            new MemoryRequestQueue(requests),
            new MemoryRequestQueue(dead),
            responses,
            new MemoryClaimStore(claims, sick),
            new MemoryWorkerRegistry(workers),
            new MemoryRunStore(runs),
            new MemoryDecisionStore(decisions),
            blobs,
            new Cluster.Hpc(
                new MemoryRequestQueue(jobs),
                new MemoryRequestQueue(ranks),
                new MemoryCapacityLedger(ledger)));
  }

  Cluster ports() {
    return ports;
  }

  void create() {
    requests.create();
    dead.create();
    jobs.create();
    ranks.create();
    ledger.create();
    claims.create();
    sick.create();
    workers.create();
    runs.create();
    decisions.create();
    blobs.create();
  }

  void remove() {
    requests.remove();
    dead.remove();
    jobs.remove();
    ranks.remove();
    ledger.remove();
    responses.removeAll();
    claims.remove();
    sick.remove();
    workers.remove();
    runs.remove();
    decisions.remove();
    blobs.remove();
  }

  /**
   * Drops the claims of bundles that were finished before this time, but not those of single tasks,
   * whose bundle's message may still be here.
   */
  void forgetFinished(long beforeMillis) {
    claims.expire(claim ->
        claim.state() == ClaimState.DONE
            && claim.leaseEnd() < beforeMillis
            && BundleIds.positionOfClaim(claim.id()) < 0);
  }

  /**
   * Drops what has expired by now, and wakes receives whose wait or whose messages' visibility may
   * have ended.
   */
  void tick(long serviceMillis) {
    claims.expire(claim -> claim.ttl() * 1000 <= serviceMillis);
    workers.expire(worker -> worker.updatedMillis() + WORKERS_KEPT_MILLIS <= serviceMillis);
    runs.expire(run -> run.updatedMillis() + RUNS_KEPT_MILLIS <= serviceMillis);
    requests.wake();
    jobs.wake();
    ranks.wake();
    responses.wake();
  }
}
