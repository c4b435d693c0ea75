package io.cloudkon.client.explain;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.Confirmed;
import io.cloudkon.client.report.JournalReader;
import io.cloudkon.core.error.CloudKonException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The bundle of one task, as the journal of its run lists it. Keeps nothing of the others, which
 * may be millions. Read once; not thread safe during the read.
 */
final class SentRange {
  private final int ordinal;
  private @Nullable BundleRange range;
  private long sentMicros;
  private long bundled;

  private SentRange(int ordinal) {
    this.ordinal = ordinal;
  }

  /**
   * Reads a journal, to which its client may be writing.
   *
   * @param ordinal the task's place in the run, from 0
   * @throws CloudKonException if it is damaged
   */
  static SentRange read(Path journal, int ordinal) {
    SentRange of = new SentRange(ordinal);
    long unused = JournalReader.read(journal, of::add);
    return of;
  }

  private void add(JournalEntry entry) {
    switch (entry) {
      case BundleRange bundle -> add(bundle);
      case Confirmed confirmed -> add(confirmed);
      case JournalEntry.RunHeader header -> {}
      case JournalEntry.Moved moved -> {}
      case JournalEntry.Stored stored -> {}
      case JournalEntry.ProvisionallyLost lost -> {}
      case JournalEntry.Ended ended -> {}
    }
  }

  private void add(BundleRange bundle) {
    bundled += bundle.tasks();
    if (bundle.firstOrdinal() <= ordinal && ordinal < bundle.firstOrdinal() + bundle.tasks()) {
      range = bundle;
    }
  }

  /** A bundle is confirmed after its range was written. */
  private void add(Confirmed confirmed) {
    if (range != null && confirmed.sequences().contains(range.sequence())) {
      sentMicros = confirmed.sentMicros();
    }
  }

  /** The bundle of the task; null if it is not in one yet. */
  @Nullable BundleRange range() {
    return range;
  }

  /** The time at which the request queue accepted it, in epoch microseconds; 0 if unknown. */
  long sentMicros() {
    return sentMicros;
  }

  /** The number of the run's tasks in bundles. */
  long bundled() {
    return bundled;
  }
}
