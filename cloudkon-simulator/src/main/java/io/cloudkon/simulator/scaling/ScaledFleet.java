package io.cloudkon.simulator.scaling;

import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.protocol.provisioning.FleetPlan;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.simulator.Simulation;
import io.cloudkon.simulator.check.Launches;
import io.cloudkon.simulator.cloud.Booted;
import io.cloudkon.simulator.cloud.SimScaling;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.provision.SimProvisioner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** The workers and provisioners of a simulation in which the fleet grows with its queue. */
public final class ScaledFleet {
  private final Simulation simulation;
  private final ScalingSetup setup;
  private final SimScaling cloud;
  private final Launches launches;
  private final List<SimProvisioner> provisioners = new ArrayList<>();
  private final List<Launched> workers = new ArrayList<>();
  private Function<WorkerSetup, SimWorker> join;
  private Consumer<FleetPlan> planned = plan -> {};
  private boolean slow;
  private long pauses = 70_000_000;

  /** A worker of this fleet. */
  public record Launched(LaunchedInstance instance, SimWorker worker) implements Booted {
    @Override
    public boolean left() {
      return worker.left();
    }

    @Override
    public boolean ended() {
      return worker.left() && !worker.process().dead();
    }

    @Override
    public void die() {
      worker.process().die();
    }
  }

  /** An empty fleet; to be created before the simulation begins. */
  public ScaledFleet(Simulation simulation, ScalingSetup setup) {
    this.simulation = simulation;
    this.setup = setup;
    this.cloud =
        simulation
            .world()
            .cloud()
            .scaling(
                setup.boots(),
                setup.staleMicros(),
                setup.worker().gangs() == null ? null : simulation.world().hpc(),
                affordable(setup.provisioning()));
    this.launches = new Launches(cloud, setup.provisioning().max());
    this.join = worker -> simulation.join(worker, CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
    cloud.instances().watchedBy(launches);
    cloud.instances().onBoot(this::boot);
    simulation.lastly(() -> new FinalFleetCheck(simulation.world(), this).check());
  }

  private static int affordable(ProvisioningSettings told) {
    return told.usdPerHour() == 0
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, told.maxHourly() / told.usdPerHour() + 1e-9);
  }

  /** Starts a worker manually, in addition to the launched ones. */
  public SimWorker byHand(int slots, SimProcess.Clocks clocks) {
    SimWorker worker = simulation.join(setup.worker().withSlots(slots), CrashPoint.NEVER, clocks);
    cloud.byHand().starts(worker.process(), slots, simulation.world().timeline().now());
    return worker;
  }

  private Booted boot(LaunchedInstance instance) {
    WorkerSetup.Lifetime lifetime = setup.worker().lifetime();
    if (lifetime == null) {
      throw new IllegalStateException("workers of a fleet that grows need a lifetime");
    }
    WorkerOrigin origin =
        new WorkerOrigin(instance.launch(), instance.id(), instance.type(), instance.lifeCycle());
    SimWorker worker = join.apply(setup.worker().with(lifetime.from(origin)));
    Launched launched = new Launched(instance, worker);
    workers.add(launched);
    simulation.world().trace().say(worker.process().name(), "is the worker of %s", instance.id());
    return launched;
  }

  /** Sets how workers that come up from now on join. */
  public void joinBy(Function<WorkerSetup, SimWorker> how) {
    join = how;
  }

  /**
   * Declares that calls take seconds. A worker that reports its state may then pass for silent, so
   * that another one is launched for it even without work.
   */
  public void slowCalls() {
    slow = true;
  }

  /** Sets how long workers may be stopped, in microseconds. */
  public void pausesUpTo(long micros) {
    pauses = micros;
  }

  long pauses() {
    return pauses;
  }

  boolean callsAreSlow() {
    return slow;
  }

  /** Sets the receiver of plans from now on. */
  public void onPlan(Consumer<FleetPlan> what) {
    planned = what;
  }

  /** Starts a provisioner now. */
  public SimProvisioner provisioner(CrashPoint crash, SimProcess.Clocks clocks) {
    SimProcess process = simulation.world().process("p" + (provisioners.size() + 1), crash, clocks);
    SimProvisioner provisioner =
        new SimProvisioner(
            simulation.world(),
            cloud,
            process,
            setup.provisioning(),
            setup.lease(),
            plan -> planned.accept(plan));
    provisioners.add(provisioner);
    provisioner.start();
    return provisioner;
  }

  /** Starts a provisioner without any faults. */
  public SimProvisioner provisioner() {
    return provisioner(CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
  }

  /** All provisioners that ever began. */
  public List<SimProvisioner> provisioners() {
    return provisioners;
  }

  /** All workers that ever came up. */
  public List<Launched> workers() {
    return workers;
  }

  /** The workers that live now. */
  public List<Launched> live() {
    return workers.stream().filter(one -> !one.left()).toList();
  }

  public ScalingSetup setup() {
    return setup;
  }

  public SimScaling cloud() {
    return cloud;
  }

  public Launches launches() {
    return launches;
  }
}
