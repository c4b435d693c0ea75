package io.cloudkon.client.explain;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.Confirmed;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalReader;
import io.cloudkon.core.error.CloudKonException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The bundles of a run, as its journal lists them. Read once; not thread safe during the read. */
final class SentRanges {
  private final TreeMap<Integer, BundleRange> byFirstOrdinal = new TreeMap<>();
  private final Map<Integer, Long> sentMicros = new HashMap<>();
  private @Nullable RunHeader header;

  private SentRanges() {}

  /**
   * Reads a journal, to which its client may be writing.
   *
   * @throws CloudKonException if it is damaged or does not name its run
   */
  static SentRanges read(Path journal) {
    SentRanges ranges = new SentRanges();
    JournalReader.read(journal, ranges::add);
    if (ranges.header == null) {
      throw new CloudKonException(
          "journal %s does not name its run: its client died before it sent anything"
              .formatted(journal));
    }
    return ranges;
  }

  private void add(JournalEntry entry) {
    switch (entry) {
      case RunHeader of -> header = of;
      case BundleRange range -> byFirstOrdinal.put(range.firstOrdinal(), range);
      case Confirmed confirmed ->
          confirmed.sequences().forEach(n -> sentMicros.put(n, confirmed.sentMicros()));
      case JournalEntry.Moved moved -> {}
      case JournalEntry.Stored stored -> {}
      case JournalEntry.ProvisionallyLost lost -> {}
      case JournalEntry.Ended ended -> {}
    }
  }

  /** The header of the journal's run. */
  RunHeader header() {
    if (header == null) {
      throw new IllegalStateException("not read yet");
    }
    return header;
  }

  /** The bundle of a task; null if it is not in one yet. */
  @Nullable BundleRange of(int ordinal) {
    Map.Entry<Integer, BundleRange> entry = byFirstOrdinal.floorEntry(ordinal);
    if (entry == null) {
      return null;
    }
    BundleRange range = entry.getValue();
    return ordinal < range.firstOrdinal() + range.tasks() ? range : null;
  }

  /** The time at which the request queue accepted a bundle, in epoch microseconds; 0 if unknown. */
  long sentMicros(int sequence) {
    return sentMicros.getOrDefault(sequence, 0L);
  }

  /** The number of tasks in bundles. */
  long bundled() {
    return byFirstOrdinal.values().stream().mapToLong(BundleRange::tasks).sum();
  }
}
