package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A cluster that a test sets up entry by entry, with a machine that looks at it. */
final class Scene {
  static final long START = 1_000_000;

  Policy policy = new Policy.DrainTime(300_000);
  int min;
  int max = 10;
  int slots = 2;
  WorkerTakes takes = WorkerTakes.ALL;
  long interval = 5_000;
  long cooldown;
  double maxHourly = Double.POSITIVE_INFINITY;
  double price;
  Map<String, Integer> typeSlots = Map.of();

  final Map<String, RunEntry> runs = new LinkedHashMap<>();
  final Map<String, WorkerEntry> workers = new LinkedHashMap<>();
  final Map<String, Decision> launches = new LinkedHashMap<>();
  final Map<String, LaunchedInstance> instances = new LinkedHashMap<>();
  final Set<String> foreign = new HashSet<>();
  final List<Waiting> waiting = new ArrayList<>();
  QueueDepth requests = new QueueDepth(0, 0, 0);
  QueueDepth jobs = new QueueDepth(0, 0, 0);
  long now = START;

  /** The end of the lease before that of a machine that is made from now on. */
  long leaseBefore = Long.MAX_VALUE;

  /** For how long the provisioner's machine slept, and its monotonic clock with it. */
  private long slept;

  private ProvisioningMachine machine;
  private long decisions;

  Scene run(String id, long tasks, double seconds) {
    return run(id, tasks, new RemainingWork(0, seconds * 1e6, 0, 0, Set.of()));
  }

  Scene run(String id, long tasks, RemainingWork remaining) {
    return run(id, RunEntry.State.OPEN, Long.MAX_VALUE, tasks, 0, remaining);
  }

  Scene run(
      String id,
      RunEntry.State state,
      long leaseEnd,
      long tasks,
      long finished,
      RemainingWork remaining) {
    runs.put(
        id,
        new RunEntry(
            id,
            "epoch",
            state,
            Consistency.EXACTLY_ONCE,
            "queue",
            "client",
            "host",
            leaseEnd,
            "",
            tasks,
            tasks,
            Map.of(TaskStatus.SUCCEEDED, finished),
            remaining,
            START,
            now));
    return this;
  }

  /** A worker with 2 slots that has done nothing yet, as of now. */
  Scene worker(String id, String launch) {
    return worker(id, launch, "worker", "", WorkerTakes.ALL, 0, 0);
  }

  Scene worker(
      String id,
      String launch,
      String role,
      String notice,
      WorkerTakes worksOn,
      int busy,
      long tasksDone) {
    WorkerOrigin origin =
        launch.isEmpty() ? WorkerOrigin.BY_HAND : new WorkerOrigin(launch, id, "process", "");
    workers.put(
        id,
        new WorkerEntry(
            id, "host", origin, worksOn, role, notice, 2, busy, 0, 0, tasksDone, 0, START, now));
    return this;
  }

  Scene byHand(String id) {
    return worker(id, "");
  }

  /** A worker by hand with so many slots. */
  Scene byHand(String id, int itsSlots) {
    byHand(id);
    workers.computeIfPresent(id, (name, worker) -> withSlots(worker, itsSlots));
    return this;
  }

  /** The worker has so many busy slots, some of which prepare shipped files. */
  Scene busy(String id, int busy, int staging) {
    workers.computeIfPresent(
        id, (name, old) -> with(old, old.slots(), busy, staging, old.updatedMillis()));
    return this;
  }

  /** An instance as the launcher lists it. */
  Scene instance(String id, String launch, LaunchedInstance.State state) {
    return instance(id, launch, "process", state);
  }

  Scene instance(String id, String launch, String type, LaunchedInstance.State state) {
    instances.put(id, new LaunchedInstance(id, launch, type, "", state, now));
    return this;
  }

  /** A decision that was carried out now. */
  Scene launched(String token, String... granted) {
    return decision(token, Decision.State.LAUNCHED, granted.length, granted);
  }

  Scene decision(String token, Decision.State state, int count, String... granted) {
    launches.put(
        token,
        new Decision(
            ++decisions,
            "holder",
            now,
            count,
            token,
            "",
            "",
            Map.of(),
            state,
            List.of(granted),
            "",
            now));
    return this;
  }

  /** Time passes; live workers write their entries again. */
  Scene later(long millis) {
    now += millis;
    workers.replaceAll((id, old) -> old.livesAt(now - millis) ? at(old, now) : old);
    return this;
  }

  /** The provisioner's machine sleeps, while time passes in which no worker can write. */
  Scene sleep(long millis) {
    now += millis;
    slept += millis;
    return this;
  }

  /** Time passes in which this worker writes nothing. */
  Scene silent(String id, long millis) {
    WorkerEntry old = workers.get(id);
    later(millis);
    workers.put(id, old);
    return this;
  }

  private static WorkerEntry at(WorkerEntry old, long millis) {
    return with(old, old.slots(), old.busy(), old.staging(), millis);
  }

  private static WorkerEntry withSlots(WorkerEntry old, int slots) {
    return with(old, slots, old.busy(), old.staging(), old.updatedMillis());
  }

  private static WorkerEntry with(
      WorkerEntry old, int slots, int busy, int staging, long updatedMillis) {
    return new WorkerEntry(
        old.id(),
        old.host(),
        old.origin(),
        old.takes(),
        old.role(),
        old.notice(),
        old.sickness(),
        slots,
        busy,
        staging,
        old.shippedFiles(),
        old.unreachable(),
        old.cpu(),
        old.memoryBytes(),
        old.tasksDone(),
        old.tasksPerSecond(),
        old.finished(),
        old.sinceMillis(),
        updatedMillis);
  }

  static WorkerTakes only(Work.Kind... kinds) {
    return new WorkerTakes(Set.of(kinds), true, true);
  }

  Moment moment() {
    return new Moment(now - START - slept, now);
  }

  /** The next look is made by a machine that remembers nothing. */
  Scene restarted() {
    machine = null;
    return this;
  }

  ProvisioningMachine machine() {
    if (machine == null) {
      machine =
          new ProvisioningMachine(
              new ProvisioningSettings(
                  policy, min, max, slots, takes, interval, 300_000, cooldown, maxHourly, price,
                  Map.of(), typeSlots),
              leaseBefore);
    }
    return machine;
  }

  /** Looks; what is closed is not shown again. */
  FleetPlan look() {
    FleetPlan plan =
        machine()
            .decide(
                new FleetObservation(
                    now,
                    List.copyOf(runs.values()),
                    requests,
                    jobs,
                    waiting,
                    List.copyOf(workers.values()),
                    List.copyOf(launches.values()),
                    foreign,
                    List.copyOf(instances.values())),
                moment());
    plan.closed().forEach(decision -> launches.remove(decision.token()));
    return plan;
  }

  String reason() {
    return look().fleet().reason();
  }
}
