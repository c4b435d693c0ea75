package io.cloudkon.worker.service;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.TimeSource;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.reply.ReplyRoutes;
import java.util.concurrent.Executor;

/**
 * The parts that the pipelines of tasks and of HPC jobs share. Thread safe, as all its parts are.
 *
 * @param id the worker's identity in results
 * @param states the states of runs, as last read
 * @param routes the current response queues of runs
 * @param calls the API calls of each run
 * @param io runs calls that may block
 */
record SharedParts(
    WorkerConfig config,
    Cluster cluster,
    TimeSource time,
    ResultBatch.WorkerId id,
    RunStates states,
    ReplyRoutes routes,
    CallMeter calls,
    WorkerStats stats,
    Later later,
    BackOff backOff,
    Executor io) {}
