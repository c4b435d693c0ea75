package io.cloudkon.core.faults;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** One cluster, its client and its workers, in virtual time and one thread. */
final class World {
  final Settings settings;
  final Scenario scenario;
  final ManualTime time = new ManualTime();
  final Agenda agenda;
  final SplittableRandom random;
  final Witness witness;
  final Cluster cluster;
  final List<SimWorker> workers = new ArrayList<>();
  final SimClient client;

  private final Cluster reliable;
  private final List<String> trace = new ArrayList<>();
  private int workersMade;
  private long nowhereUntil;

  World(Scenario scenario, Settings settings) {
    this.scenario = scenario;
    this.settings = settings;
    SplittableRandom root = new SplittableRandom(settings.seed());
    agenda = new Agenda(time, root.nextLong());
    random = root.split();
    witness = new Witness(scenario.consistency(), settings.orderChecked());
    reliable = reliable(settings);
    ClaimStore store =
        settings.bugs().isEmpty() ? reliable.claims() : new BuggyClaims(settings.bugs());
    Cluster watched =
        new Cluster(
            reliable.name(),
            reliable.requests(),
            reliable.dead(),
            new WatchedResponses(reliable.responses(), witness),
            new WatchedClaims(store, witness),
            reliable.workers(),
            reliable.runs(),
            reliable.blobs());
    CalmingPlan plan = new CalmingPlan(settings.misbehaviour().plan(time));
    UnreliableCluster unreliable = new UnreliableCluster(watched, plan);
    cluster = unreliable.cluster();
    reliable.responses().create(Scenario.REPLIES);
    agenda.in(
        settings.calmAfter(),
        () -> {
          trace("the cloud calms down");
          plan.calm();
          unreliable.deliverLate();
        });
    client = new SimClient(this);
  }

  private Cluster reliable(Settings of) {
    MemoryCloud cloud = new MemoryCloud(time, of.misbehaviour());
    Cluster unused = cloud.setup("Q");
    return cloud.reliable("Q");
  }

  /** A worker that joins now. */
  SimWorker join(int slots, CrashPoint crash) {
    SimWorker worker = new SimWorker(this, "w" + ++workersMade, slots, crash);
    workers.add(worker);
    return worker;
  }

  /** Runs until everything is over, and checks that it ended well. */
  void runToTheEnd() {
    run(this::over);
    trace("over");
    witness.allDone();
    client.check();
  }

  /** Runs until then. */
  void run(BooleanSupplier until) {
    while (!until.getAsBoolean()) {
      if (agenda.now() > settings.limit()) {
        throw new Violation(
            "not over after %d s: client %s, queue %s, workers %s",
            agenda.now() / 1000, client, reliable.requests().depth(), workers);
      }
      agenda.step();
    }
  }

  private boolean over() {
    if (!client.complete() || agenda.now() < settings.calmAfter()) {
      return false;
    }
    var depth = reliable.requests().depth();
    return depth.waiting() + depth.inFlight() + depth.delayed() == 0
        && witness.everythingDone()
        && workers.stream().allMatch(SimWorker::idle);
  }

  /** How long a message is under way, in milliseconds. */
  long latency() {
    return 1 + random.nextInt(settings.slowest());
  }

  /** For so long workers find that results can go nowhere. */
  void resultsGoNowhere(long millis) {
    trace("results go nowhere");
    nowhereUntil = agenda.now() + millis;
  }

  boolean resultsGoNowhere() {
    return agenda.now() < nowhereUntil;
  }

  boolean has(Bug bug) {
    return settings.bugs().contains(bug);
  }

  void trace(String format, Object... details) {
    if (settings.traced()) {
      trace.add("%8d  %s".formatted(agenda.now(), format.formatted(details)));
    }
  }

  List<String> traced() {
    return trace;
  }
}
