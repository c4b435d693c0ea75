package io.cloudkon.client.explain;

import io.cloudkon.client.status.HpcStatus;
import io.cloudkon.client.status.HpcText;
import io.cloudkon.client.status.ProvisionerText;
import io.cloudkon.client.status.Say;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.gang.GangSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Explains which slots an HPC job lacks, and which jobs have them. */
final class SlotReasons {
  /** The maximum number of workers, and of gangs, that are named. */
  static final int NAMED = 8;

  private final RunSnapshot facts;
  private final HpcStatus hpc;

  SlotReasons(RunSnapshot facts) {
    this.facts = facts;
    this.hpc = facts.hpc();
  }

  /** Whether no live worker takes HPC jobs. */
  boolean nobodyTakes() {
    return hpc.workers(facts.nowMillis()).isEmpty();
  }

  /** Says that no worker takes HPC jobs, and what to do. */
  String nobody() {
    if (!hpc.missing().isEmpty()) {
      return HpcText.missing(facts.cluster(), hpc);
    }
    if (facts.provisioner().live().isPresent()) {
      return "No live worker takes HPC jobs; " + facts.help(true);
    }
    return facts.taking().isEmpty()
        ? new QueueReasons(facts).nobody()
        : ProvisionerText.startForJobs(facts.cluster());
  }

  /** Says what is in the queue of jobs. */
  String queue() {
    long waiting = hpc.jobsInQueue();
    String queue = Names.hpc(facts.cluster());
    return waiting == 0
        ? "No job is left in queue %s: across all runs, workers hold %s"
            .formatted(queue, Say.count(hpc.jobs().inFlight(), "job"))
        : "Across all runs, %s %s in queue %s, and workers hold %s; a worker that holds the maximum number of waiting jobs takes no more"
            .formatted(
                Say.count(waiting, "job"),
                waiting == 1 ? "is waiting" : "are waiting",
                queue,
                Say.number(hpc.jobs().inFlight()));
  }

  /**
   * Says that a job has more ranks than there are slots, or can be; empty if there are enough now.
   */
  List<String> tooLarge(int ranks) {
    int slots = hpc.slots(facts.nowMillis());
    int most = facts.provisioner().slotsForJobs();
    if (ranks <= slots) {
      return List.of();
    }
    String has =
        "It has %s, but the live workers that take HPC jobs have %s in total"
            .formatted(Say.count(ranks, "rank"), Say.count(slots, "slot"));
    if (ranks <= most) {
      return List.of("%s; %s.".formatted(has, facts.help(true)));
    }
    return List.of(
        "%s%s: unless its worker was started with --max-ranks %d or more, it becomes FAILED after live workers have had too few slots for about 20 s."
            .formatted(has, most == 0 ? "" : atMost(most), ranks));
  }

  /** How many slots there can be with launched workers, and what keeps more from being launched. */
  private String atMost(int most) {
    return facts
        .provisioner()
        .refusedLaunches()
        .map(refusal ->
            ", or at most %s with those that are booting, and the launcher has refused more workers for too long (%s)"
                .formatted(Say.count(most, "slot"), refusal))
        .orElseGet(() ->
            ", or at most %s with the workers that the provisioner may launch%s"
                .formatted(Say.count(most, "slot"), bounds(most)));
  }

  /** The options of the provisioner that bound its fleet, in brackets. */
  private String bounds(int most) {
    return facts
        .provisioner()
        .live()
        .map(ProvisionerEntry::settings)
        .map(of ->
            " (--max %d, --worker-slots %d%s)"
                .formatted(
                    of.max(),
                    of.slots(),
                    (long) of.max() * of.slots() == most ? "" : " and --max-hourly"))
        .orElse("");
  }

  /** Says which workers and gangs have the slots, and how many are free for a job of this size. */
  List<String> slots(String job, int ranks) {
    long now = facts.nowMillis();
    List<Share> workers = hpc.workers(now);
    List<Share> gangs = hpc.gangs();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s of %s %s in no gang%s%s."
            .formatted(
                Say.number(hpc.free()),
                Say.count(hpc.slots(now), "slot"),
                hpc.free() == 1 ? "is" : "are",
                kept(job),
                lacks(job, ranks)));
    lines.add(
        "Slots by worker: %s."
            .formatted(named(workers, share -> "%s %d".formatted(share.id(), share.slots()))));
    if (!gangs.isEmpty()) {
      lines.add("Slots by gang: %s.".formatted(named(gangs, this::gang)));
    }
    return lines;
  }

  private String gang(Share gang) {
    return "%s %d (manager %s, first job %s%s)"
        .formatted(
            HpcText.shortId(gang),
            gang.slots(),
            gang.owner(),
            gang.job(),
            HpcStatus.lives(gang.leaseEnd(), facts.nowMillis()) ? "" : ", its manager died");
  }

  /** Names some of these, and says how many more there are. */
  static <T> String named(List<T> all, Function<T, String> name) {
    String more =
        all.size() <= NAMED ? "" : ", and %s more".formatted(Say.number(all.size() - NAMED));
    return all.stream().limit(NAMED).map(name).collect(Collectors.joining(", ")) + more;
  }

  /** Says how many of the free slots are promised to another job before this one. */
  private String kept(String job) {
    int promised = promised(job);
    if (promised == 0) {
      return "";
    }
    String which =
        promised < hpc.free()
            ? ", %s of them".formatted(Say.number(promised))
            : promised == 1 ? " and is" : ", all of them";
    return "%s reserved for job %s".formatted(which, another(job).orElseThrow().job());
  }

  /**
   * The number of free slots promised to another job; those that it still lacks do not count yet.
   */
  private int promised(String job) {
    return another(job)
        .filter(reservation -> !reservation.admitted())
        .map(reservation -> Math.min(reservation.ranks(), hpc.free()))
        .orElse(0);
  }

  private String lacks(String job, int ranks) {
    int lacks = ranks - (hpc.free() - promised(job));
    return lacks <= 0
        ? ": enough, unless tasks are running on them"
        : "; the job needs %s more".formatted(Say.number(lacks));
  }

  private Optional<Reservation> another(String job) {
    return hpc.reservation(facts.nowMillis()).filter(reservation -> !reservation.job().equals(job));
  }

  /** Says whether and when slots are kept empty for a waiting job. */
  String patience(Waiting job) {
    long now = facts.nowMillis();
    Optional<Reservation> reservation = hpc.reservation(now);
    if (reservation.isPresent()) {
      return reservation.get().job().equals(job.job())
          ? "Slots that become free are reserved for it: %s."
              .formatted(HpcText.held(reservation.get()))
          : "Slots that become free are reserved for job %s, then for the job that has waited longest: %s."
              .formatted(reservation.get().job(), HpcText.held(reservation.get()));
    }
    long left = GangSettings.PATIENCE_MILLIS - (now - job.since());
    String patience = Say.span(GangSettings.PATIENCE_MILLIS);
    return left > 0
        ? "If it is still waiting after another %s and no job has waited longer, slots that become free are reserved for it: the patience is %s (worker --gang-patience)."
            .formatted(Say.span(left + 999), patience)
        : "The patience (%s by default) is over: within seconds, slots that become free are reserved for it, or for a job that has waited longer."
            .formatted(patience);
  }
}
