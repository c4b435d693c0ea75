package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Workers that were launched and have not registered yet, by open decision. A worker has registered
 * if an entry, of a live or a dead worker, names its launch and instance. The table remembers which
 * have registered, because the entry is removed when a worker shuts down; a new table treats such a
 * worker as booting until its instance is listed as ended. The end of an earlier provisioner's
 * instance is not a failure, because its worker may have registered before. Not thread safe.
 */
final class BootTable {
  /**
   * A provisioner that launched on another machine is gone, and its workers end with it or register
   * within this time, in milliseconds.
   */
  private static final long FOREIGN_MILLIS = 30_000;

  private static final String FOREIGN =
      "it was made on another machine, or its request cannot be read";

  private final long bootTimeout;
  private final Set<String> up = new HashSet<>();
  private final Set<String> failed = new HashSet<>();
  private final Set<String> inherited = new HashSet<>();

  /**
   * Instances of an earlier provisioner's decisions whose time to register was over before this
   * table began and that are no longer listed: whether their workers registered is not known.
   */
  private final Set<String> longGone = new HashSet<>();

  private boolean begun;

  /** The tokens of launches from other machines, and when they were first seen here. */
  private final Map<String, Long> foreign = new HashMap<>();

  BootTable(long bootTimeout) {
    this.bootTimeout = bootTimeout;
  }

  /**
   * The booting workers at one reading.
   *
   * @param booting the number of expected workers
   * @param since when the oldest of them was launched; service clock; 0 if none boots
   * @param ending the number of workers that failed to register, or are not wanted, and whose
   *     instance may exist
   * @param expected the instances that boot or failed to, by key
   * @param overdue those of them that exist although their time to register is over
   * @param openTokens the tokens of decisions whose instances are not known yet
   * @param closed the decisions of which no more workers are expected
   * @param terminate the instances to be ended
   * @param failures the workers that failed since the last reading, by reason
   * @param cameUp the instances whose worker registered since the last reading, by key
   */
  record Boots(
      int booting,
      long since,
      int ending,
      Set<String> expected,
      Set<String> overdue,
      Set<String> openTokens,
      List<Decision> closed,
      List<String> terminate,
      List<LaunchFailure> failures,
      Set<String> cameUp) {}

  /**
   * Examines a reading.
   *
   * @param withdrawn the tokens of intended decisions that are not carried out again; an earlier
   *     attempt may still take effect
   * @param carriedOut the tokens of intended decisions of which no more workers are expected
   */
  Boots look(FleetObservation seen, Set<String> withdrawn, Set<String> carriedOut, Moment now) {
    boolean first = !begun;
    if (first) {
      seen.launches().forEach(launch -> inherited.add(launch.token()));
      begun = true;
    }
    Look look = new Look(seen, first);
    foreign.keySet().retainAll(seen.foreign());
    for (Decision launch : seen.launches()) {
      if (launch.open() && seen.foreign().contains(launch.token())) {
        look.foreign(launch, now);
        continue;
      }
      switch (launch.state()) {
        case INTENDED -> {
          if (withdrawn.contains(launch.token())) {
            look.withdrawn(launch);
          } else {
            look.intended(launch, !carriedOut.contains(launch.token()));
          }
        }
        case LAUNCHED -> look.launched(launch, now);
        case CLOSED -> {}
      }
    }
    up.retainAll(look.known);
    failed.retainAll(look.known);
    longGone.retainAll(look.known);
    return look.boots();
  }

  /** The key of an instance of a launch. */
  static String key(String launch, String instance) {
    return launch + '/' + instance;
  }

  private final class Look {
    private final FleetObservation seen;
    private final boolean first;
    private final Map<String, Set<String>> registered = new HashMap<>();
    private final Map<String, LaunchedInstance> listed = new HashMap<>();
    private final Set<String> known = new HashSet<>();
    private final Set<String> expected = new HashSet<>();
    private final Set<String> overdue = new HashSet<>();
    private final Set<String> openTokens = new HashSet<>();
    private final List<Decision> closed = new ArrayList<>();
    private final List<String> terminate = new ArrayList<>();
    private final List<LaunchFailure> failures = new ArrayList<>();
    private final Set<String> cameUp = new HashSet<>();
    private int booting;
    private int ending;
    private long since = Long.MAX_VALUE;

    Look(FleetObservation seen, boolean first) {
      this.seen = seen;
      this.first = first;
      for (WorkerEntry worker : seen.workers()) {
        if (worker.origin().launched()) {
          String instance = worker.origin().instance();
          // An instance may have had several workers, one after the other.
          registered
              .computeIfAbsent(worker.origin().launch(), launch -> new HashSet<>())
              .add(instance.isEmpty() ? "?" + worker.id() : instance);
        }
      }
      seen.instances().forEach(one -> listed.put(key(one.launch(), one.id()), one));
    }

    /** Its workers are not wanted, but they may exist, and then they take room. */
    void withdrawn(Decision launch) {
      openTokens.add(launch.token());
      ending += launch.count();
    }

    /** It is unknown whether the launcher was called, so all of the workers may still register. */
    void intended(Decision launch, boolean isExpected) {
      openTokens.add(launch.token());
      if (!isExpected) {
        return;
      }
      int arrived = registered.getOrDefault(launch.token(), Set.of()).size();
      boots(Math.max(0, launch.count() - arrived), launch.atMillis());
    }

    /** A decision whose call this machine cannot make, and whose instances it cannot end. */
    void foreign(Decision launch, Moment now) {
      int arrived = registered.getOrDefault(launch.token(), Set.of()).size();
      int expected =
          launch.state() == Decision.State.INTENDED ? launch.count() : launch.instances().size();
      long since = foreign.computeIfAbsent(launch.token(), token -> now.mono());
      if (arrived < expected && now.mono() - since < FOREIGN_MILLIS) {
        boots(expected - arrived, launch.atMillis());
      } else {
        String why = arrived < expected ? FOREIGN : launch.error();
        closed.add(launch.closed(why, now.service()));
      }
    }

    void launched(Decision launch, Moment now) {
      Set<String> arrived = registered.getOrDefault(launch.token(), Set.of());
      List<String> missing = new ArrayList<>();
      for (String instance : launch.instances()) {
        String key = key(launch.token(), instance);
        known.add(key);
        if (arrived.contains(instance) && up.add(key)) {
          cameUp.add(key);
        }
        if (!up.contains(key)) {
          missing.add(instance);
        }
      }
      // Workers that do not know their instance count for the oldest missing ones.
      long nameless = arrived.stream().filter(one -> !launch.instances().contains(one)).count();
      List<String> awaited =
          missing.subList((int) Math.min(nameless, missing.size()), missing.size());
      int before = booting + ending;
      awaited.forEach(instance -> await(launch, instance, nameless > 0));
      if (booting + ending == before) {
        closed.add(launch.closed(why(launch, awaited), now.service()));
      }
    }

    private void await(Decision launch, String instance, boolean ambiguous) {
      String key = key(launch.token(), instance);
      expected.add(key);
      LaunchedInstance found = listed.get(key);
      long begun = begun(launch, found);
      boolean late = seen.atMillis() - begun >= bootTimeout;
      if (first && late && found == null) {
        longGone.add(key);
      }
      if (longGone.contains(key) && found == null) {
        return;
      }
      if (found != null && !found.exists()) {
        if (!inherited.contains(launch.token())) {
          fails(key, LaunchFailure.ENDED);
        }
        ending += found.state() == LaunchedInstance.State.ENDING ? 1 : 0;
      } else if (!late) {
        boots(1, begun);
      } else {
        fails(key, LaunchFailure.BOOT_TIMEOUT);
        if (found != null) {
          ending++;
          overdue.add(key);
        }
        if (!ambiguous) {
          terminate.add(instance);
        }
      }
    }

    /**
     * The time at which the launch began. The next provisioner may carry out a decision long after
     * it was made; its instances are not older than the launcher reports, and not younger than its
     * answer.
     */
    private long begun(Decision launch, @Nullable LaunchedInstance found) {
      long answered = Math.max(launch.atMillis(), launch.updatedMillis());
      return found == null
          ? answered
          : Math.clamp(found.launchedMillis(), launch.atMillis(), answered);
    }

    private void fails(String key, LaunchFailure failure) {
      if (failed.add(key)) {
        failures.add(failure);
      }
    }

    private void boots(int count, long begun) {
      booting += count;
      since = count == 0 ? since : Math.min(since, begun);
    }

    private String why(Decision launch, List<String> lost) {
      List<String> parts = new ArrayList<>();
      if (!launch.error().isEmpty()) {
        parts.add(launch.error());
      }
      long failures =
          lost.stream().filter(one -> failed.contains(key(launch.token(), one))).count();
      int all = launch.instances().size();
      if (failures > 0) {
        parts.add("%d of %d did not register".formatted(failures, all));
      }
      if (failures < lost.size()) {
        // A worker that shut down normally left no entry.
        parts.add(
            "%d of %d ended, launched by provisioner %s: whether they registered is not known"
                .formatted(lost.size() - failures, all, launch.holder()));
      }
      return String.join("; ", parts);
    }

    Boots boots() {
      return new Boots(
          booting,
          booting == 0 ? 0 : since,
          ending,
          expected,
          overdue,
          openTokens,
          closed,
          terminate,
          failures,
          cameUp);
    }
  }
}
