package io.cloudkon.simulator.provision;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.core.protocol.provisioning.FleetPlan;
import io.cloudkon.core.protocol.provisioning.ProvisioningMachine;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A provisioner: the production state machines, and a driver that carries out their effects in the
 * order of the production's one thread. It keeps the lease. In each interval it repeats the calls
 * whose outcome is unknown, observes and decides, terminates instances that did not come up, closes
 * finished decisions, writes the intent, launches, writes what was granted, and publishes the state
 * of the fleet.
 */
public final class SimProvisioner {
  private static final Map<String, String> REQUEST = Map.of("template", "simulated");

  private final World world;
  private final SimScaling cloud;
  private final SimProcess process;
  private final ProvisioningSettings settings;
  private final LeaseSettings lease;
  private final SimProvisionerLease held;
  private final SimDecisionBook book;
  private final SimObserver lookout;
  private final Consumer<FleetPlan> planned;
  private ProvisioningMachine machine;
  private int term;
  private long lookAt;

  /**
   * A provisioner that has not started.
   *
   * @param planned receives each plan
   */
  public SimProvisioner(
      World world,
      SimScaling cloud,
      SimProcess process,
      ProvisioningSettings settings,
      LeaseSettings lease,
      Consumer<FleetPlan> planned) {
    this.world = world;
    this.cloud = cloud;
    this.process = process;
    this.settings = settings;
    this.lease = lease;
    this.planned = planned;
    this.machine = new ProvisioningMachine(settings);
    this.held =
        new SimProvisionerLease(
            cloud.decisions(),
            process,
            new ProvisionerEntry.Settings(
                "simulated", settings.min(), settings.max(), settings.slots(), settings.takes()),
            lease);
    this.book = new SimDecisionBook(cloud.decisions(), process);
    this.lookout = new SimObserver(world, cloud, process);
  }

  public SimProcess process() {
    return process;
  }

  /** Starts now. */
  public void start() {
    lookAt = process.now().mono();
    process.in(0, this::step);
  }

  private void step() {
    held.keep(this::kept);
  }

  private void kept(long again) {
    if (!held.valid()) {
      book.outdated();
      process.in(Math.max(1, again) * 1000, this::step);
      return;
    }
    if (term != held.terms()) {
      term = held.terms();
      book.outdated();
      machine = new ProvisioningMachine(settings, held.before());
      lookAt = process.now().mono();
    }
    long now = process.now().mono();
    if (now < lookAt) {
      process.in(Math.max(1, Math.min(again, lookAt - now)) * 1000, this::step);
      return;
    }
    lookAt = now + settings.interval();
    book.readIfNeeded(read -> {
      if (read) {
        lookout.look(book.all(), this::observed);
      } else {
        away();
      }
    });
  }

  /** Launches nothing now. What was read may be outdated when the tables are reachable again. */
  private void away() {
    world.trace().say(process.name(), "launches nothing: a table cannot be reached");
    book.outdated();
    process.in(Math.min(settings.interval(), lease.heartbeat()) * 1000, this::step);
  }

  // ---- one observation

  private void observed(@Nullable FleetObservation observation) {
    if (observation == null) {
      away();
      return;
    }
    // The observation may have taken long, and the following steps need some of the lease.
    held.keep(again -> {
      if (held.valid()) {
        decide(observation);
      } else {
        step();
      }
    });
  }

  private void decide(FleetObservation observation) {
    FleetObservation seen = world.twist().seen(observation);
    FleetPlan plan = machine.decide(seen, process.now());
    planned.accept(plan);
    sendAgain(plan, new ArrayDeque<>(plan.again()));
  }

  // ---- the steps of a plan

  private void sendAgain(FleetPlan plan, Deque<Decision> left) {
    Decision next = left.poll();
    if (next == null || !held.valid()) {
      terminate(plan);
    } else {
      launch(next, () -> sendAgain(plan, left));
    }
  }

  private void terminate(FleetPlan plan) {
    if (plan.terminate().isEmpty() || !held.valid()) {
      close(plan, new ArrayDeque<>(plan.closed()));
      return;
    }
    cloud
        .instances()
        .terminate(
            process,
            plan.terminate(),
            done -> {
              // Decisions whose instances may still exist must not be forgotten; all others are
              // closed.
              boolean left = done == null || !done;
              close(
                  plan,
                  new ArrayDeque<>(
                      plan.closed().stream()
                          .filter(one ->
                              !left || Collections.disjoint(one.instances(), plan.terminate()))
                          .toList()));
            });
  }

  private void close(FleetPlan plan, Deque<Decision> left) {
    Decision next = left.poll();
    if (next == null || !held.valid()) {
      held.publish(book.oldest(), plan.fleet());
      decided(plan);
    } else {
      book.update(next, written -> close(plan, left));
    }
  }

  private void decided(FleetPlan plan) {
    if (plan.launch() == 0 || !held.valid()) {
      step();
      return;
    }
    long now = process.now().service();
    long number = book.next();
    Decision decision =
        new Decision(
            number,
            process.name(),
            now,
            plan.launch(),
            "%s-%d-%d".formatted(process.name(), number, process.effects()),
            plan.fleet().reason(),
            plan.seen(),
            REQUEST,
            Decision.State.INTENDED,
            List.of(),
            "",
            now);
    if (world.twist().launchesBeforeIntent()) {
      launch(decision, () -> book.intend(decision, intended -> step()));
      return;
    }
    book.intend(
        decision,
        intended -> {
          if (intended) {
            launch(decision, this::step);
          } else {
            away();
          }
        });
  }

  private void launch(Decision decision, Runnable then) {
    if (!held.valid()) {
      then.run();
      return;
    }
    cloud
        .instances()
        .launch(
            process,
            decision.token(),
            decision.count(),
            decision.request(),
            launch -> {
              if (launch == null) {
                // The outcome is unknown; the next interval begins with the same call.
                then.run();
              } else {
                launched(decision, launch, then);
              }
            });
  }

  private void launched(Decision decision, InstanceLauncher.Launch launch, Runnable then) {
    boolean own = decision.holder().equals(process.name());
    machine.launched(decision.count(), own, launch, process.now());
    Decision launched =
        decision.launched(
            launch.instances().stream().map(LaunchedInstance::id).toList(),
            why(launch.failures()),
            process.now().service());
    if (held.valid()) {
      book.update(launched, written -> then.run());
    } else {
      book.outdated();
      then.run();
    }
  }

  private static String why(Collection<InstanceLauncher.Failure> failures) {
    return failures.stream()
        .map(failure -> failure.code() + ": " + failure.message())
        .distinct()
        .collect(Collectors.joining("; "));
  }

  @Override
  public String toString() {
    return process.name() + (held.valid() ? " (holds the lease)" : "");
  }
}
