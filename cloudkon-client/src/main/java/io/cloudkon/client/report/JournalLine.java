package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.Confirmed;
import io.cloudkon.client.report.JournalEntry.Ended;
import io.cloudkon.client.report.JournalEntry.ProvisionallyLost;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.core.model.Consistency;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Journal entries as lines: a word, its fields, and a CRC-32C of all before it, set apart by single
 * spaces. Strings are URL-encoded, numbers that follow each other are written as {@code 5-9}.
 * Stateless.
 */
final class JournalLine {
  /** Of this format, in its first line; a reader refuses others. */
  static final int VERSION = 1;

  private JournalLine() {}

  /** The line, without its end. */
  static String encode(JournalEntry entry) {
    String fields =
        switch (entry) {
          case RunHeader run ->
              Stream.of(
                      run.run(),
                      run.epoch(),
                      run.consistency().name(),
                      run.clientId(),
                      run.queue(),
                      run.digest(),
                      run.file())
                  .map(field -> URLEncoder.encode(field, StandardCharsets.UTF_8))
                  .collect(Collectors.joining(" ", "run " + VERSION + " ", ""));
          case BundleRange b ->
              "bundle %d %d %d %d %d %d %d"
                  .formatted(
                      b.sequence(),
                      b.firstOrdinal(),
                      b.tasks(),
                      b.offset(),
                      b.line(),
                      b.submittedMicros(),
                      b.sendBegunMicros());
          case Confirmed confirmed -> "confirmed" + ranges(confirmed.sequences());
          case ProvisionallyLost lost -> "lost" + ranges(lost.ordinals());
          case Ended ended -> "ended";
        };
    return fields + ' ' + checksum(fields);
  }

  /** The entry; empty if this is not a whole line of a journal of this version. */
  static Optional<JournalEntry> decode(String line) {
    int end = line.lastIndexOf(' ');
    if (end < 0 || !checksum(line.substring(0, end)).equals(line.substring(end + 1))) {
      return Optional.empty();
    }
    String[] f = line.substring(0, end).split(" ", -1);
    try {
      return switch (f[0]) {
        case "run" -> Integer.parseInt(f[1]) == VERSION ? Optional.of(run(f)) : Optional.empty();
        case "bundle" ->
            Optional.of(
                new BundleRange(
                    Integer.parseInt(f[1]),
                    Integer.parseInt(f[2]),
                    Integer.parseInt(f[3]),
                    Long.parseLong(f[4]),
                    Long.parseLong(f[5]),
                    Long.parseLong(f[6]),
                    Long.parseLong(f[7])));
        case "confirmed" -> Optional.of(new Confirmed(numbers(f)));
        case "lost" -> Optional.of(new ProvisionallyLost(numbers(f)));
        case "ended" -> Optional.of(new Ended());
        default -> Optional.empty();
      };
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static RunHeader run(String[] f) {
    for (int i = 2; i <= 8; i++) {
      f[i] = URLDecoder.decode(f[i], StandardCharsets.UTF_8);
    }
    return new RunHeader(f[2], f[3], Consistency.valueOf(f[4]), f[5], f[6], f[7], f[8]);
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

  private static List<Integer> numbers(String[] f) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 1; i < f.length; i++) {
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
