package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.world.BugHook;
import java.util.TreeMap;

/** Workers that take what is refused for done. */
final class WrongRefusals {
  private WrongRefusals() {}

  /** What a worker is told of a refusal instead. */
  private interface Lie {
    BundleEvent of(BundleEvent event);
  }

  private static WorkerEvent told(WorkerEvent event, Lie lie) {
    return event instanceof WorkerEvent.OfBundle of
        ? new WorkerEvent.OfBundle(of.bundle(), lie.of(of.event()))
        : event;
  }

  /** See {@link Bug#REFUSED_WRITE_TAKEN_AS_DONE}. */
  static final class WriteTakenAsDone implements BugHook {
    @Override
    public WorkerEvent told(WorkerEvent event) {
      return WrongRefusals.told(
          event,
          happened ->
              happened instanceof BundleEvent.WriteFailed failed && failed.refused()
                  ? new BundleEvent.WriteAnswered(
                      failed.claim(), failed.seq(), accepted(failed.claim()))
                  : happened);
    }

    /** An owner that has its write accepted looks at nothing else of the claim. */
    private static ClaimAnswer accepted(String id) {
      return new ClaimAnswer.Accepted(
          new Claim(
              id,
              ClaimState.LEASED,
              "",
              "",
              1,
              1,
              0,
              0,
              Positions.none(),
              Positions.none(),
              new TreeMap<>(),
              0));
    }
  }

  /** See {@link Bug#REFUSED_CHILD_TAKEN_AS_SENT}. */
  static final class ChildTakenAsSent implements BugHook {
    @Override
    public WorkerEvent told(WorkerEvent event) {
      return WrongRefusals.told(
          event,
          happened ->
              happened instanceof BundleEvent.ChildRefused refused
                  ? new BundleEvent.ChildAccepted(refused.k())
                  : happened);
    }
  }

  /** See {@link Bug#REFUSED_RESULTS_TAKEN_AS_STORED}. */
  static final class ResultsTakenAsStored implements BugHook {
    @Override
    public WorkerEvent told(WorkerEvent event) {
      return WrongRefusals.told(
          event,
          happened ->
              happened instanceof BundleEvent.Undeliverable nowhere
                  ? new BundleEvent.ResultsAccepted(nowhere.tasks())
                  : happened);
    }
  }
}
