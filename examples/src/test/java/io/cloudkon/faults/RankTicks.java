package io.cloudkon.faults;

import io.cloudkon.core.handler.RankHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** HPC jobs whose ranks leave a line in a file now and then, and what is found there. */
final class RankTicks {
  private static final int TICKS = 5;
  private static final int MILLIS = 40;

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
    return "hpc %d exec for i in $(seq %d); do echo %d $$ $CLOUDKON_RANK $(date +%%s%%N) >> %s; sleep 0.0%d; done"
        .formatted(ranks, TICKS, job, file, MILLIS);
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

  /** Pairs of attempts of the same rank that ran at the same time. */
  List<String> overlapsOfRanks() {
    return overlaps(spans(true));
  }

  /** Pairs of attempts of the same job that ran at the same time; of {@code java} jobs only. */
  List<String> overlapsOfJobs() {
    return overlaps(spans(false));
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

  /** By job, or job and rank, and by attempt. */
  private Map<String, Map<String, Span>> spans(boolean byRank) {
    Map<String, Map<String, Span>> spans = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        String[] words = line.split(" ");
        boolean java = words[1].contains("-");
        if (!byRank && !java) {
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
