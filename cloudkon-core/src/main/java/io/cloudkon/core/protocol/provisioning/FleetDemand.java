package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.List;

/**
 * How many workers are missing for a workload, whatever may forbid their launch. Pure.
 *
 * @param missing workers to launch
 * @param wanted workers that the fleet should have; at most the maximum
 * @param why in words, without a full stop
 */
record FleetDemand(int missing, int wanted, String why) {
  /** So that work that divides evenly does not ask for one more. */
  private static final double ROUNDING = 1e-6;

  /**
   * Measures what is missing.
   *
   * @param grown messages by which the queues grew since the last look; {@link Policy.Growth} only
   */
  static FleetDemand of(
      Workload load,
      List<WorkerEntry> working,
      int booting,
      long grown,
      ProvisioningSettings settings) {
    Sum sum = new Sum(load, working, booting, settings);
    sum.minimum();
    sum.work(grown);
    sum.gangs();
    return sum.demand();
  }

  private static final class Sum {
    private final Workload load;
    private final List<WorkerEntry> working;
    private final int booting;
    private final ProvisioningSettings settings;
    private final long taskSlots;
    private final long jobSlots;
    private long missing;
    private long needed;
    private String why = "";

    Sum(Workload load, List<WorkerEntry> working, int booting, ProvisioningSettings settings) {
      this.load = load;
      this.working = working;
      this.booting = booting;
      this.settings = settings;
      this.taskSlots =
          slots(false) + (settings.takes().tasks() ? (long) booting * settings.slots() : 0);
      this.jobSlots =
          slots(true) + (settings.takes().jobs() ? (long) booting * settings.slots() : 0);
    }

    private long slots(boolean job) {
      return working.stream()
          .filter(worker -> serves(worker, job))
          .mapToLong(WorkerEntry::slots)
          .sum();
    }

    private boolean serves(WorkerEntry worker, boolean job) {
      return (job ? load.jobKinds() : load.taskKinds())
          .stream().anyMatch(kinds -> WorkloadEstimate.serves(worker.takes(), kinds, job));
    }

    void minimum() {
      if (settings.min() > 0) {
        asks(settings.min(), settings.min() - present());
      }
    }

    void work(long grown) {
      if (!load.any()) {
        return;
      }
      if (served(false) && served(true)) {
        asks(1, 0);
      } else {
        // Nothing that lives or boots may take some of it.
        asks(present() + 1, 1);
      }
      switch (settings.policy()) {
        case Policy.DrainTime drain -> drain(drain.target());
        case Policy.Growth growth -> growth(growth, grown);
      }
    }

    /** Whether each run's work can be taken on by something that lives or boots. */
    private boolean served(boolean job) {
      return booting > 0
          || (job ? load.jobKinds() : load.taskKinds())
              .stream()
                  .allMatch(kinds ->
                      working.stream()
                          .anyMatch(one -> WorkloadEstimate.serves(one.takes(), kinds, job)));
    }

    private void drain(long target) {
      String waits = waits();
      if (!load.timed()) {
        why =
            waits
                + "; how long that takes is not known yet, so "
                + (present() == 0 ? "one worker starts" : "no more workers start");
        return;
      }
      double slots = Math.min(load.slotMillis() / target, load.mostSlots());
      long have = Math.max(taskSlots, jobSlots);
      long more = workers(slots - have);
      long all = more > 0 ? present() + more : Math.max(1, shrunk(slots, have));
      asks(all, more);
      why =
          "%s, about %s of work: %s %s it within %s"
              .formatted(
                  waits,
                  FleetWording.duration(load.slotMillis()),
                  FleetWording.count(all, "worker"),
                  all == 1 ? "empties" : "empty",
                  FleetWording.duration(target));
    }

    private long workers(double slots) {
      return slots <= 0 ? 0 : (long) Math.ceil(slots / settings.slots() - ROUNDING);
    }

    /** Workers of the size that the fleet has on average. */
    private long shrunk(double slots, long have) {
      return have == 0 ? 0 : (long) Math.ceil(slots * present() / have - ROUNDING);
    }

    private void growth(Policy.Growth growth, long grown) {
      String queue = FleetWording.count(load.messages(), "message");
      if (grown > growth.threshold()) {
        asks(present() + growth.step(), growth.step());
        why = "the queues grew by %s to %s".formatted(FleetWording.count(grown, "message"), queue);
      } else {
        asks(Math.max(1, present()), 0);
        why = waits() + "; the queues did not grow by more than " + growth.threshold();
      }
    }

    void gangs() {
      long most = Math.max(jobSlots, (long) settings.max() * settings.slots());
      long widest =
          load.widths().stream()
              .mapToLong(Integer::longValue)
              .filter(n -> n <= most)
              .max()
              .orElse(0);
      if (widest > jobSlots) {
        long more = workers(widest - jobSlots);
        if (more > missing) {
          why =
              "a job of %s needs %s at once"
                  .formatted(
                      FleetWording.count(widest, "rank"),
                      FleetWording.count(present() + more, "worker"));
        }
        asks(present() + more, more);
      }
      load.widths().stream()
          .mapToLong(Integer::longValue)
          .filter(n -> n > most)
          .max()
          .ifPresent(n ->
              why =
                  (why.isEmpty() ? "" : why + "; ")
                      + "a job of %s is wider than the fleet may be (%s): a worker refuses it"
                          .formatted(
                              FleetWording.count(n, "rank"), FleetWording.count(most, "slot")));
    }

    private String waits() {
      String tasks = FleetWording.count(load.tasks(), "task");
      String jobs = FleetWording.count(load.jobs(), "HPC job");
      if (load.jobs() == 0) {
        return tasks + ' ' + FleetWording.verb(load.tasks(), "wait");
      }
      return load.tasks() == 0
          ? jobs + ' ' + FleetWording.verb(load.jobs(), "wait")
          : tasks + " and " + jobs + " wait";
    }

    private int present() {
      return working.size() + booting;
    }

    private void asks(long workers, long more) {
      needed = Math.max(needed, workers);
      missing = Math.max(missing, more);
    }

    FleetDemand demand() {
      if (why.isEmpty()) {
        why =
            settings.min() > 0
                ? "nothing waits; %s stay as the minimum"
                    .formatted(FleetWording.count(settings.min(), "worker"))
                : "nothing waits";
      }
      long possible = Math.min(missing, Integer.MAX_VALUE);
      return new FleetDemand((int) possible, (int) Math.min(settings.max(), needed), why);
    }
  }
}
