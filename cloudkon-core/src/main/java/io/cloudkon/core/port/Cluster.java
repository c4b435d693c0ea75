package io.cloudkon.core.port;

/**
 * All ports of one cluster, over one cloud.
 *
 * @param name the cluster's name, its request queue's too
 * @param requests the request queue
 * @param dead the dead-letter queue
 * @param responses the response queues
 * @param claims the claims
 * @param workers the workers' entries
 * @param runs the runs
 * @param decisions the provisioner's lease, its decisions, and the seats
 * @param blobs what is too large for messages
 * @param hpc what only HPC jobs need
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
   * What only HPC jobs need.
   *
   * @param jobs the queue of jobs
   * @param ranks the queue of ranks that look for a slot
   * @param ledger who has slots, and which are promised
   */
  public record Hpc(RequestQueue jobs, RequestQueue ranks, CapacityLedger ledger) {}
}
