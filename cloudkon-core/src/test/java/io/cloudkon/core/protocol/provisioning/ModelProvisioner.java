package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.time.Moment;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The effects of a provisioner in a {@link FleetModel}: intent, call, record. With a chance it dies
 * after one of these, and a new machine goes on with what stands in the table.
 */
final class ModelProvisioner {
  /** Launches workers once for each token. */
  interface Launcher {
    List<String> launch(String token, int count);
  }

  private final ProvisioningSettings settings;
  private final Random random;
  private final Launcher launcher;
  private final ModelHistory history;
  private final Map<Long, Decision> decisions = new TreeMap<>();
  private ProvisioningMachine machine;
  private long next = 1;

  /** With which chance it dies at each look and after each effect. */
  double deaths;

  ModelProvisioner(
      ProvisioningSettings settings, Random random, Launcher launcher, ModelHistory history) {
    this.settings = settings;
    this.random = random;
    this.launcher = launcher;
    this.history = history;
    this.machine = new ProvisioningMachine(settings);
  }

  /** Every decision that was ever made, by its number. */
  Map<Long, Decision> decisions() {
    return decisions;
  }

  List<Decision> open() {
    return decisions.values().stream().filter(Decision::open).toList();
  }

  /** Decides, and carries it out; returns which instances are to be ended. */
  List<String> look(FleetObservation seen, Moment now) {
    if (dies()) {
      return List.of();
    }
    FleetPlan plan = machine.decide(seen, now);
    history.decided(plan, now.mono() / 1_000);
    plan.again().forEach(decision -> call(decision, now));
    plan.closed().forEach(this::write);
    if (plan.launch() > 0) {
      launch(plan.launch(), plan.fleet().reason(), now);
    }
    return plan.terminate();
  }

  /** Launches without being asked by the machine. */
  void launch(int count, String reason, Moment now) {
    Decision decision =
        new Decision(
            next,
            "holder",
            now.service(),
            count,
            "t" + next,
            reason,
            "",
            Map.of(),
            Decision.State.INTENDED,
            List.of(),
            "",
            now.service());
    next++;
    write(decision);
    if (!dies()) {
      call(decision, now);
    }
  }

  private void call(Decision decision, Moment now) {
    List<String> granted = launcher.launch(decision.token(), decision.count());
    if (!dies()) {
      write(decision.launched(granted, "", now.service()));
      machine.launched(decision.count(), true, answer(decision, granted, now), now);
    }
  }

  private static InstanceLauncher.Launch answer(
      Decision decision, List<String> granted, Moment now) {
    return new InstanceLauncher.Launch(
        granted.stream()
            .map(id ->
                new LaunchedInstance(
                    id, decision.token(), "", "", LaunchedInstance.State.PENDING, now.service()))
            .toList(),
        List.of());
  }

  private void write(Decision decision) {
    decisions.put(decision.number(), decision);
  }

  private boolean dies() {
    boolean dies = deaths > 0 && random.nextDouble() < deaths;
    if (dies) {
      machine = new ProvisioningMachine(settings);
    }
    return dies;
  }
}
