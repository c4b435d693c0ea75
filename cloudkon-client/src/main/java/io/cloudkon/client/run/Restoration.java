package io.cloudkon.client.run;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reconstructs the state of a run from its journal and the tasks that have their result. The
 * journal's entry of a bundle is written before the bundle is first sent, and these entries are in
 * the order of the bundles' numbers. So a bundle that is not there was never sent, and none follows
 * it. Used by one thread, once.
 */
public final class Restoration {
  private final BitSet done;
  private final TimeSource time;
  private final CompletenessMachine completeness;
  private final Map<Integer, SentBundle> outstanding = new HashMap<>();
  private final SentJobs jobs = new SentJobs();
  private final BitSet confirmed = new BitSet();
  private final BitSet lost = new BitSet();
  private @Nullable SentBundle last;
  private boolean stored;

  /**
   * A restoration that has read nothing yet.
   *
   * @param done the ordinals of the tasks whose final result is written
   */
  public Restoration(RunOptions options, String epoch, BitSet done, TimeSource time) {
    this.done = done;
    this.time = time;
    this.completeness = ResumeState.fresh(options, epoch).completeness();
  }

  /** Takes the next entry of the journal. */
  public void accept(JournalEntry entry) {
    switch (entry) {
      case JournalEntry.BundleRange range -> range(range);
      case JournalEntry.Confirmed sent ->
          sent.sequences().forEach(sequence -> confirmed(sequence, sent));
      case JournalEntry.ProvisionallyLost tasks -> tasks.ordinals().forEach(lost::set);
      case JournalEntry.Stored something -> stored = true;
      case JournalEntry.Moved moved -> {}
      case JournalEntry.RunHeader header -> {}
      case JournalEntry.Ended ended -> {}
    }
  }

  private void range(JournalEntry.BundleRange range) {
    int first = completeness.tasks();
    int sequence = range.job() ? completeness.job() : completeness.bundle(range.tasks());
    if (range.sequence() != sequence || range.firstOrdinal() != first) {
      throw new LocalFileException(
          "the journal's bundle %d begins at task %d, expected bundle %d at task %d; restore the file, or submit the run again"
              .formatted(range.sequence(), range.firstOrdinal(), sequence, first));
    }
    int end = first + range.tasks();
    // Bit by bit: the next one may be far away, for each of millions of bundles.
    for (int i = first; i < end; i++) {
      if (done.get(i)) {
        completeness.restoreFinal(i);
      }
    }
    last =
        new SentBundle(
            sequence,
            first,
            range.tasks(),
            range.offset(),
            range.line(),
            List.of(),
            0,
            range.submittedMicros(),
            range.submittedMicros(),
            0,
            range.ranks());
    boolean closed = completeness.closed(sequence);
    if (!closed) {
      outstanding.put(sequence, last);
    }
    if (range.job()) {
      jobs.sent(range.ranks());
      if (closed) {
        jobs.finished(range.ranks());
      }
    }
  }

  private void confirmed(int sequence, JournalEntry.Confirmed sent) {
    confirmed.set(sequence);
    SentBundle bundle = outstanding.get(sequence);
    if (bundle != null) {
      outstanding.put(sequence, bundle.begun(sent.sendBegunMicros()).accepted(sent.sentMicros()));
      long ago = Math.max(0, time.wallMicros() - sent.sentMicros()) / 1000;
      completeness.restoreSent(sequence, ago, time.now());
    }
  }

  /** The state of the run, once the whole journal was accepted. */
  public ResumeState state() {
    completeness.resumed();
    lost.stream().filter(task -> task < completeness.tasks()).forEach(completeness::restoreLost);
    List<SentBundle> unconfirmed = new ArrayList<>();
    long unsent = 0;
    for (SentBundle bundle : List.copyOf(outstanding.values())) {
      if (confirmed.get(bundle.sequence())) {
        continue;
      }
      if (answered(bundle)) {
        // The answer to its send was lost, but a worker had it.
        JournalEntry.Confirmed then =
            new JournalEntry.Confirmed(List.of(), bundle.submitted(), bundle.submitted());
        confirmed(bundle.sequence(), then);
      } else {
        unconfirmed.add(bundle);
        unsent += bundle.tasks();
      }
    }
    unconfirmed.sort((a, b) -> Integer.compare(a.sequence(), b.sequence()));
    return new ResumeState(
        completeness, outstanding, jobs, completeness.tasks() - unsent, unconfirmed, last);
  }

  private boolean answered(SentBundle bundle) {
    return bundle.hasAny(done) || bundle.hasAny(lost);
  }

  /** The tasks that are LOST unless a result still comes. */
  public BitSet lost() {
    BitSet open = (BitSet) lost.clone();
    open.andNot(done);
    return open;
  }

  /** Whether the run may have objects in the blob store. */
  public boolean stored() {
    return stored;
  }
}
