package io.cloudkon.client.run;

import io.cloudkon.client.report.Journal;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;

/**
 * The context that all parts of a client share while they work on a run.
 *
 * @param cluster where it runs
 * @param options the options with which the run was submitted
 * @param identity the ids of the run and of this client
 * @param account what was sent and what is outstanding
 * @param lease the lease without which nothing is sent, received or written
 * @param replies the queue that its results go to
 * @param blobs its objects in the blob store
 * @param journal the journal from which it can be resumed
 */
public record RunContext(
    Cluster cluster,
    RunOptions options,
    RunIdentity identity,
    RunAccount account,
    RunLease lease,
    ReplyQueue replies,
    RunBlobs blobs,
    Journal journal,
    TimeSource time) {}
