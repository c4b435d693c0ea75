package io.cloudkon.simulator.provision;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.SimDepth;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the data for a provisioner's decisions, one call after the other. */
final class SimObserver {
  private final World world;
  private final SimScaling cloud;
  private final SimProcess process;
  private final LastDepth requests = new LastDepth();
  private final LastDepth jobs = new LastDepth();

  /**
   * The depth of a queue that was read last. It is used for up to a minute while SQS does not
   * answer.
   */
  private static final class LastDepth {
    private static final long GOOD_MILLIS = 60_000;
    private static final QueueDepth EMPTY = new QueueDepth(0, 0, 0);

    private QueueDepth depth = EMPTY;
    private long readAt;

    QueueDepth of(@Nullable QueueDepth read, long now) {
      if (read != null) {
        depth = read;
        readAt = now;
      }
      return now - readAt < GOOD_MILLIS ? depth : EMPTY;
    }
  }

  SimObserver(World world, SimScaling cloud, SimProcess process) {
    this.world = world;
    this.cloud = cloud;
    this.process = process;
  }

  /** Makes an observation; null if a table could not be read. */
  void look(List<Decision> open, Reply<FleetObservation> reply) {
    ifThere(
        reply,
        world.cloud().runs()::list,
        (List<RunEntry> all) -> {
          List<RunEntry> runs =
              all.stream().filter(run -> run.state() == RunEntry.State.OPEN).toList();
          depth(
              cloud.jobs(),
              jobs,
              jobDepth ->
                  depth(
                      cloud.requests(),
                      requests,
                      requestDepth ->
                          ifThere(
                              reply,
                              (caller, answer) -> waiting(runs, jobDepth, caller, answer),
                              (List<Waiting> waiting) ->
                                  fleet(open, runs, requestDepth, jobDepth, waiting, reply))));
        });
  }

  private void fleet(
      List<Decision> open,
      List<RunEntry> runs,
      QueueDepth requestDepth,
      QueueDepth jobDepth,
      List<Waiting> waiting,
      Reply<FleetObservation> reply) {
    ifThere(
        reply,
        cloud.entries()::list,
        (List<WorkerEntry> workers) ->
            ifThere(
                reply,
                cloud.instances()::list,
                (List<LaunchedInstance> instances) ->
                    reply.of(
                        new FleetObservation(
                            process.now().service(),
                            runs,
                            requestDepth,
                            jobDepth,
                            waiting,
                            workers,
                            open,
                            Set.of(),
                            instances))));
  }

  private interface Reading<T> {
    void read(SimProcess caller, Reply<T> reply);
  }

  private <T> void ifThere(Reply<FleetObservation> failed, Reading<T> reading, Consumer<T> then) {
    reading.read(
        process,
        answer -> {
          if (answer == null) {
            failed.of(null);
          } else {
            then.accept(answer);
          }
        });
  }

  private void depth(@Nullable SimDepth of, LastDepth last, Consumer<QueueDepth> then) {
    if (of == null) {
      then.accept(LastDepth.EMPTY);
    } else {
      of.read(process, read -> then.accept(last.of(read, process.now().mono())));
    }
  }

  /**
   * Reads the jobs that wait for slots. Skipped if no job's message is in the queue and no run has
   * a job without a result.
   */
  private void waiting(
      List<RunEntry> runs, QueueDepth depth, SimProcess caller, Reply<List<Waiting>> reply) {
    @Nullable SimHpc hpc = world.cloud().hpcIfAny();
    boolean none =
        depth.waiting() + depth.inFlight() + depth.delayed() == 0
            && runs.stream().allMatch(run -> run.remaining().jobs() == 0);
    if (hpc == null || none) {
      reply.of(List.of());
    } else {
      hpc.ledger().view(caller, view -> reply.of(view == null ? null : view.waiting()));
    }
  }
}
