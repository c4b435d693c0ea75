package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.simulator.cloud.RankDoor;
import io.cloudkon.simulator.cloud.Reply;
import io.cloudkon.simulator.cloud.StartOrder;
import io.cloudkon.simulator.engine.SimProcess;
import java.util.List;
import java.util.Optional;

/** The calls of other workers to a worker, as events of its machines. */
record WorkerDoor(SimProcess process, SimManager manager, SimSubWorker subWorker)
    implements RankDoor {
  @Override
  public void register(
      String gang, String worker, List<Integer> ranks, Reply<Optional<GangEffect.Welcome>> reply) {
    manager.asked(worker, call -> new GangEvent.Register(call, gang, worker, ranks), reply);
  }

  @Override
  public void ping(Reply<Boolean> reply) {
    reply.of(true);
  }

  @Override
  public void report(
      String gang,
      String worker,
      List<GangEvent.Ended> ended,
      boolean leaving,
      Reply<GangEffect.Standing> reply) {
    manager.reported(call -> new GangEvent.Report(call, gang, worker, ended, leaving), reply);
  }

  @Override
  public void start(String gang, StartOrder order, Reply<Boolean> reply) {
    subWorker.ordered(gang, order, reply);
  }

  @Override
  public void kill(String gang, String job, int attempt) {
    subWorker.tell(new SubWorkerEvent.KillOrdered(gang, job, attempt));
  }

  @Override
  public void dissolve(String gang) {
    subWorker.tell(new SubWorkerEvent.DissolveOrdered(gang));
  }
}
