package io.cloudkon.core.protocol.gang;

import io.cloudkon.core.protocol.gang.GangPhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One gang at its manager: who has which rank, who was heard of when, and what runs. */
final class Gang {
  private static final double WEIGHT = 0.3;

  final String id;
  final int size;
  private final GangSettings settings;
  private final @Nullable String[] seats;

  /** When each sub-worker was last answered; monotonic milliseconds. */
  private final Map<String, Long> heard = new LinkedHashMap<>();

  private final Set<String> lost = new HashSet<>();
  private final BitSet ended = new BitSet();

  /** Each job's attempts that it has served. */
  private final Set<String> served = new HashSet<>();

  GangPhase phase = GangPhase.TABLE.start();

  /** What it serves, or is to serve first. */
  @Nullable Job current;

  /** What it serves after that. */
  @Nullable Job next;

  /** What its ranks run, which may be taken from it before they end. */
  private String runs = "";

  private int attempt;
  private int failedRank = -1;

  /** The first that ended with others of its program. */
  private int endedRank = -1;

  private boolean anyKilled;

  /** What ended its ranks is that a worker of theirs leaves. */
  private boolean left;

  private boolean neverRan;
  boolean launchFailed;
  boolean offered;

  /** Others count on its slots, or a sub-worker leaves: it serves what it serves, and no more. */
  boolean last;

  /** The job whose reservation it was admitted by; empty if it was not. */
  String reservedFor = "";

  long deadline = Long.MAX_VALUE;
  long idleSince;
  private long servingSince;
  private double meanMillis = Double.NaN;

  Gang(String id, int size, GangSettings settings) {
    this.id = id;
    this.size = size;
    this.settings = settings;
    this.seats = new String[size];
  }

  // ---- seats

  /** Ranks of those asked for that are this sub-worker's from now on. */
  List<Integer> register(String worker, List<Integer> ranks, Moment now) {
    List<Integer> accepted = new ArrayList<>();
    if (phase == GangPhase.GONE || phase == GangPhase.BREAKING || lost.contains(worker)) {
      return accepted;
    }
    for (int rank : ranks) {
      if (rank < 0 || rank >= size) {
        continue;
      }
      boolean vacant = seats[rank] == null && phase == GangPhase.FORMING;
      if (vacant) {
        seats[rank] = worker;
      }
      if (worker.equals(seats[rank])) {
        accepted.add(rank);
      }
    }
    if (!accepted.isEmpty()) {
      heard.put(worker, now.mono());
    }
    if (phase == GangPhase.FORMING && vacant().isEmpty()) {
      move(Trigger.FULL);
      idleSince = now.mono();
    }
    return accepted;
  }

  List<Integer> vacant() {
    List<Integer> vacant = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      if (seats[rank] == null) {
        vacant.add(rank);
      }
    }
    return vacant;
  }

  /** A sub-worker's beat; false if it is none of this gang. */
  boolean beat(String worker, Moment now) {
    if (phase == GangPhase.GONE || lost.contains(worker)) {
      return false;
    }
    return heard.computeIfPresent(worker, (w, before) -> now.mono()) != null;
  }

  /** Every sub-worker. */
  List<String> workers() {
    return List.copyOf(heard.keySet());
  }

  /** Ranks by sub-worker. */
  Map<String, List<Integer>> ranks() {
    Map<String, List<Integer>> ranks = new TreeMap<>();
    for (int rank = 0; rank < size; rank++) {
      String worker = seats[rank];
      if (worker != null) {
        ranks.computeIfAbsent(worker, w -> new ArrayList<>()).add(rank);
      }
    }
    return ranks;
  }

  /** Whatever ran there has ended by now: it had no answer for half a lease, and some more. */
  private boolean gone(String worker, Moment now) {
    long last = heard.getOrDefault(worker, Long.MIN_VALUE / 2);
    return now.mono() - last > settings.silence() + settings.lease().margin();
  }

  /** Counts as lost whoever was not heard of for too long; says whether anybody was. */
  boolean loseSilent(Moment now) {
    boolean any = false;
    for (String worker : heard.keySet()) {
      any |= gone(worker, now) && lost.add(worker);
    }
    return any;
  }

  /** It could not be reached. */
  void lose(String worker) {
    if (heard.containsKey(worker)) {
      lost.add(worker);
    }
  }

  boolean anyLost() {
    return !lost.isEmpty();
  }

  // ---- what runs

  void serve(Job job, Moment now) {
    move(Trigger.SERVE);
    runs = job.id();
    attempt = job.machine.attempt();
    served.add(key(job));
    ended.clear();
    failedRank = -1;
    endedRank = -1;
    anyKilled = false;
    left = false;
    neverRan = false;
    launchFailed = false;
    servingSince = now.mono();
  }

  /**
   * Whether that attempt of the job ran here before: tried again, it needs another gang, as what a
   * sub-worker says of a rank's end does not tell one try from the next.
   */
  boolean hasServed(Job job) {
    return served.contains(key(job));
  }

  /** The job is in these hands no more: it does not come back under this attempt. */
  void forget(Job job) {
    served.remove(key(job));
  }

  private static String key(Job job) {
    return job.id() + '#' + job.machine.attempt();
  }

  /** The job whose ranks run, or ran last. */
  String runs() {
    return runs;
  }

  int attempt() {
    return attempt;
  }

  /**
   * A rank has ended; says whether it is the first for which the others are to end.
   *
   * @param leaving whether its worker drains
   */
  boolean ended(GangEvent.Ended end, boolean leaving) {
    if (!end.job().equals(runs) || end.attempt() != attempt || end.rank() >= size) {
      return false;
    }
    ended.set(end.rank());
    return switch (end.how()) {
      case WELL -> false;
      case FAILED -> {
        boolean first = failedRank < 0;
        if (first) {
          failedRank = end.rank();
        }
        yield first;
      }
      case ENDED -> {
        boolean first = endedRank < 0;
        if (first) {
          endedRank = end.rank();
        }
        yield first;
      }
      case KILLED, LEFT -> {
        boolean first = !anyKilled;
        left |= first && failedRank < 0 && (leaving || end.how() == GangEvent.How.LEFT);
        anyKilled = true;
        yield first;
      }
    };
  }

  /** No sub-worker was told to start anything, or will be. */
  void nothingRuns() {
    neverRan = true;
    ended.set(0, size);
  }

  /** No rank of what it served last ever began. */
  boolean neverRan() {
    return neverRan;
  }

  /** What ended its ranks is that a worker of theirs leaves: nobody died. */
  boolean left() {
    return left;
  }

  /**
   * The rank that failed first, or else was ended first with others of its program; -1 if none was,
   * or if what ended them is that a worker leaves.
   */
  int failedRank() {
    if (left) {
      return -1;
    }
    return failedRank >= 0 ? failedRank : endedRank;
  }

  /** Every rank ended well. */
  boolean complete() {
    return ended.cardinality() == size
        && failedRank < 0
        && endedRank < 0
        && !anyKilled
        && !neverRan
        && !launchFailed;
  }

  /** Whether a rank was ended by its worker. */
  boolean anyKilled() {
    return anyKilled;
  }

  /** Nothing of it runs any more. */
  boolean allEnded(Moment now) {
    for (int rank = 0; rank < size; rank++) {
      String worker = seats[rank];
      if (!ended.get(rank) && worker != null && !(lost.contains(worker) && gone(worker, now))) {
        return false;
      }
    }
    return true;
  }

  boolean running() {
    return switch (phase) {
      case SERVING, STOPPING, BREAKING -> true;
      case FORMING, STANDING, GONE -> false;
    };
  }

  /** It stands again. */
  void served(Moment now) {
    long took = now.mono() - servingSince;
    meanMillis = Double.isNaN(meanMillis) ? took : meanMillis + WEIGHT * (took - meanMillis);
    idleSince = now.mono();
  }

  /** What was to come next comes before whatever has come since. */
  void promote() {
    if (phase == GangPhase.STANDING && current == null) {
      current = next;
      next = null;
    }
  }

  /** Whether what it runs is likely to be over before another manager could serve the next. */
  boolean soonFree(Moment now, long within) {
    return phase == GangPhase.SERVING && meanMillis < within && now.mono() - servingSince < within;
  }

  @Override
  public String toString() {
    return "%s %s of %d, %s, ended %s".formatted(id, phase, size, ranks(), ended);
  }

  void move(Trigger trigger) {
    phase = GangPhase.TABLE.next(phase, trigger);
  }
}
