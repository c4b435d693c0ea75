package io.cloudkon.client.run;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessPhase;
import io.cloudkon.core.protocol.completeness.QuietElsewhere;
import io.cloudkon.core.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run's account as its collecting side keeps it: what came, and what follows. Thread safe. */
public final class CollectingAccount {
  /** What a receive may take besides its wait. */
  private static final long ROUND_TRIP_MILLIS = 1_000;

  private final RunBooks books;

  CollectingAccount(RunBooks books) {
    this.books = books;
  }

  /** Every task was sent. */
  public List<CompletenessEffect> allSent() {
    return books.locked(() -> books.completeness.allSent(books.time.now()));
  }

  /**
   * A worker's message sorted.
   *
   * @param fresh results that are final
   * @param provisional ordinals that are LOST unless a result still comes
   * @param duplicates results to be dropped
   * @param bundle the bundle as it was sent; null if it is closed, or was sent before a resume
   */
  public record Sorted(
      List<TaskResult> fresh,
      List<TaskResult> provisional,
      int duplicates,
      @Nullable SentBundle bundle) {}

  /** Sorts a worker's message, and learns from it. */
  public Sorted sort(ResultBatch batch, int sequence) {
    books.lock.lock();
    try {
      Moment now = books.time.now();
      SentBundle bundle = books.outstanding.get(sequence);
      books.completeness.heard(batch.bundle(), now);
      // Waiting for late results begins anew with the first one that came, not when the whole
      // receive was written: LOST would be final at once, else, by receives that were empty before.
      books.completeness.received(1, now, now);
      List<TaskResult> fresh = new ArrayList<>(batch.results().size());
      List<TaskResult> provisional = new ArrayList<>();
      int duplicates = 0;
      for (TaskResult result : batch.results()) {
        boolean lost = result.status() == TaskStatus.LOST;
        switch (books.completeness.offer(batch.bundle(), result.ordinal(), lost)) {
          case FINAL -> fresh.add(result);
          case PROVISIONAL -> provisional.add(result);
          case DUPLICATE, FOREIGN -> duplicates++;
        }
      }
      BundlerFeedback.learn(books.bundler, batch, bundle, now);
      books.ended(sequence, fresh.size() + provisional.size());
      books.share.ifPresent(of -> BundlerFeedback.learn(of, fresh, bundle, now));
      books.answered = true;
      if (books.completeness.closed(sequence)) {
        close(sequence);
      }
      books.changed.signalAll();
      return new Sorted(fresh, provisional, duplicates, bundle);
    } finally {
      books.lock.unlock();
    }
  }

  private void close(int sequence) {
    books.ended(sequence, Integer.MAX_VALUE);
    SentBundle bundle = books.outstanding.remove(sequence);
    if (bundle != null && bundle.job()) {
      books.jobs.finished(bundle.ranks());
    }
  }

  /**
   * A receive brought something that is still to be sorted, which may have to be fetched first:
   * until then no other receive shows that nothing comes.
   */
  public void brought() {
    books.carryOut(() -> books.completeness.received(1, books.time.now(), books.time.now()));
  }

  /**
   * A receive came back, with so many messages; says what follows.
   *
   * @param wait how long it was to wait at most: what came after that, while this process was
   *     stopped, it has not seen
   */
  public List<CompletenessEffect> received(int messages, Moment begun, Duration wait) {
    return books.locked(() -> {
      Moment now = books.time.now();
      Moment seen = begun.plus(wait.toMillis() + ROUND_TRIP_MILLIS);
      books.caughtUp |= messages == 0;
      boolean stopped = messages == 0 && now.eitherPast(seen);
      books.completeness.received(messages, begun, stopped ? seen : now);
      return books.completeness.follow(books.time.now());
    });
  }

  /** A receive failed: what it may have hidden comes again later. */
  public void receiveFailed() {
    books.carryOut(() -> books.completeness.receiveFailed(books.time.now()));
  }

  /**
   * Time went by: says whether a wait is over, and looks for bundles that were silent for too long.
   */
  public List<CompletenessEffect> tick() {
    return books.locked(() -> {
      Moment now = books.time.now();
      List<CompletenessEffect> effects = new ArrayList<>(books.completeness.follow(now));
      effects.addAll(books.completeness.lookForSilence(now));
      return effects;
    });
  }

  /** What is LOST waits for the run's former response queues as well. */
  public void waitFor(QuietElsewhere formerQueues) {
    books.carryOut(() -> books.completeness.waitFor(formerQueues));
  }

  /** Whether only late results are waited for. */
  public boolean inGrace() {
    return books.locked(() -> books.completeness.phase() == CompletenessPhase.GRACE);
  }

  /** The tasks of a bundle, or of the bundle that it is a child of, that have no final result. */
  public int[] open(String bundle) {
    return books.locked(() -> books.completeness.open(bundle));
  }

  /** The ordinals of all tasks of a bundle; none if there is no such bundle. */
  public int[] range(int sequence) {
    return books.locked(() -> books.completeness.range(sequence));
  }

  /** Claims were read. */
  public List<CompletenessEffect> claimsRead(List<String> ids, Map<String, Claim> found) {
    return books.locked(() -> givenUp(books.completeness.claimsRead(ids, found, books.time.now())));
  }

  /** Frees the share of tasks that are LOST, if only for the time being: they wait for no slot. */
  private List<CompletenessEffect> givenUp(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      if (effect instanceof CompletenessEffect.ProvisionalLost lost) {
        books.ended(BundleIds.sequence(lost.claim().id()), lost.ordinals().length);
      }
    }
    return effects;
  }

  /** What the blob store has of these results was sorted. */
  public List<CompletenessEffect> fetched(CompletenessEffect.FetchResults asked) {
    return books.locked(() -> givenUp(books.completeness.fetched(asked, books.time.now())));
  }

  /** The blob store could not be asked for these results. */
  public void fetchFailed(CompletenessEffect.FetchResults asked) {
    books.carryOut(() -> books.completeness.fetchFailed(asked, books.time.now()));
  }

  /** The request queue accepted what was sent again under the id of a bundle or child. */
  public void resent(String bundle) {
    books.carryOut(() -> books.completeness.resent(bundle, books.time.now()));
  }

  /** Results may have been lost on their way: all that is outstanding is looked at soon. */
  public void lookAtAll() {
    books.carryOut(() -> books.completeness.lookAtAll(books.time.now()));
  }

  /** Whether the task has its final result; false for one that is in no bundle yet. */
  public boolean isFinal(int ordinal) {
    return books.locked(() -> books.completeness.isFinal(ordinal));
  }

  /** A call that deleted results took so long, in microseconds. */
  public void called(long micros) {
    books.carryOut(() -> books.bundler.called(micros));
  }

  /** Claims could not be read. */
  public void readFailed(List<String> ids) {
    books.carryOut(() -> books.completeness.readFailed(ids, books.time.now()));
  }

  /** The bundle as it was sent, if it is still books.outstanding. */
  public @Nullable SentBundle outstanding(int sequence) {
    books.lock.lock();
    try {
      return books.outstanding.get(sequence);
    } finally {
      books.lock.unlock();
    }
  }
}
