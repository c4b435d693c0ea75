package io.cloudkon.provisioner.decide;

import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.core.protocol.provisioning.FleetPlan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reports changes of the fleet other than launches: which workers have ended, and why nothing is
 * launched although workers are missing. Reports each change once, not at each reading. Not thread
 * safe.
 */
final class FleetNews {
  /** The maximum number of ended workers that are named. */
  private static final int NAMED = 3;

  private final InstanceLauncher launcher;
  private final Consumer<String> out;
  private List<String> held = List.of();
  private Set<String> running = Set.of();

  /**
   * An instance that has reported nothing yet.
   *
   * @param out receives each line
   */
  FleetNews(InstanceLauncher launcher, Consumer<String> out) {
    this.launcher = launcher;
    this.out = out;
  }

  /** Reports what is new at this reading. */
  void tell(FleetObservation seen, FleetPlan plan) {
    ended(seen);
    // A launch is reported with its reason elsewhere, and when the work is done there is nothing to
    // report.
    boolean told = plan.launch() > 0 || plan.fleet().wanted() == 0;
    if (!told && !plan.held().isEmpty() && !plan.held().equals(held)) {
      out.accept("nothing is launched: " + plan.fleet().reason());
    }
    held = told || !plan.held().isEmpty() ? plan.held() : held;
  }

  /**
   * Reports workers that have ended. Those that never registered are reported with their launch.
   */
  private void ended(FleetObservation seen) {
    Set<String> registered =
        seen.workers().stream()
            .map(WorkerEntry::origin)
            .map(origin -> origin.launch() + '/' + origin.instance())
            .collect(Collectors.toSet());
    Set<String> now = new HashSet<>();
    List<String> gone =
        seen.instances().stream()
            .filter(one -> one.state() == LaunchedInstance.State.ENDED)
            .map(LaunchedInstance::id)
            .filter(running::contains)
            .toList();
    seen.instances().stream()
        .filter(one -> one.state() != LaunchedInstance.State.ENDED)
        .filter(
            one -> running.contains(one.id()) || registered.contains(one.launch() + '/' + one.id()))
        .map(LaunchedInstance::id)
        .forEach(now::add);
    running = now;
    gone.stream()
        .limit(NAMED)
        .forEach(
            id -> out.accept("worker %s has ended: %s".formatted(id, launcher.explanation(id))));
    if (gone.size() > NAMED) {
      int more = gone.size() - NAMED;
      out.accept("%d more worker%s ended".formatted(more, more == 1 ? " has" : "s have"));
    }
  }
}
