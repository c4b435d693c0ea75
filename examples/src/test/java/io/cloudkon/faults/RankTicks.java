package io.cloudkon.faults;

import io.cloudkon.core.handler.RankHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** HPC jobs whose ranks leave a line in a file now and then, and what is found there. */
final class RankTicks {
  private static final int TICKS = 5;
  private static final int MILLIS = 40;

  /** A rank for which nobody opens the gate ends after these. */
  private static final int MOST_TICKS = 600;

  private final Path file;
  private final Path handlers;

  /** In this folder, which also gets the handler's jar. */
  RankTicks(Path folder) {
    file = folder.resolve("ticks.txt");
    handlers = folder.resolve("handlers");
    HandlerJar.write(handlers.resolve("ticks.jar"), RankHandler.class, RankTicksHandler.class);
  }

  /** What a worker needs as {@code --handlers}. */
  String handlers() {
    return handlers.toString();
  }

  /** A job of {@code java} ranks; all ranks of one attempt write the same name. */
  String java(int job, int ranks) {
    return "hpc %d java ticks %s %d %d %d".formatted(ranks, file, job, TICKS, MILLIS);
  }

  /** A job of commands; each writes its own process id for the attempt. */
  String exec(int job, int ranks) {
    return "hpc %d exec for i in $(seq %d); do %s; sleep 0.0%d; done"
        .formatted(ranks, TICKS, line(job), MILLIS);
  }

  /** The same, but each rank goes on until this file exists, and two seconds more. */
  String exec(int job, int ranks, Path until) {
    return "hpc %d exec left=20; for i in $(seq %d); do %s; sleep 0.1; [ -e %s ] && left=$((left-1)); [ $left -gt 0 ] || exit 0; done"
        .formatted(ranks, MOST_TICKS, line(job), until);
  }

  private String line(int job) {
    return "echo %d $$ $CLOUDKON_RANK $(date +%%s%%N) >> %s".formatted(job, file);
  }

  /** From the first line of something to its last. */
  record Span(String what, long from, long to) {
    private Span with(long time) {
      return new Span(what, Math.min(from, time), Math.max(to, time));
    }
  }

  /** How many different attempts of how many ranks were seen. */
  int attempts() {
    return spans(true).values().stream().mapToInt(Map::size).sum();
  }

  /** How often the rank that was tried most often was tried. */
  int mostTries() {
    return spans(true).values().stream().mapToInt(Map::size).max().orElse(0);
  }

  /** Pairs of attempts of the same rank that ran at the same time. */
  List<String> overlapsOfRanks() {
    return overlaps(spans(true));
  }

  /** Pairs of attempts of the same job that ran at the same time, whatever their ranks. */
  List<String> overlapsOfJobs() {
    List<String> found = overlaps(spans(false));
    found.addAll(ranksTwiceInAStretch());
    return found;
  }

  private static List<String> overlaps(Map<String, Map<String, Span>> spans) {
    List<String> found = new ArrayList<>();
    spans.forEach((of, attempts) -> {
      List<Span> all = List.copyOf(attempts.values());
      for (int i = 0; i < all.size(); i++) {
        for (int j = i + 1; j < all.size(); j++) {
          if (all.get(i).from() <= all.get(j).to() && all.get(j).from() <= all.get(i).to()) {
            found.add("%s: %s and %s".formatted(of, all.get(i), all.get(j)));
          }
        }
      }
    });
    return found;
  }

  /**
   * Commands do not know their attempt. But an attempt has each rank once, and all of them at the
   * same time: so a rank that comes twice in one stretch of time, in which something of the job
   * always ran, is a second attempt that began while the first one ran, of whichever rank.
   */
  private List<String> ranksTwiceInAStretch() {
    Map<String, List<RankSpan>> jobs = new TreeMap<>();
    spans(true)
        .forEach((of, attempts) -> {
          String[] words = of.split(" rank ");
          attempts.values().stream()
              .filter(span -> !isJava(span.what()))
              .forEach(span ->
                  jobs.computeIfAbsent(words[0], job -> new ArrayList<>())
                      .add(new RankSpan(words[1], span)));
        });
    List<String> found = new ArrayList<>();
    jobs.forEach((job, ranks) -> found.addAll(ranksTwiceInAStretch(job, ranks)));
    return found;
  }

  private static List<String> ranksTwiceInAStretch(String job, List<RankSpan> ranks) {
    List<String> found = new ArrayList<>();
    ranks.sort(Comparator.comparingLong(rank -> rank.span().from()));
    Map<String, Span> stretch = new HashMap<>();
    long end = Long.MIN_VALUE;
    for (RankSpan next : ranks) {
      if (next.span().from() > end) {
        stretch.clear();
      }
      end = Math.max(end, next.span().to());
      Span before = stretch.put(next.rank(), next.span());
      if (before != null) {
        found.add(
            "%s: rank %s is %s and %s, and something of it always ran between"
                .formatted(job, next.rank(), before, next.span()));
      }
    }
    return found;
  }

  private record RankSpan(String rank, Span span) {}

  private static boolean isJava(String attempt) {
    return attempt.contains("-");
  }

  /** By job, or by job and rank, and by attempt; by job only {@code java} ones. */
  private Map<String, Map<String, Span>> spans(boolean byRank) {
    Map<String, Map<String, Span>> spans = new TreeMap<>();
    if (!Files.exists(file)) {
      return spans; // no rank has begun
    }
    try {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(" ");
        if (!byRank && !isJava(words[1])) {
          continue;
        }
        String of = "job " + words[0] + (byRank ? " rank " + words[2] : "");
        long time = Long.parseLong(words[3]);
        spans
            .computeIfAbsent(of, any -> new TreeMap<>())
            .compute(
                words[1],
                (attempt, span) -> span == null ? new Span(attempt, time, time) : span.with(time));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return spans;
  }
}
