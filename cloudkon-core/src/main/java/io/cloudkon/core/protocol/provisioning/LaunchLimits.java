package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.provisioning.BootTable.Boots;
import io.cloudkon.core.protocol.provisioning.WorkerCensus.Census;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Limits launches by the maximum, the price, the cool-down, and delays after launches that failed,
 * were refused or were futile. Not thread safe.
 */
final class LaunchLimits {
  /** The first delay after a launch without a result. */
  private static final long FIRST_MILLIS = 10_000;

  private static final long LONGEST_MILLIS = 600_000;

  private final ProvisioningSettings settings;
  private final LaunchBackOff boots = new LaunchBackOff(FIRST_MILLIS, LONGEST_MILLIS);
  private final LaunchBackOff vain = new LaunchBackOff(FIRST_MILLIS, LONGEST_MILLIS);
  private final FutileLaunches futile = new FutileLaunches(vain);
  private final LaunchRefusals refusals = new LaunchRefusals();
  private boolean provenSinceFailure;
  private boolean work;
  private long lastLaunch = Long.MIN_VALUE;
  private LaunchFailure lastFailure = LaunchFailure.ENDED;

  LaunchLimits(ProvisioningSettings settings) {
    this.settings = settings;
  }

  /**
   * The permitted launch.
   *
   * @param launch the number of workers
   * @param obstacle why there are fewer than requested, as a clause; empty if there are not
   * @param waitMillis the time until the next try, in milliseconds; 0 if the obstacle does not end
   *     by time
   */
  record Allowed(int launch, String obstacle, long waitMillis) {
    Allowed(int launch, String obstacle) {
      this(launch, obstacle, 0);
    }

    /** The obstacle and the time of the next try, for display. */
    String words() {
      return waitMillis == 0
          ? obstacle
          : obstacle + ": next try in " + FleetWording.duration(waitMillis);
    }
  }

  /** Evaluates the outcome of earlier launches; returns the failures since the last reading. */
  List<LaunchFailure> look(
      FleetObservation seen, Boots booting, Census workers, FleetWorkload load, Moment now) {
    seen.launches().stream()
        .mapToLong(Decision::atMillis)
        .max()
        .ifPresent(at -> lastLaunch = Math.max(lastLaunch, at));
    List<LaunchFailure> failures = new ArrayList<>(booting.failures());
    booted(booting, now);
    List<WorkerEntry> live = new ArrayList<>(workers.working());
    live.addAll(workers.leaving());
    work = load.any();
    FutileLaunches.Need need =
        new FutileLaunches.Need(work, workers.live() <= settings.min() && settings.min() > 0);
    int inVain = futile.look(live, ended(seen, booting, live), seen.runs(), need, now);
    for (int i = 0; i < inVain; i++) {
      failures.add(LaunchFailure.FUTILE);
    }
    return failures;
  }

  /** The workers that registered and ended between two readings. */
  private static List<WorkerEntry> ended(
      FleetObservation seen, Boots booting, List<WorkerEntry> live) {
    Set<String> here = live.stream().map(WorkerEntry::id).collect(Collectors.toSet());
    return seen.workers().stream()
        .filter(worker ->
            booting
                .cameUp()
                .contains(BootTable.key(worker.origin().launch(), worker.origin().instance())))
        .filter(worker -> !here.contains(worker.id()))
        .toList();
  }

  /**
   * Handles booted workers: one failure among successes leads to a replacement at once; a delay
   * begins if no worker registers any more.
   */
  private void booted(Boots booting, Moment now) {
    if (!booting.cameUp().isEmpty()) {
      boots.reset();
      provenSinceFailure = true;
    }
    if (!booting.failures().isEmpty()) {
      lastFailure = booting.failures().getFirst();
      if (!provenSinceFailure) {
        boots.failed(now);
      }
      provenSinceFailure = false;
    }
  }

  /**
   * Handles the slots of a reading, as {@link LaunchRefusals#look} does. Returns the launcher's
   * message if a job lacks slots and launches for it have been refused for so long that none is
   * expected any more; empty otherwise.
   */
  String lastingRefusal(int slots, boolean lacks, Moment now) {
    refusals.look(slots, lacks);
    return refusals.lasting(now) ? refusals.last() : "";
  }

  /** Whether launches fail and no worker has registered since. */
  boolean failing() {
    return boots.failures() > 0;
  }

  /**
   * Handles the answer to a launch.
   *
   * @param own whether this provisioner decided it, because a refusal of another's launch says
   *     nothing about its own
   */
  void launched(InstanceLauncher.Launch answer, boolean own, Moment now) {
    if (own) {
      refusals.answered(answer, now);
    }
    if (!answer.instances().isEmpty()) {
      lastLaunch = Math.max(lastLaunch, now.service());
    }
  }

  /**
   * Limits a launch.
   *
   * @param missing the number of missing workers
   * @param unknown how many of {@code booting.ending()} belong to intended decisions that are not
   *     carried out again, so that their instances may not exist
   */
  Allowed allow(int missing, Boots booting, Census workers, int unknown, Moment now) {
    if (missing == 0) {
      return new Allowed(0, "");
    }
    if (workers.unsure() > 0) {
      return new Allowed(0, unsure(workers), workers.unsureMillis());
    }
    Allowed nothing = wait(now);
    if (nothing.waitMillis() > 0) {
      return nothing;
    }
    int room = Math.max(0, room(booting, workers));
    int affordable = Math.max(0, affordable(booting, workers));
    int launch = Math.min(missing, Math.min(room, affordable));
    if (launch == missing) {
      return probe(launch);
    }
    Allowed probed = probe(launch);
    return probed.launch() < launch
        ? probed
        : new Allowed(
            launch,
            room <= affordable ? full(booting, workers, unknown) : tooDear(launch, unknown));
  }

  private static String unsure(Census workers) {
    return "%s silent but may be alive, because the table may have been unavailable"
        .formatted(
            FleetWording.count(workers.unsure(), "worker")
                + (workers.unsure() == 1 ? " is" : " are"));
  }

  private String full(Boots booting, Census workers, int unknown) {
    int lifeless = lifeless(booting, workers) - unknown;
    String text =
        "the maximum of %s is reached".formatted(FleetWording.count(settings.max(), "worker"));
    if (lifeless > 0) {
      text +=
          String.format(
              Locale.ROOT,
              ", including %,d that %s not alive but %s not ended yet",
              lifeless,
              lifeless == 1 ? "is" : "are",
              lifeless == 1 ? "has" : "have");
    }
    text += unknown(unknown);
    return workers.leaving().isEmpty()
        ? text
        : text + ", so workers that leave are replaced only when they are gone";
  }

  private String tooDear(int launch, int unknown) {
    return String.format(
            Locale.ROOT,
            (launch > 0 ? "one more" : "another worker")
                + " at %.3f USD an hour would exceed --max-hourly %.3f",
            settings.usdPerHour(),
            settings.maxHourly())
        + unknown(unknown);
  }

  private static String unknown(int workers) {
    return workers == 0
        ? ""
        : ", counting %s of earlier launches whose outcome is not known yet"
            .formatted(FleetWording.count(workers, "worker"));
  }

  /** While launches fail, a single worker is launched at a time to test whether they still do. */
  private Allowed probe(int launch) {
    boolean doubtful = boots.failures() > 0 || vain.failures() > 0;
    return doubtful && launch > 1
        ? new Allowed(1, "the last launches failed, so one worker is tried first")
        : new Allowed(launch, "");
  }

  /**
   * The intended decisions for which there is no room, the newest first: the maximum or the price
   * limit was lowered since, or workers were started manually.
   */
  List<Decision> excess(List<Decision> intended, Boots booting, Census workers) {
    int over = -Math.min(room(booting, workers), affordable(booting, workers));
    List<Decision> excess = new ArrayList<>();
    for (Decision decision : intended.reversed()) {
      if (over > 0) {
        excess.add(decision);
        over -= decision.count();
      }
    }
    return excess;
  }

  /** The number of workers for which there is room; below 0 if there are too many. */
  private int room(Boots booting, Census workers) {
    return settings.max() - workers.live() - booting.booting() - lifeless(booting, workers);
  }

  /** The number of instances that still exist and of which no worker is expected any more. */
  static int lifeless(Boots booting, Census workers) {
    return booting.ending() + workers.strays();
  }

  /** The number of workers for which there is room according to the price limit. */
  private int affordable(Boots booting, Census workers) {
    int comingOrGoing = booting.booting() + lifeless(booting, workers);
    return affordable(workers.usdPerHour() + comingOrGoing * settings.usdPerHour(), settings);
  }

  /**
   * How many more workers the price limit allows; below 0 if there are too many. Each is assumed to
   * cost as much as the most expensive type.
   *
   * @param usdPerHour the price of the workers that are already paid for
   */
  static int affordable(double usdPerHour, ProvisioningSettings settings) {
    if (settings.usdPerHour() <= 0 || Double.isInfinite(settings.maxHourly())) {
      return Integer.MAX_VALUE;
    }
    double left = settings.maxHourly() - usdPerHour;
    double most = Math.floor(left / settings.usdPerHour() + 1e-9);
    return (int) Math.clamp(most, -Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** No launch for the current delay, which is 0 if there is none. */
  private Allowed wait(Moment now) {
    if (refusals.remaining(now) > 0) {
      return new Allowed(
          0, "the launcher refused (%s)".formatted(refusals.last()), refusals.remaining(now));
    }
    if (boots.remaining(now) > 0) {
      String failed =
          "the last %s (%s)"
              .formatted(
                  boots.failures() == 1 ? "launch failed" : boots.failures() + " launches failed",
                  lastFailure.words());
      return new Allowed(0, failed, boots.remaining(now));
    }
    if (vain.remaining(now) > 0) {
      String ended =
          "%s came up and ended without completing a task, although %s"
              .formatted(
                  vain.failures() == 1
                      ? "the last worker"
                      : "the last " + vain.failures() + " launches of workers",
                  work ? "work is waiting" : "the minimum is not reached");
      return new Allowed(0, ended, vain.remaining(now));
    }
    long cool = lastLaunch == Long.MIN_VALUE ? 0 : lastLaunch + settings.cooldown() - now.service();
    return new Allowed(0, "the cool-down has not ended", Math.max(0, cool));
  }
}
