package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings.Policy;
import java.util.List;

/**
 * Computes how many workers are missing for a workload: for the minimum, by the policy, and for the
 * widest gang. Used once.
 */
final class FleetSizing {
  /** Prevents that work that divides evenly requires one more worker. */
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
   * A new computation.
   *
   * @param bootingSlots the slots of the booting workers
   * @param reachable the maximum number of slots that jobs can get
   */
  FleetSizing(
      FleetWorkload load,
      List<WorkerEntry> working,
      int booting,
      long bootingSlots,
      int reachable,
      ProvisioningSettings settings) {
    this.load = load;
    this.working = working;
    this.booting = booting;
    this.reachable = reachable;
    this.settings = settings;
    this.taskSlots = slots(false) + (settings.takes().tasks() ? bootingSlots : 0);
    this.jobSlots = slots(true) + (settings.takes().jobs() ? bootingSlots : 0);
  }

  private long slots(boolean job) {
    return working.stream()
        .filter(worker -> serves(worker, job) && (job || startsTasks(worker)))
        .mapToLong(WorkerEntry::slots)
        .sum();
  }

  private boolean serves(WorkerEntry worker, boolean job) {
    return (job ? load.jobKinds() : load.taskKinds())
        .stream().anyMatch(kinds -> worker.takes().serves(kinds, job));
  }

  private boolean startsTasks(WorkerEntry worker) {
    return !load.occupied().contains(worker.id());
  }

  private void minimum() {
    if (settings.min() > 0) {
      asks(settings.min(), settings.min() - present());
    }
  }

  private void work(QueueGrowth.Grown grown) {
    if (!load.any()) {
      return;
    }
    boolean served = served(false) && served(true);
    if (served) {
      asks(1, 0);
    } else {
      // No live or booting worker may take some of it, or is free to do so.
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

  /** Whether a live or booting worker can take each run's work. */
  private boolean served(boolean job) {
    return booting > 0
        || (job ? load.jobKinds() : load.taskKinds())
            .stream()
                .allMatch(kinds ->
                    working.stream()
                        .filter(one -> job || startsTasks(one))
                        .anyMatch(one -> one.takes().serves(kinds, job)));
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

  /**
   * The minimum number of workers with so many slots. If all of them may turn out to be of the
   * largest type, no more are launched before their types are known.
   */
  private long workers(double slots) {
    return slots <= 0 ? 0 : (long) Math.ceil(slots / settings.mostSlots() - ROUNDING);
  }

  /** The number of workers of the fleet's average size. */
  private long shrunk(double slots, long have) {
    return have == 0 ? 0 : (long) Math.ceil(slots * present() / have - ROUNDING);
  }

  private void growth(Policy.Growth growth, QueueGrowth.Grown grown, boolean served) {
    if (grown.missing() > 0) {
      asks(present() + grown.missing(), grown.missing());
      why =
          grown.messages() > growth.threshold()
              ? DemandWords.grown(load, grown.messages())
              : DemandWords.stepMissing(load, grown.missing());
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
      // Its workers are live or booting.
      long all = (long) Math.ceil((double) widest * takers() / jobSlots - ROUNDING);
      why = DemandWords.gang(widest, all);
      asks(all, 0);
    }
    long tooWide = widest(most, Long.MAX_VALUE);
    if (tooWide > 0) {
      why += (why.isEmpty() ? "" : "; ") + DemandWords.tooWide(tooWide, most, settings);
    }
  }

  /** The number of live and booting workers whose slots jobs can get. */
  private long takers() {
    return working.stream().filter(worker -> serves(worker, true)).count()
        + (settings.takes().jobs() ? booting : 0);
  }

  /**
   * The widest job with more ranks than the first limit and not more than the second; 0 if there is
   * none.
   */
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
   * Computes the number of missing workers.
   *
   * @param grown the growth of the queues; for {@link Policy.Growth} only
   */
  FleetDemand demand(QueueGrowth.Grown grown) {
    minimum();
    work(grown);
    gangs();
    why = why.isEmpty() ? DemandWords.nothing(settings.min()) : why;
    long possible = Math.min(missing, Integer.MAX_VALUE);
    return new FleetDemand((int) possible, (int) Math.min(settings.max(), needed), why);
  }
}
