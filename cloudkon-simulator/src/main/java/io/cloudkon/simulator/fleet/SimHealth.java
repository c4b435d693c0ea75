package io.cloudkon.simulator.fleet;

import io.cloudkon.core.protocol.health.HealthEffect;
import io.cloudkon.core.protocol.health.HealthMachine;
import io.cloudkon.core.protocol.health.HealthPhase;
import io.cloudkon.core.protocol.health.HealthSettings;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.cloud.Permission;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated worker's health with respect to refused calls, under the rule of the worker's {@code
 * RefusedServices}: the refusal of an essential call makes it sick until the call works again or
 * the worker ends. {@link SimSlots} handles the sickness that chaos causes.
 */
final class SimHealth {
  private static final long TICK = 250_000;

  private final World world;
  private final SimProcess process;
  private final Consumer<WorkerEvent> events;
  private final Runnable end;
  private final HealthMachine machine = new HealthMachine(HealthSettings.DEFAULT);
  private @Nullable Permission cause;

  /**
   * The health of a worker that is well.
   *
   * @param end lets the worker leave
   */
  SimHealth(World world, SimProcess process, Consumer<WorkerEvent> events, Runnable end) {
    this.world = world;
    this.process = process;
    this.events = events;
    this.end = end;
  }

  /** Handles a refused call. */
  void refused(Permission permission) {
    if (permission.needed() && machine.phase() == HealthPhase.WELL) {
      cause = permission;
      carryOut(machine.suspected());
    }
  }

  private void tick() {
    if (machine.sickness().isPresent() && machine.phase() != HealthPhase.ENDING) {
      carryOut(machine.tick(process.now()));
      process.in(TICK, this::tick);
    }
  }

  private void carryOut(List<HealthEffect> effects) {
    for (HealthEffect effect : effects) {
      switch (effect) {
        case HealthEffect.Probe probe -> probe();
        case HealthEffect.BecomeSick sick -> {
          world.trace().say(process.name(), "is sick: %s", sick.sickness().reason());
          events.accept(new WorkerEvent.FellSick());
          process.in(TICK, this::tick);
        }
        case HealthEffect.StaySick sick ->
            world.trace().say(process.name(), "is still sick: %s", sick.sickness().reason());
        case HealthEffect.Recover well -> {
          world.trace().say(process.name(), "is well again");
          events.accept(new WorkerEvent.Recovered());
        }
        case HealthEffect.Clear clear ->
            throw new IllegalStateException("no task makes a service refuse a call");
        case HealthEffect.End sick -> {
          world.trace().say(process.name(), "ends, it is sick still");
          end.run();
        }
      }
    }
  }

  /** Tries the refused call again; other failures leave the state unchanged. */
  private void probe() {
    Permission tried = cause;
    if (tried != null) {
      world
          .cloud()
          .probe(
              process,
              tried,
              allowed -> {
                boolean well = allowed != null && allowed;
                carryOut(
                    machine.probed(
                        well
                            ? Optional.empty()
                            : Optional.of(new Sickness.Service("denied " + tried)),
                        process.now()));
              });
    }
  }
}
