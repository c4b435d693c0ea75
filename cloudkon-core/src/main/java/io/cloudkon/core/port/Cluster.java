package io.cloudkon.core.port;

/**
 * All ports of one cluster, over one cloud.
 *
 * @param name the name of the cluster and of its request queue
 * @param requests the request queue
 * @param dead the dead-letter queue
 * @param responses the response queues
 * @param claims the claims
 * @param workers the workers' entries
 * @param runs the runs
 * @param decisions the provisioner's lease, its decisions, and the seats
 * @param blobs the store for content that is too large for messages
 * @param hpc the ports that only HPC jobs need
 */
public record Cluster(
    String name,
    RequestQueue requests,
    RequestQueue dead,
    ResponseQueue responses,
    ClaimStore claims,
    WorkerRegistry workers,
    RunStore runs,
    DecisionStore decisions,
    BlobStore blobs,
    Hpc hpc) {

  /**
   * The ports that only HPC jobs need.
   *
   * @param jobs the queue of jobs
   * @param ranks the queue of ranks that need a slot
   * @param ledger the slots of the workers and their reservations
   */
  public record Hpc(RequestQueue jobs, RequestQueue ranks, CapacityLedger ledger) {}
}
