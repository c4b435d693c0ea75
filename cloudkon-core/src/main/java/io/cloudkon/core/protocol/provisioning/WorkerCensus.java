package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines which workers are live. A silent entry means death only if this provisioner could have
 * seen a newer one: after a start, or a time without readings, all entries may be old because the
 * table was unavailable. Not thread safe.
 */
final class WorkerCensus {
  /** The time within which a live worker writes again once the table is available. */
  private static final long HEARTBEAT_MILLIS =
      LeaseSettings.DEFAULT.heartbeat() + LeaseSettings.DEFAULT.margin();

  private final ProvisioningSettings settings;
  private final Map<String, Long> unheard = new HashMap<>();
  private Set<String> lastLive = Set.of();
  private @Nullable Moment lastLook;
  private long trustedFrom;
  private long heardFrom;

  WorkerCensus(ProvisioningSettings settings) {
    this.settings = settings;
  }

  /**
   * The workers at one reading.
   *
   * @param working the live workers that stay
   * @param leaving the live workers that drain, or whose machine is about to end: they are not
   *     capacity, but count toward the maximum and the cost
   * @param strays the existing instances that neither boot nor have a live worker, including those
   *     that are being ended; they count in the same way
   * @param terminate the strays that were silent for the boot timeout
   * @param usdPerHour the price of the launched live workers
   * @param lifelessUsdPerHour the price of the existing instances of which no worker is expected
   *     any more; one that is being ended is not billed
   * @param unsure the number of workers that seem dead but may have had no chance yet to write
   *     again
   * @param unsureMillis how long this remains so, from now on
   */
  record Census(
      List<WorkerEntry> working,
      List<WorkerEntry> leaving,
      int strays,
      List<String> terminate,
      double usdPerHour,
      double lifelessUsdPerHour,
      int unsure,
      long unsureMillis) {
    int live() {
      return working.size() + leaving.size();
    }
  }

  Census look(FleetObservation seen, BootTable.Boots boots, Moment now) {
    trust(now);
    Map<String, LaunchedInstance.State> listed = new HashMap<>();
    seen.instances().forEach(one -> listed.put(BootTable.key(one.launch(), one.id()), one.state()));
    Map<String, WorkerEntry> live = live(seen, listed, now);
    List<WorkerEntry> working = new ArrayList<>();
    List<WorkerEntry> leaving = new ArrayList<>();
    live.forEach((key, worker) -> {
      boolean stays =
          worker.notice().isEmpty()
              && worker.takesWork()
              && listed.get(key) != LaunchedInstance.State.ENDING;
      (stays ? working : leaving).add(worker);
    });
    lastLive = new HashSet<>();
    live.values().forEach(worker -> lastLive.add(worker.id()));
    // A worker that does not know its instance may run on any instance of its launch.
    Set<String> nameless =
        live.values().stream()
            .filter(worker -> worker.origin().instance().isEmpty())
            .map(worker -> worker.origin().launch())
            .collect(Collectors.toSet());
    List<LaunchedInstance> strays =
        seen.instances().stream()
            .filter(one -> !nameless.contains(one.launch()) && stray(one, live, boots))
            .toList();
    return new Census(
        working,
        leaving,
        strays.size(),
        overdue(strays, now),
        cost(live),
        lifelessCost(seen, strays, boots),
        unsure(seen, listed, live, now),
        Math.max(0, heardFrom - now.mono()));
  }

  private double cost(Map<String, WorkerEntry> live) {
    return live.values().stream()
        .filter(worker -> worker.origin().launched())
        .mapToDouble(worker -> settings.usdPerHour(worker.origin().type()))
        .sum();
  }

  private double lifelessCost(
      FleetObservation seen, List<LaunchedInstance> strays, BootTable.Boots boots) {
    Stream<LaunchedInstance> overdue =
        seen.instances().stream()
            .filter(one -> boots.overdue().contains(BootTable.key(one.launch(), one.id())));
    return Stream.concat(strays.stream(), overdue)
        .filter(LaunchedInstance::exists)
        .mapToDouble(one -> settings.usdPerHour(one.type()))
        .sum();
  }

  private void trust(Moment now) {
    long longest = Math.max(3 * settings.interval(), WorkerEntry.SILENT_MILLIS / 2);
    // The age of entries is measured by the service's clock, which is right even if this machine
    // slept.
    boolean blind = lastLook == null || now.eitherPast(lastLook.plus(longest));
    if (blind) {
      trustedFrom = now.mono() + WorkerEntry.SILENT_MILLIS;
      heardFrom = now.mono() + HEARTBEAT_MILLIS;
    }
    lastLook = now;
  }

  /** The newest worker of each instance. */
  private Map<String, WorkerEntry> live(
      FleetObservation seen, Map<String, LaunchedInstance.State> listed, Moment now) {
    boolean doubted = now.mono() < trustedFrom;
    Map<String, WorkerEntry> live = new HashMap<>();
    for (WorkerEntry worker : seen.workers()) {
      String key = key(worker);
      LaunchedInstance.State state = listed.get(key);
      boolean exists =
          state == LaunchedInstance.State.PENDING || state == LaunchedInstance.State.RUNNING;
      boolean lives =
          worker.livesAt(seen.atMillis())
              || (doubted && (exists || lastLive.contains(worker.id())));
      if (lives && state != LaunchedInstance.State.ENDED) {
        live.merge(key, worker, (a, b) -> a.sinceMillis() < b.sinceMillis() ? b : a);
      }
    }
    return live;
  }

  /**
   * The number of such workers that were started manually, or for which no instance shows whether
   * they are gone.
   */
  private int unsure(
      FleetObservation seen,
      Map<String, LaunchedInstance.State> listed,
      Map<String, WorkerEntry> live,
      Moment now) {
    if (now.mono() >= heardFrom) {
      return 0;
    }
    return (int)
        seen.workers().stream()
            .map(WorkerCensus::key)
            .distinct()
            .filter(key -> !live.containsKey(key))
            .filter(key -> listed.get(key) != LaunchedInstance.State.ENDED)
            .count();
  }

  private static String key(WorkerEntry worker) {
    boolean known = worker.origin().launched() && !worker.origin().instance().isEmpty();
    return known
        ? BootTable.key(worker.origin().launch(), worker.origin().instance())
        : "?" + worker.id();
  }

  private static boolean stray(
      LaunchedInstance one, Map<String, WorkerEntry> live, BootTable.Boots boots) {
    String key = BootTable.key(one.launch(), one.id());
    return one.state() != LaunchedInstance.State.ENDED
        && !live.containsKey(key)
        && !boots.expected().contains(key)
        && !boots.openTokens().contains(one.launch());
  }

  /**
   * The strays that are overdue, counted from when this provisioner first missed them, because the
   * table may have been unavailable before.
   */
  private List<String> overdue(Collection<LaunchedInstance> strays, Moment now) {
    Set<String> ids =
        strays.stream()
            .filter(LaunchedInstance::exists)
            .map(LaunchedInstance::id)
            .collect(Collectors.toSet());
    unheard.keySet().retainAll(ids);
    ids.forEach(id -> unheard.putIfAbsent(id, now.mono()));
    return unheard.entrySet().stream()
        .filter(one -> now.mono() - one.getValue() >= settings.bootTimeout())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
