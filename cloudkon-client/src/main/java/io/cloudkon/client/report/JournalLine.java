package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.Confirmed;
import io.cloudkon.client.report.JournalEntry.Ended;
import io.cloudkon.client.report.JournalEntry.Moved;
import io.cloudkon.client.report.JournalEntry.ProvisionallyLost;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalEntry.Stored;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * Encodes journal entries as lines: a keyword, its fields, and a CRC-32C of everything before it,
 * separated by single spaces. Strings are URL-encoded; consecutive numbers are written as {@code
 * 5-9}. Stateless.
 */
final class JournalLine {
  /** The version of this format, in the run's header; a reader refuses others. */
  static final int VERSION = 3;

  /** Marks the end of what is shipped: it takes the place of a digest, which is longer. */
  private static final String COLLECT = "collect";

  private JournalLine() {}

  /** Encodes an entry as a line, without the line end. */
  static String encode(JournalEntry entry) {
    String fields =
        switch (entry) {
          case RunHeader run -> header(run);
          case BundleRange b ->
              "%s %d %d %d %d %d %d%s"
                  .formatted(
                      b.job() ? "job" : "bundle",
                      b.sequence(),
                      b.firstOrdinal(),
                      b.tasks(),
                      b.offset(),
                      b.line(),
                      b.submittedMicros(),
                      b.job() ? " " + b.ranks() : "");
          case Confirmed c ->
              "confirmed " + c.sendBegunMicros() + ' ' + c.sentMicros() + ranges(c.sequences());
          case Moved moved -> "moved " + URLEncoder.encode(moved.queue(), StandardCharsets.UTF_8);
          case Stored stored -> "stored";
          case ProvisionallyLost lost -> "lost" + ranges(lost.ordinals());
          case Ended ended -> "ended";
        };
    return fields + ' ' + checksum(fields);
  }

  /** Decodes a line; empty if it is not a whole line of a journal of this version. */
  static Optional<JournalEntry> decode(String line) {
    int end = line.lastIndexOf(' ');
    if (end < 0 || !checksum(line.substring(0, end)).equals(line.substring(end + 1))) {
      return Optional.empty();
    }
    String[] f = line.substring(0, end).split(" ", -1);
    try {
      return switch (f[0]) {
        case "run" -> Integer.parseInt(f[1]) == VERSION ? Optional.of(run(f)) : Optional.empty();
        case "bundle", "job" ->
            Optional.of(
                new BundleRange(
                    Integer.parseInt(f[1]),
                    Integer.parseInt(f[2]),
                    Integer.parseInt(f[3]),
                    Long.parseLong(f[4]),
                    Long.parseLong(f[5]),
                    Long.parseLong(f[6]),
                    f[0].equals("job") ? ranks(f) : 0));
        case "confirmed" ->
            Optional.of(new Confirmed(numbers(f, 3), Long.parseLong(f[1]), Long.parseLong(f[2])));
        case "moved" -> Optional.of(new Moved(URLDecoder.decode(f[1], StandardCharsets.UTF_8)));
        case "stored" -> Optional.of(new Stored());
        case "lost" -> Optional.of(new ProvisionallyLost(numbers(f, 1)));
        case "ended" -> Optional.of(new Ended());
        default -> Optional.empty();
      };
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** The number of ranks of a job; 1 if the journal is older and does not state it. */
  private static int ranks(String[] f) {
    return f.length > 7 ? Integer.parseInt(f[7]) : 1;
  }

  private static String header(RunHeader run) {
    List<Object> fields =
        new ArrayList<>(
            List.of(
                run.run(),
                run.epoch(),
                run.consistency(),
                run.claim(),
                run.clientId(),
                run.queue(),
                run.digest(),
                run.file(),
                run.tasks(),
                run.captureBytes(),
                run.timeoutMillis(),
                run.retries()));
    run.ships().forEach(ship -> fields.addAll(List.of(ship.sha256(), ship.bytes(), ship.name())));
    CollectRule collect = run.collect();
    if (!collect.equals(CollectRule.NONE)) {
      fields.addAll(List.of(COLLECT, collect.failed(), collect.maxBytes(), collect.maxFiles()));
      fields.addAll(collect.patterns());
    }
    return fields.stream()
        .map(field -> URLEncoder.encode(field.toString(), StandardCharsets.UTF_8))
        .collect(Collectors.joining(" ", "run " + VERSION + " ", ""));
  }

  private static RunHeader run(String[] f) {
    for (int i = 2; i < f.length; i++) {
      f[i] = URLDecoder.decode(f[i], StandardCharsets.UTF_8);
    }
    List<Content> ships = new ArrayList<>();
    int i = 14;
    for (; i < f.length && !f[i].equals(COLLECT); i += 3) {
      ships.add(new Content(f[i], Long.parseLong(f[i + 1]), f[i + 2]));
    }
    return new RunHeader(
        f[2],
        f[3],
        Consistency.valueOf(f[4]),
        ClaimScope.valueOf(f[5]),
        f[6],
        f[7],
        f[8],
        f[9],
        Long.parseLong(f[10]),
        Integer.parseInt(f[11]),
        Long.parseLong(f[12]),
        Integer.parseInt(f[13]),
        ships,
        i < f.length ? collect(f, i) : CollectRule.NONE);
  }

  private static CollectRule collect(String[] f, int i) {
    return new CollectRule(
        List.of(f).subList(i + 4, f.length),
        Boolean.parseBoolean(f[i + 1]),
        Long.parseLong(f[i + 2]),
        Integer.parseInt(f[i + 3]));
  }

  private static String ranges(List<Integer> numbers) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < numbers.size(); ) {
      int first = numbers.get(i);
      int last = first;
      while (++i < numbers.size() && numbers.get(i) == last + 1) {
        last++;
      }
      text.append(' ').append(first);
      if (last > first) {
        text.append('-').append(last);
      }
    }
    return text.toString();
  }

  private static List<Integer> numbers(String[] f, int from) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = from; i < f.length; i++) {
      int dash = f[i].indexOf('-');
      int first = Integer.parseInt(dash < 0 ? f[i] : f[i].substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(f[i].substring(dash + 1));
      for (int number = first; number <= last; number++) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static String checksum(String fields) {
    CRC32C crc = new CRC32C();
    crc.update(fields.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }
}
