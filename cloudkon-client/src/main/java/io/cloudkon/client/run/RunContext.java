package io.cloudkon.client.run;

import io.cloudkon.client.report.Journal;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;

/**
 * The context that all parts of a client share while they work on a run.
 *
 * @param cluster where it runs
 * @param options as the run was submitted
 * @param identity the run's and this client's
 * @param account what was sent and what is outstanding
 * @param lease without which nothing is sent, received or written
 * @param replies where its results go now
 * @param blobs what it has in the blob store
 * @param journal from which it could be resumed
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
