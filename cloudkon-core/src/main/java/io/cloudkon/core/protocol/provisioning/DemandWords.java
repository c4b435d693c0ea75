package io.cloudkon.core.protocol.provisioning;

/** Clauses that explain the target size of a fleet. */
final class DemandWords {
  private DemandWords() {}

  static String nothing(int min) {
    return min == 0
        ? "nothing waits"
        : "nothing waits; the minimum is %s".formatted(FleetWording.count(min, "worker"));
  }

  /** The work that has no result yet, whether it runs or waits. */
  static String unfinished(FleetWorkload load) {
    String tasks = FleetWording.count(load.tasks(), "task");
    String jobs = FleetWording.count(load.jobs(), "HPC job");
    String all = load.jobs() == 0 ? tasks : load.tasks() == 0 ? jobs : tasks + " and " + jobs;
    return all + (load.tasks() + load.jobs() == 1 ? " is unfinished" : " are unfinished");
  }

  /** The reason for an additional worker when all slots that serve tasks are in use. */
  static String behindGangs(FleetWorkload load) {
    return "%s, and HPC jobs have had all slots for %s: one more worker is wanted"
        .formatted(unfinished(load), FleetWording.duration(GangWorkers.LEAST_MILLIS));
  }

  static String untimed(FleetWorkload load, boolean starts) {
    if (load.spare()) {
      return unfinished(load)
          + " according to the queue, but workers have free slots, so no more workers are wanted";
    }
    boolean one = load.tasks() + load.jobs() == 1;
    return "%s; how long %s will take is not known yet, so %s"
        .formatted(
            unfinished(load),
            one ? "it" : "they",
            starts ? "one worker is wanted at first" : "no more workers are wanted");
  }

  /** The reason if no live or booting worker may take some of the work. */
  static String unserved(FleetWorkload load) {
    return unfinished(load) + ", but no live or booting worker takes that";
  }

  static String timed(FleetWorkload load, long workers, long target) {
    return "%s, about %s of work: %s would empty the backlog within %s"
        .formatted(
            unfinished(load),
            FleetWording.duration(load.slotMillis()),
            FleetWording.count(workers, "worker"),
            FleetWording.duration(target));
  }

  /** The reason if more slots would be of no use although the tasks take too long. */
  static String slow(FleetWorkload load, long workers, long target) {
    return "%s, about %s of work: %s %s slots for all at the same time, and one alone takes longer than %s"
        .formatted(
            unfinished(load),
            FleetWording.duration(load.slotMillis()),
            FleetWording.count(workers, "worker"),
            workers == 1 ? "has" : "have",
            FleetWording.duration(target));
  }

  static String grown(FleetWorkload load, long messages) {
    return "the queues grew by %s to %s"
        .formatted(
            FleetWording.count(messages, "message"),
            FleetWording.count(load.messages(), "message"));
  }

  /** The reason if the queues grew earlier, and the workers for it could not be launched then. */
  static String stepMissing(FleetWorkload load, long workers) {
    return "%s; %s of the last step %s still missing"
        .formatted(
            unfinished(load), FleetWording.count(workers, "worker"), workers == 1 ? "is" : "are");
  }

  static String steady(FleetWorkload load, long threshold) {
    return "%s; the queues did not grow by more than %s"
        .formatted(unfinished(load), FleetWording.count(threshold, "message"));
  }

  static String gang(long ranks, long workers) {
    return "a job of %s needs %s at the same time"
        .formatted(FleetWording.count(ranks, "rank"), FleetWording.count(workers, "worker"));
  }

  static String tooWide(long ranks, long slots, ProvisioningSettings settings) {
    return "a job of %s is larger than the fleet may be (%s with --max %d%s): a worker refuses it"
        .formatted(
            FleetWording.count(ranks, "rank"),
            FleetWording.count(slots, "slot"),
            settings.max(),
            Double.isFinite(settings.maxHourly()) ? " and --max-hourly" : "");
  }
}
