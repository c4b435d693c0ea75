package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.time.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.LongToDoubleFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in ticks of one second: tasks arrive, a provisioner looks, workers boot, work and end
 * themselves. Deterministic by its seed. Set it up by its fields, then {@link #run} it.
 */
final class FleetModel {
  static final long TICK = 1_000;
  private static final long START = 1_700_000_000_000L;
  private static final long LIST_LAG = 10_000;

  private final Random random;
  private final ProvisioningSettings settings;

  /** Tasks a second that arrive, by seconds since the start. */
  LongToDoubleFunction rate = second -> 0;

  /** How long a task takes, on average; whole ticks from one to twice as much. */
  long taskMillis = 2_000;

  long bootLeast = 20_000;
  long bootMost = 120_000;
  long idleTimeout = 60_000;

  /** The run says from the start how long its tasks take. */
  boolean durationKnown = true;

  /** A client collects the run; else only the depth speaks for it. */
  boolean collected = true;

  /** How old the run's counts, and the queues' depth, are at most. */
  long runAge = 5_000;

  long depthAge = 60_000;
  long provisionerFrom;

  /** With which chance a worker, live or booting, dies at each look. */
  double crashes;

  /** With which chance an instance never comes up. */
  double stillborn;

  /** Decides in place of the machine: workers that should live or boot, by the second. */
  @Nullable LongToDoubleFunction oracle;

  final ModelHistory history = new ModelHistory();
  final ModelProvisioner provisioner;
  private final List<ModelWorker> workers = new ArrayList<>();
  private final Map<String, List<String>> granted = new HashMap<>();
  private final Deque<Long> queue = new ArrayDeque<>();
  private long now = START;
  private double owed;
  private long arrived;
  private long finished;
  private RunEntry runEntry;
  private QueueDepth depth = new QueueDepth(0, 0, 0);

  FleetModel(long seed, ProvisioningSettings settings) {
    this.random = new Random(seed);
    this.settings = settings;
    this.provisioner = new ModelProvisioner(settings, random, this::grant, history);
    this.runEntry = runEntry();
  }

  /** Runs for so many seconds. */
  ModelHistory run(long seconds) {
    for (long second = 0; second < seconds; second++) {
      tick(second);
      now += TICK;
    }
    return history;
  }

  private void tick(long second) {
    arrive(second);
    for (ModelWorker worker : workers) {
      boolean boots = worker.boots();
      finished += worker.advance(now);
      if (boots && worker.live()) {
        history.cameUp(now - worker.launched);
        worker.report(now, 5);
      }
    }
    serve();
    leave();
    report();
    if (now - START >= provisionerFrom && (now - START) % settings.interval() == 0) {
      look(second);
    }
    history.mostInstances = Math.max(history.mostInstances, count(one -> !one.ended));
    history.tick(count(ModelWorker::live), count(ModelWorker::boots), arrived - finished);
  }

  private void arrive(long second) {
    owed += rate.applyAsDouble(second);
    while (owed >= 1 - 1e-9) {
      owed -= 1;
      queue.add(now);
      arrived++;
    }
  }

  /** The queue gives a message to any of those that ask. */
  private void serve() {
    int offset = workers.isEmpty() ? 0 : random.nextInt(workers.size());
    for (int i = 0; i < workers.size() && !queue.isEmpty(); i++) {
      ModelWorker worker = workers.get((i + offset) % workers.size());
      for (int free = worker.free(); free > 0 && !queue.isEmpty(); free--) {
        long end = now + duration();
        history.waited(end - queue.remove());
        worker.start(end);
      }
    }
  }

  /** Whole ticks, so that no slot stands still between two. */
  private long duration() {
    return TICK * (1 + random.nextLong(2 * taskMillis / TICK - 1));
  }

  private void leave() {
    int live = count(ModelWorker::live);
    for (ModelWorker worker : workers) {
      if (live > settings.min() && worker.idleFor(idleTimeout, now)) {
        live--;
        worker.end();
        worker.entry = null;
        history.idleExit(now - START);
      }
    }
    workers.removeIf(worker -> worker.ended && now - worker.launched > 3_600_000);
  }

  /** Its message is visible again; its entry stays and falls silent. */
  private void kill(ModelWorker worker) {
    for (int left = worker.end(); left > 0; left--) {
      queue.addFirst(now);
    }
  }

  private void report() {
    if ((now - START) % 5_000 == 0) {
      workers.forEach(worker -> worker.report(now, 5));
    }
    if ((now - START) % runAge == 0) {
      runEntry = runEntry();
    }
    if ((now - START) % depthAge == 0) {
      depth = new QueueDepth(queue.size(), arrived - finished - queue.size(), 0);
    }
  }

  private RunEntry runEntry() {
    boolean known = durationKnown || finished > 0;
    return new RunEntry(
        "run",
        "epoch",
        RunEntry.State.OPEN,
        Consistency.EXACTLY_ONCE,
        "queue",
        "client",
        "host",
        collected ? Long.MAX_VALUE : 0,
        "",
        arrived,
        arrived,
        Map.of(TaskStatus.SUCCEEDED, finished),
        new RemainingWork(arrived - finished, known ? taskMillis * 1e3 : 0, 0, 0, Set.of()),
        START,
        now);
  }

  private void look(long second) {
    Moment moment = new Moment(now - START, now);
    if (oracle != null) {
      int more =
          (int) oracle.applyAsDouble(second) - count(ModelWorker::live) - count(ModelWorker::boots);
      if (more > 0) {
        provisioner.launch(more, "", moment);
      }
      return;
    }
    workers.stream()
        .filter(worker -> !worker.ended && crashes > 0 && random.nextDouble() < crashes)
        .forEach(this::kill);
    List<String> terminate = provisioner.look(observation(), moment);
    workers.stream().filter(one -> terminate.contains(one.instance)).forEach(this::kill);
  }

  private FleetObservation observation() {
    List<WorkerEntry> entries =
        workers.stream().map(worker -> worker.entry).filter(Objects::nonNull).toList();
    return new FleetObservation(
        now,
        List.of(runEntry),
        depth,
        new QueueDepth(0, 0, 0),
        List.of(),
        entries,
        provisioner.open(),
        Set.of(),
        workers.stream()
            .filter(worker -> now - worker.launched > LIST_LAG)
            .map(ModelWorker::listed)
            .toList());
  }

  private List<String> grant(String token, int count) {
    return granted.computeIfAbsent(token, fresh -> grantFresh(fresh, count));
  }

  /** Tokens that were granted, and how many workers each was granted for. */
  Map<String, Integer> grants() {
    Map<String, Integer> grants = new HashMap<>();
    granted.forEach((token, instances) -> grants.put(token, instances.size()));
    return grants;
  }

  private List<String> grantFresh(String token, int count) {
    List<String> instances = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long boot = bootLeast + (long) (random.nextDouble() * (bootMost - bootLeast));
      String instance = token + "-" + i;
      instances.add(instance);
      long up = random.nextDouble() < stillborn ? Long.MAX_VALUE : now + boot;
      workers.add(new ModelWorker(token, instance, now, up, settings.slots()));
    }
    history.launched(now - START, count);
    return instances;
  }

  private int count(Predicate<ModelWorker> which) {
    return (int) workers.stream().filter(which).count();
  }
}
