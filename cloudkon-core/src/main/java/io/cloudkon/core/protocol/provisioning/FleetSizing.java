package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.List;

/**
 * Measures how many workers a workload lacks: for the minimum, by the policy, and for the widest
 * gang. Used once.
 */
final class FleetSizing {
  /** So that work that divides evenly does not ask for one more. */
  private static final double ROUNDING = 1e-6;

  private final FleetWorkload load;
  private final List<WorkerEntry> working;
  private final int booting;
  private final int reachable;
  private final ProvisioningSettings settings;
  private final long taskSlots;
  private final long jobSlots;
  private long missing;
  private long needed;
  private String why = "";

  /**
   * A measurement.
   *
   * @param reachable the most slots that jobs can get
   */
  FleetSizing(
      FleetWorkload load,
      List<WorkerEntry> working,
      int booting,
      int reachable,
      ProvisioningSettings settings) {
    this.load = load;
    this.working = working;
    this.booting = booting;
    this.reachable = reachable;
    this.settings = settings;
    this.taskSlots =
        slots(false) + (settings.takes().tasks() ? (long) booting * settings.slots() : 0);
    this.jobSlots = slots(true) + (settings.takes().jobs() ? (long) booting * settings.slots() : 0);
  }

  private long slots(boolean job) {
    return working.stream()
        .filter(worker -> serves(worker, job) && (job || startsTasks(worker)))
        .mapToLong(WorkerEntry::slots)
        .sum();
  }

  private boolean serves(WorkerEntry worker, boolean job) {
    return (job ? load.jobKinds() : load.taskKinds())
        .stream().anyMatch(kinds -> WorkloadEstimate.serves(worker.takes(), kinds, job));
  }

  private boolean startsTasks(WorkerEntry worker) {
    return !load.occupied().contains(worker.id());
  }

  private void minimum() {
    if (settings.min() > 0) {
      asks(settings.min(), settings.min() - present());
    }
  }

  private void work(long grown) {
    if (!load.any()) {
      return;
    }
    boolean served = served(false) && served(true);
    if (served) {
      asks(1, 0);
    } else {
      // Nothing that lives or boots may take some of it, or is free to.
      asks(present() + 1, 1);
    }
    switch (settings.policy()) {
      case Policy.DrainTime drain -> drain(drain.target(), served);
      case Policy.Growth growth -> growth(growth, grown, served);
    }
    if (!served && !load.occupied().isEmpty() && missing <= 1) {
      why = DemandWords.behindGangs(load);
    }
  }

  /** Whether each run's work can be taken on by something that lives or boots. */
  private boolean served(boolean job) {
    return booting > 0
        || (job ? load.jobKinds() : load.taskKinds())
            .stream()
                .allMatch(kinds ->
                    working.stream()
                        .filter(one -> job || startsTasks(one))
                        .anyMatch(one -> WorkloadEstimate.serves(one.takes(), kinds, job)));
  }

  private void drain(long target, boolean served) {
    if (!load.timed()) {
      why = DemandWords.untimed(load, !served);
      return;
    }
    double slots = Math.min(load.slotMillis() / target, load.mostSlots());
    long have = Math.max(taskSlots, jobSlots);
    long more = workers(slots - have);
    long all = more > 0 ? present() + more : Math.max(1, shrunk(slots, have));
    asks(all, more);
    why =
        load.slotMillis() / target > load.mostSlots()
            ? DemandWords.slow(load, all, target)
            : DemandWords.timed(load, all, target);
  }

  private long workers(double slots) {
    return slots <= 0 ? 0 : (long) Math.ceil(slots / settings.slots() - ROUNDING);
  }

  /** Workers of the size that the fleet has on average. */
  private long shrunk(double slots, long have) {
    return have == 0 ? 0 : (long) Math.ceil(slots * present() / have - ROUNDING);
  }

  private void growth(Policy.Growth growth, long grown, boolean served) {
    if (grown > growth.threshold()) {
      asks(present() + growth.step(), growth.step());
      why = DemandWords.grown(load, grown);
    } else {
      asks(Math.max(1, present()), 0);
      why = served ? DemandWords.steady(load, growth.threshold()) : DemandWords.unserved(load);
    }
  }

  private void gangs() {
    long most = Math.max(jobSlots, reachable);
    long widest = widest(0, most);
    if (widest > jobSlots) {
      long more = workers(widest - jobSlots);
      why = more > missing ? DemandWords.gang(widest, present() + more) : why;
      asks(present() + more, more);
    } else if (widest > 0 && load.tasks() == 0 && !load.timed()) {
      // Its workers are there, or boot.
      long all = Math.min(present(), workers(widest));
      why = DemandWords.gang(widest, all);
      asks(all, 0);
    }
    long tooWide = widest(most, Long.MAX_VALUE);
    if (tooWide > 0) {
      why += (why.isEmpty() ? "" : "; ") + DemandWords.tooWide(tooWide, most);
    }
  }

  /** The widest job of more ranks than one limit, and not more than the other; 0 if none is. */
  private long widest(long above, long most) {
    return load.widths().stream()
        .mapToLong(Integer::longValue)
        .filter(ranks -> ranks > above && ranks <= most)
        .max()
        .orElse(0);
  }

  private int present() {
    return working.size() + booting;
  }

  private void asks(long workers, long more) {
    needed = Math.max(needed, workers);
    missing = Math.max(missing, more);
  }

  /**
   * Measures what is missing.
   *
   * @param grown messages by which the queues grew since the last look; {@link Policy.Growth} only
   */
  FleetDemand demand(long grown) {
    minimum();
    work(grown);
    gangs();
    why = why.isEmpty() ? DemandWords.nothing(settings.min()) : why;
    long possible = Math.min(missing, Integer.MAX_VALUE);
    return new FleetDemand((int) possible, (int) Math.min(settings.max(), needed), why);
  }
}
