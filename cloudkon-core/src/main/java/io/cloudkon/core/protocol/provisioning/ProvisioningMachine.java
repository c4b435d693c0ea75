package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.provisioning.BootTable.Boots;
import io.cloudkon.core.protocol.provisioning.WorkerCensus.Census;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides how many workers a cluster should have: it turns observations into launches with reasons.
 * Pure; used by one thread at a time. A new machine can replace an old one safely, because the
 * observation contains everything that is necessary. The machine's memory only improves decisions:
 * how the depth changed in the last minute, which launches were futile, and what the launcher
 * refused.
 */
public final class ProvisioningMachine {
  /** The error of a decision that is closed without an answer to its call. */
  public static final String NEVER_SEEN = "none of its workers was ever seen";

  private final ProvisioningSettings settings;
  private final BootTable boots;
  private final WorkerCensus census;
  private final WorkloadEstimate estimate;
  private final QueueGrowth growth;
  private final LaunchAttempts attempts;
  private final LaunchLimits limits;
  private final Map<String, Long> failures = new TreeMap<>();

  /** The tokens of old intended decisions that are not carried out again. */
  private Set<String> withdrawn = Set.of();

  private boolean begun;

  /** A machine that does not know until when an earlier provisioner may have launched workers. */
  public ProvisioningMachine(ProvisioningSettings settings) {
    this(settings, Long.MAX_VALUE);
  }

  /**
   * A machine that remembers nothing.
   *
   * @param leaseEnd the end of the lease before this one, after which no earlier provisioner or
   *     term began a launch; service clock, epoch milliseconds; {@link Long#MAX_VALUE} if unknown
   */
  public ProvisioningMachine(ProvisioningSettings settings, long leaseEnd) {
    this.settings = settings;
    this.attempts = new LaunchAttempts(leaseEnd);
    this.boots = new BootTable(settings.bootTimeout());
    this.census = new WorkerCensus(settings);
    this.estimate = new WorkloadEstimate(settings);
    this.growth = new QueueGrowth(settings.policy());
    this.limits = new LaunchLimits(settings);
  }

  /**
   * Makes a plan for an observation. The caller ends the instances {@code terminate} and writes
   * {@code closed}, makes one decision with {@code launch} workers, and includes that decision in
   * the next observation.
   */
  public FleetPlan decide(FleetObservation seen, Moment now) {
    attempts.look(seen);
    List<Decision> again = new ArrayList<>(intended(seen));
    // What an earlier provisioner was to launch long ago is decided anew.
    boolean inherits = !begun;
    begun = true;
    withdrawn =
        old(again.stream().filter(one -> inherits || withdrawn.contains(one.token())), seen);
    Boots booting = boots.look(seen, withdrawn, carriedOut(again, seen), now);
    Census workers = census.look(seen, booting, now);
    int reachable = ReachableSlots.of(workers.working(), settings);
    FleetWorkload load = estimate.look(seen, workers.working(), reachable, now);
    limits.look(seen, booting, workers, load, now).forEach(failure -> count(failure.reason()));
    // Launches are still tried for what would be reachable: the first that works ends the refusal.
    long bootingSlots = BootingSlots.of(booting, seen, settings);
    Reach reach = reach(workers, bootingSlots, load, reachable, now);
    int present = workers.working().size() + booting.booting();
    FleetDemand demand =
        new FleetSizing(
                load, workers.working(), booting.booting(), bootingSlots, reachable, settings)
            .demand(growth.look(seen, withdrawn, workers.working(), booting.booting()));
    Set<Decision> excess = new LinkedHashSet<>();
    again.stream().filter(one -> withdrawn.contains(one.token())).forEach(excess::add);
    again.removeAll(excess);
    int unknown = excess.stream().mapToInt(Decision::count).sum();
    LaunchLimits.Allowed allowed = limits.allow(demand.missing(), booting, workers, unknown, now);
    List<String> terminate = new ArrayList<>(booting.terminate());
    terminate.addAll(workers.terminate());
    excess.addAll(limits.excess(again, booting, workers));
    excess.addAll(needless(again, seen, present - demand.wanted()));
    again.removeAll(excess);
    attempts.plan(again);
    withdrawn = old(excess.stream(), seen);
    List<Decision> closed = new ArrayList<>(booting.closed());
    excess.stream()
        .filter(decision -> unseen(decision, attempts.lastOf(decision), seen))
        .map(decision -> decision.closed(NEVER_SEEN, now.service()))
        .forEach(closed::add);
    return new FleetPlan(
        fleet(booting, workers, demand, reach, reason(demand, allowed, load, workers)),
        again,
        List.copyOf(excess),
        closed,
        terminate,
        allowed.launch(),
        describe(seen, load, booting, workers),
        held(allowed, load, reach.slots()),
        limits.failing());
  }

  /**
   * The tokens of intended decisions that were carried out long ago, as some of their workers show,
   * so that no more of them are expected.
   */
  private Set<String> carriedOut(List<Decision> intended, FleetObservation seen) {
    return intended.stream()
        .filter(one -> isOld(attempts.lastOf(one), seen) && !nothingListed(one, seen))
        .map(Decision::token)
        .collect(Collectors.toSet());
  }

  /** The tokens of those that were made long ago and of which nothing is listed. */
  private Set<String> old(Stream<Decision> decisions, FleetObservation seen) {
    return decisions
        .filter(decision -> unseen(decision, decision.atMillis(), seen))
        .map(Decision::token)
        .collect(Collectors.toSet());
  }

  private static List<Decision> intended(FleetObservation seen) {
    return seen.launches().stream()
        .filter(decision -> decision.state() == Decision.State.INTENDED)
        .filter(decision -> !seen.foreign().contains(decision.token()))
        .toList();
  }

  /**
   * The intended decisions, the newest first, of which nothing registered within the boot timeout
   * and which are no longer needed: their provisioner died, and the work is done or others do it.
   *
   * @param surplus by how many workers the fleet is too large with all of them
   */
  private List<Decision> needless(List<Decision> intended, FleetObservation seen, int surplus) {
    List<Decision> needless = new ArrayList<>();
    int left = surplus;
    for (Decision decision : intended.reversed()) {
      if (left > 0 && unseen(decision, decision.atMillis(), seen)) {
        needless.add(decision);
        left -= decision.count();
      }
    }
    return needless;
  }

  /** Whether nothing of the decision is listed although it was made or tried long ago. */
  private boolean unseen(Decision decision, long sinceMillis, FleetObservation seen) {
    return isOld(sinceMillis, seen) && nothingListed(decision, seen);
  }

  /** Whether this is so long ago that a launcher would list new instances by now. */
  private boolean isOld(long millis, FleetObservation seen) {
    return seen.atMillis() - millis >= settings.bootTimeout();
  }

  private static boolean nothingListed(Decision decision, FleetObservation seen) {
    String token = decision.token();
    return seen.instances().stream().noneMatch(one -> one.launch().equals(token))
        && seen.workers().stream().noneMatch(one -> one.origin().launch().equals(token));
  }

  /**
   * Handles the answer to a launch of {@code asked} workers.
   *
   * @param own whether this provisioner decided it, and not an earlier one
   */
  public void launched(int asked, boolean own, InstanceLauncher.Launch answer, Moment now) {
    limits.launched(answer, own, now);
    answer.failures().forEach(failure -> count(failure.code()));
    if (answer.failures().isEmpty() && answer.instances().size() < asked) {
      count("not-granted");
    }
  }

  private void count(String reason) {
    failures.merge(reason, 1L, Long::sum);
  }

  /** The slots that HPC jobs can get, and why there can be no more for now; empty if there can. */
  private record Reach(int slots, String refusal) {}

  private Reach reach(
      Census workers, long bootingSlots, FleetWorkload load, int reachable, Moment now) {
    // Without those that boot: a launch whose answer is awaited does not end the lack.
    int live = ReachableSlots.withoutLaunches(workers.working(), 0, settings);
    boolean lacks = load.widths().stream().anyMatch(ranks -> ranks > live && ranks <= reachable);
    String refusal = limits.lastingRefusal(live, lacks, now);
    int present = ReachableSlots.withoutLaunches(workers.working(), bootingSlots, settings);
    return refusal.isEmpty() || present >= reachable
        ? new Reach(reachable, "")
        : new Reach(present, refusal);
  }

  private ProvisionerEntry.Fleet fleet(
      Boots booting, Census workers, FleetDemand demand, Reach reach, String reason) {
    return new ProvisionerEntry.Fleet(
        demand.wanted(),
        workers.live(),
        booting.booting(),
        booting.since(),
        reason,
        failures,
        workers.usdPerHour()
            + workers.lifelessUsdPerHour()
            + booting.booting() * settings.usdPerHour(),
        0,
        reach.slots(),
        reach.refusal(),
        0);
  }

  private static String reason(
      FleetDemand demand, LaunchLimits.Allowed allowed, FleetWorkload load, Census workers) {
    List<String> parts = new ArrayList<>();
    parts.add(demand.why());
    if (!workers.leaving().isEmpty()) {
      parts.add(
          "%s about to leave"
              .formatted(
                  FleetWording.count(workers.leaving().size(), "worker")
                      + (workers.leaving().size() == 1 ? " is" : " are")));
    }
    if (!allowed.obstacle().isEmpty()) {
      parts.add(allowed.words());
    }
    parts.addAll(load.blocked());
    return String.join("; ", parts);
  }

  /** The obstacles without times, which change at each reading. */
  private static List<String> held(
      LaunchLimits.Allowed allowed, FleetWorkload load, int reachable) {
    List<String> held = new ArrayList<>(load.blocked());
    if (!allowed.obstacle().isEmpty()) {
      held.add(allowed.obstacle());
    }
    if (load.widths().stream().anyMatch(ranks -> ranks > reachable)) {
      held.add("a job is larger than the fleet may be");
    }
    return held;
  }

  private static String describe(
      FleetObservation seen, FleetWorkload load, Boots booting, Census workers) {
    int busy = workers.working().stream().mapToInt(WorkerEntry::busy).sum();
    int slots = workers.working().stream().mapToInt(WorkerEntry::slots).sum();
    int lifeless = LaunchLimits.lifeless(booting, workers);
    return "%s, %s, %s in the queues; %d live, %d booting%s, %d of %s busy; %s"
        .formatted(
            FleetWording.count(load.tasks(), "task"),
            FleetWording.count(load.jobs(), "HPC job"),
            FleetWording.count(load.messages(), "message"),
            workers.live(),
            booting.booting(),
            lifeless == 0
                ? ""
                : String.format(Locale.ROOT, ", %,d launched and not live", lifeless),
            busy,
            FleetWording.count(slots, "slot"),
            FleetWording.count(
                seen.launches().stream().filter(Decision::open).count(), "open decision"));
  }
}
