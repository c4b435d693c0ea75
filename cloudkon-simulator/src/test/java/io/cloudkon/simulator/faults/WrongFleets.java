package io.cloudkon.simulator.faults;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.idle.IdleEvent;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.simulator.world.BugHook;
import java.util.Set;
import java.util.stream.Collectors;

/** Provisioners and idle workers that do what the production ones do not. */
final class WrongFleets {
  private WrongFleets() {}

  /** What was launched is seen only once the first worker of its launch has registered. */
  static final class BootsNotCounted implements BugHook {
    @Override
    public FleetObservation seen(FleetObservation observation) {
      Set<String> registered =
          observation.workers().stream()
              .map(WorkerEntry::origin)
              .map(origin -> origin.launch())
              .collect(Collectors.toSet());
      return new FleetObservation(
          observation.atMillis(),
          observation.runs(),
          observation.requests(),
          observation.jobs(),
          observation.waiting(),
          observation.workers(),
          observation.launches().stream()
              .filter(launch ->
                  launch.state() == Decision.State.INTENDED || registered.contains(launch.token()))
              .toList(),
          observation.foreign(),
          observation.instances().stream()
              .filter(one -> one.state() != LaunchedInstance.State.PENDING)
              .toList());
    }
  }

  /** The launcher is called before the decision is written. */
  static final class IntentAfterEffect implements BugHook {
    @Override
    public boolean launchesBeforeIntent() {
      return true;
    }
  }

  /** A worker that got a seat leaves all the same. */
  static final class SeatIgnored implements BugHook {
    @Override
    public IdleEvent told(IdleEvent event) {
      return event instanceof IdleEvent.SeatAnswered answer
          ? new IdleEvent.SeatAnswered(answer.seat(), false)
          : event;
    }
  }
}
