package io.cloudkon.client.status;

import io.cloudkon.core.process.Launcher;
import io.cloudkon.core.protocol.capacity.Reservation;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats a cluster's HPC jobs for people; no lines if there are none. Stateless. */
public final class HpcText {
  private static final String GANGS = "%-8s %-34s %5s %-22s %7s";
  private static final String WAITING = "%-43s %5s %-22s %7s";

  private HpcText() {}

  /**
   * The lines.
   *
   * @param most the maximum number of gangs, and of waiting jobs, that are listed
   */
  static List<String> lines(ClusterStatus status, int most) {
    HpcStatus hpc = status.hpc();
    if (!hpc.missing().isEmpty()) {
      return List.of(missing(status.cluster(), hpc));
    }
    if (hpc.quiet()) {
      return List.of();
    }
    long now = status.atMillis();
    List<String> lines = new ArrayList<>();
    lines.add(sums(hpc, now));
    gangs(lines, hpc.gangs(), now, most);
    waiting(lines, hpc.waiting(now), now, most);
    hpc.reservation(now).ifPresent(reservation -> reservation(lines, reservation));
    return lines;
  }

  /** The message that the cluster is too old for HPC jobs, and what to do. */
  public static String missing(String cluster, HpcStatus hpc) {
    return "'%s' does not exist, so HPC jobs cannot run; add it with: %s setup -s %s"
        .formatted(hpc.missing(), Launcher.name(), cluster);
  }

  private static String sums(HpcStatus hpc, long now) {
    long ranks = hpc.ranks().waiting() + hpc.ranks().inFlight() + hpc.ranks().delayed();
    int slots = hpc.slots(now);
    return "HPC jobs: %s in queue, %s held by workers; %s%s"
        .formatted(
            Say.number(hpc.jobsInQueue()),
            Say.number(hpc.jobs().inFlight()),
            slots == 0
                ? "no live worker takes them"
                : "%s of %s in no gang".formatted(Say.number(hpc.free()), Say.count(slots, "slot")),
            ranks == 0 ? "" : "; %s offered".formatted(Say.count(ranks, "rank")));
  }

  private static void gangs(List<String> lines, List<Share> gangs, long now, int most) {
    if (gangs.isEmpty()) {
      return;
    }
    lines.add(row(GANGS, "GANG", "FIRST JOB", "RANKS", "MANAGER", "LEASE"));
    gangs.stream()
        .limit(most)
        .map(gang ->
            row(
                GANGS,
                shortId(gang),
                Say.cut(gang.job(), 34),
                Say.number(gang.slots()),
                Say.cut(gang.owner(), 22),
                lease(gang.leaseEnd(), now)))
        .forEach(lines::add);
    StatusText.more(lines, gangs.size() - most, "gang");
  }

  private static String lease(long leaseEnd, long now) {
    return HpcStatus.lives(leaseEnd, now) ? "live" : "over";
  }

  private static void waiting(List<String> lines, List<Waiting> jobs, long now, int most) {
    if (jobs.isEmpty()) {
      return;
    }
    lines.add(row(WAITING, "JOB THAT WAITS FOR SLOTS", "RANKS", "IN THE HANDS OF", "SINCE"));
    jobs.stream()
        .limit(most)
        .map(job ->
            row(
                WAITING,
                Say.cut(job.job(), 43),
                Say.number(job.ranks()),
                Say.cut(job.worker(), 22),
                Say.span(now - job.since())))
        .forEach(lines::add);
    StatusText.more(lines, jobs.size() - most, "job");
  }

  private static void reservation(List<String> lines, Reservation reservation) {
    lines.add("Slots are reserved for job %s:".formatted(reservation.job()));
    lines.add("  " + held(reservation));
  }

  /** How many slots of a reservation are held, and by whom. */
  public static String held(Reservation reservation) {
    if (reservation.admitted()) {
      return "it is admitted, and its gang of %d is filling".formatted(reservation.ranks());
    }
    String of = "%d of %d are held".formatted(reservation.heldInAll(), reservation.ranks());
    Map<String, Integer> by = new TreeMap<>(reservation.held());
    by.values().removeIf(slots -> slots == 0);
    return by.isEmpty()
        ? of
        : by.entrySet().stream()
            .map(entry -> "%d by %s".formatted(entry.getValue(), entry.getKey()))
            .collect(Collectors.joining(", ", of + ": ", ""));
  }

  /** The first characters of a gang's id, enough to distinguish gangs. */
  public static String shortId(Share gang) {
    return gang.id().substring(0, Math.min(8, gang.id().length()));
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static String row(String format, Object... cells) {
    return String.format(Locale.ROOT, format, cells).stripTrailing();
  }
}
