package io.cloudkon.simulator;

import io.cloudkon.simulator.check.Violation;
import io.cloudkon.simulator.check.Witness;
import io.cloudkon.simulator.client.SimClient;
import io.cloudkon.simulator.client.SimJournal;
import io.cloudkon.simulator.cloud.SimCloud;
import io.cloudkon.simulator.cloud.SimHpc;
import io.cloudkon.simulator.engine.CrashPoint;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.engine.Timeline;
import io.cloudkon.simulator.engine.Trace;
import io.cloudkon.simulator.fleet.SimWorker;
import io.cloudkon.simulator.fleet.WorkerSetup;
import io.cloudkon.simulator.load.SimRun;
import io.cloudkon.simulator.load.Tasks;
import io.cloudkon.simulator.report.Measures;
import io.cloudkon.simulator.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulation of clients, workers and services, from the first send until nothing is left
 * anywhere. Used by one thread, once.
 */
public final class Simulation {
  /** The number of events between two checks whether everything is over. */
  private static final int LOOK = 64;

  private final Setup setup;
  private final World world;
  private final List<SimRun> runs = new ArrayList<>();
  private final List<SimJournal> journals = new ArrayList<>();
  private final List<SimClient> clients = new ArrayList<>();

  /** Clients that have a successor. One that is still alive may hold the run all the same. */
  private final List<SimClient> former = new ArrayList<>();

  private final List<SimWorker> workers = new ArrayList<>();
  private final Measures measures = new Measures();
  private final Map<Integer, Long> delays = new HashMap<>();
  private @Nullable Runnable lastly;
  private long notBefore;
  private int clientsMade;

  /**
   * The number of leading clients that were over, and of leading workers that were idle, at the
   * last check.
   */
  private int clientsOver;

  private int workersIdle;

  /** Prepares the simulation; nothing has happened yet. */
  public Simulation(Setup setup) {
    this.setup = setup;
    Timeline timeline = new Timeline();
    SplittableRandom random = new SplittableRandom(setup.seed());
    Witness witness = new Witness(setup.orderWatched());
    Trace trace = new Trace(timeline, setup.lines());
    SimCloud cloud =
        new SimCloud(timeline, random.split(), setup.cloud(), setup.twist().law(), witness);
    world = new World(timeline, trace, random.split(), cloud, witness, setup.twist());
    if (setup.client().fair()) {
      var unused = cloud.entries(); // before there are workers, which otherwise do not report
    }
    notBefore = setup.cloud().faults().untilMicros();
    for (Tasks tasks : setup.runs()) {
      SimRun run = new SimRun(runs.size(), "r" + runs.size(), setup.consistency(), tasks);
      runs.add(run);
      witness.begins(run);
      journals.add(new SimJournal());
      clients.add(client(run, CrashPoint.NEVER, SimProcess.Clocks.RIGHT));
    }
    for (int i = 0; i < setup.workers(); i++) {
      SimWorker unused = join(setup.worker(), CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
    }
  }

  private SimClient client(SimRun run, CrashPoint crash, SimProcess.Clocks clocks) {
    SimProcess process = world.process("c" + ++clientsMade, crash, clocks);
    return new SimClient(world, process, run, setup.client(), journals.get(run.index()), measures);
  }

  /** Runs a simulation and checks that it ended well. */
  public static Outcome run(Setup setup) {
    return run(setup, simulation -> {});
  }

  /**
   * Runs a simulation and checks that it ended well.
   *
   * @param script schedules further events on the timeline
   * @throws Violation if a promise was broken, or the simulation does not end
   */
  public static Outcome run(Setup setup, Consumer<Simulation> script) {
    Simulation simulation = new Simulation(setup);
    script.accept(simulation);
    return simulation.toTheEnd();
  }

  /** The parts that everything in the simulation shares. */
  public World world() {
    return world;
  }

  /** Starts a worker now. */
  public SimWorker join(WorkerSetup worker, CrashPoint crash, SimProcess.Clocks clocks) {
    SimProcess process = world.process("w" + (workers.size() + 1), crash, clocks);
    SimWorker joined = new SimWorker(world, process, worker);
    workers.add(joined);
    return joined;
  }

  /** Starts a worker without any faults. */
  public SimWorker join(int slots) {
    return join(WorkerSetup.of(slots), CrashPoint.NEVER, SimProcess.Clocks.RIGHT);
  }

  /** All workers that ever joined. */
  public List<SimWorker> workers() {
    return workers;
  }

  /** The number of runs. */
  public int runs() {
    return runs.size();
  }

  /** The run with this index. */
  public SimRun simRun(int index) {
    return runs.get(index);
  }

  /** The client that currently has the run with this index. */
  public SimClient client(int index) {
    return clients.get(index);
  }

  /**
   * Makes the client of a run die or stop at a crash point; call it only before the client begins.
   */
  public SimClient clientWith(int index, CrashPoint crash) {
    return clientWith(index, crash, SimProcess.Clocks.RIGHT);
  }

  /** Likewise, with the given clocks. */
  public SimClient clientWith(int index, CrashPoint crash, SimProcess.Clocks clocks) {
    clients.set(index, client(runs.get(index), crash, clocks));
    return clients.get(index);
  }

  /** Resumes a run whose client is dead or appears to be. */
  public SimClient resume(int index, CrashPoint crash) {
    return resume(index, crash, SimProcess.Clocks.RIGHT);
  }

  /** Likewise, with the given clocks. */
  public SimClient resume(int index, CrashPoint crash, SimProcess.Clocks clocks) {
    journals.set(index, journals.get(index).successor());
    SimClient successor = client(runs.get(index), crash, clocks);
    former.add(clients.set(index, successor));
    successor.resume();
    return successor;
  }

  /** Removes the queue that currently receives a run's results, as a user might. */
  public void removeQueue(int index) {
    String queue = world.cloud().runs().current(runs.get(index).id()).responseQueue();
    world.trace().say("user", "removes %s", queue);
    world.cloud().removeResponses(queue);
  }

  /** Makes the service claim for this time, in microseconds, that the queue does not exist. */
  public void hideQueue(int index, long micros) {
    String queue = world.cloud().runs().current(runs.get(index).id()).responseQueue();
    world.trace().say("service", "hides %s for %d ms", queue, micros / 1000);
    world.cloud().hideResponses(queue, micros);
  }

  /** Cancels a run, as a user might. */
  public void cancel(int index) {
    SimRun run = runs.get(index);
    if (world.cloud().runs().cancel(run.id(), world.serviceMillis())) {
      world.trace().say("user", "cancels %s", run);
      world.witness().cancelled(run);
    }
  }

  /** Keeps the simulation from ending before this time, in microseconds. */
  public void notOverBefore(long micros) {
    notBefore = Math.max(notBefore, micros);
  }

  /** Delays the start of the run with this index, in microseconds. */
  public void startAfter(int index, long micros) {
    delays.put(index, micros);
  }

  /**
   * Replaces the usual check of the fleet that is made when no work is left; virtual time may pass
   * in it.
   */
  public void lastly(Runnable check) {
    lastly = check;
  }

  private Outcome toTheEnd() {
    for (int i = 0; i < clients.size(); i++) {
      SimClient client = clients.get(i);
      Long delay = delays.get(i);
      if (delay == null) {
        client.start();
      } else {
        world.timeline().in(delay, client::start);
      }
    }
    for (var waiting = new WaitingMessages(world, workers, setup); !over(); waiting.check()) {
      if (world.timeline().now() > setup.limitMicros() || world.timeline().isEmpty()) {
        throw new Violation(
            "not over after %d s: clients %s, queue %d waiting, %d in flight, workers %s",
            world.timeline().now() / 1_000_000,
            clients,
            world.cloud().requests().waiting(),
            world.cloud().requests().inFlight(),
            workers);
      }
      for (int i = 0; i < LOOK && !world.timeline().isEmpty(); i++) {
        world.timeline().step();
      }
    }
    world.trace().say("all", "is over");
    world.witness().atTheEnd();
    FinalAccount account = new FinalAccount(world, runs, measures);
    account.nothingLeft();
    Outcome outcome = outcome();
    SimHpc hpc = world.cloud().hpcIfAny();
    if (lastly != null) {
      lastly.run();
    } else if (hpc != null) {
      new FinalLedgerCheck(world, hpc, workers, setup.callMicros()).check();
    }
    account.balances(outcome);
    return outcome;
  }

  /**
   * Returns whether everything is over. Makes the cheap checks first, because there may be many
   * thousands of clients and workers. Where workers end themselves, none may be left to delete the
   * offers of ranks that are over.
   */
  private boolean over() {
    SimHpc hpc = world.cloud().hpcIfAny();
    if (world.timeline().now() < notBefore
        || !world.cloud().requests().empty()
        || (hpc != null && (!hpc.jobs().empty() || !(hpc.ranks().empty() || lastly != null)))) {
      return false;
    }
    while (clientsOver < clients.size() && ended(clients.get(clientsOver))) {
      clientsOver++;
    }
    while (workersIdle < workers.size() && workers.get(workersIdle).idle()) {
      workersIdle++;
    }
    if (clientsOver < clients.size() || workersIdle < workers.size()) {
      return false;
    }
    // A worker that was idle may have received work since.
    clientsOver = 0;
    workersIdle = 0;
    return clients.stream().allMatch(Simulation::ended)
        && former.stream().allMatch(SimClient::over)
        && workers.stream().allMatch(SimWorker::idle)
        && world.witness().everythingDone();
  }

  private static boolean ended(SimClient client) {
    return client.over() && !client.process().dead();
  }

  private Outcome outcome() {
    int slots = workers.stream().mapToInt(SimWorker::slots).sum();
    return new Outcome(
        workers.size(),
        slots,
        measures,
        world.cloud().calls(),
        world.cloud().requests().mostInFlight(),
        world.cloud().requests().mostWaiting(),
        world.cloud().requests().overLimit(),
        world.timeline().now(),
        world.timeline().happened());
  }
}
