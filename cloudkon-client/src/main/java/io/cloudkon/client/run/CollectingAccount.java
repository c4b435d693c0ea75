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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The collecting side of a run's account: records what arrives, and decides what follows. Thread
 * safe.
 */
public final class CollectingAccount {
  /** The time that a receive may take in addition to its wait. */
  private static final long ROUND_TRIP_MILLIS = 1_000;

  private final RunBooks books;

  CollectingAccount(RunBooks books) {
    this.books = books;
  }

  /** Records that every task was sent. */
  public List<CompletenessEffect> allSent() {
    return books.locked(() -> books.completeness.allSent(books.time.now()));
  }

  /**
   * The sorted results of a worker's message.
   *
   * @param fresh results that are final
   * @param provisional results that are LOST unless another one still comes
   * @param duplicates the number of results to drop
   * @param bundle the bundle as it was sent; null if it is closed
   */
  public record Sorted(
      List<TaskResult> fresh,
      List<TaskResult> provisional,
      int duplicates,
      @Nullable SentBundle bundle) {}

  /** Sorts the results of a worker's message, and learns from them. */
  public Sorted sort(ResultBatch batch, int sequence) {
    books.lock.lock();
    try {
      Moment now = books.time.now();
      SentBundle bundle = books.outstanding.get(sequence);
      books.completeness.heard(batch.bundle(), now);
      // The wait for late results restarts with the first one that arrives, not when the whole
      // receive was written. Otherwise earlier empty receives could make LOST final at once.
      books.completeness.arrived(now);
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
   * Records that a receive brought something that is still to be sorted, perhaps after a fetch;
   * until then, no other receive shows that nothing comes.
   */
  public void brought() {
    books.carryOut(() -> books.completeness.arrived(books.time.now()));
  }

  /**
   * Records that a receive returned with this number of messages, and returns what follows.
   *
   * @param wait the receive's maximum wait; it has not seen what came after that while this process
   *     was suspended
   */
  public List<CompletenessEffect> received(int messages, Moment begun, Duration wait) {
    return books.locked(() -> {
      Moment now = books.time.now();
      Moment seen = begun.plus(wait.toMillis() + ROUND_TRIP_MILLIS);
      books.caughtUp |= messages == 0;
      boolean stopped = messages == 0 && now.eitherPast(seen);
      books.completeness.received(messages, begun, stopped ? seen : now);
      return closed(books.completeness.follow(books.time.now()));
    });
  }

  /** Records that a receive failed; messages that it may have hidden become visible again later. */
  public void receiveFailed() {
    books.carryOut(() -> books.completeness.receiveFailed(books.time.now()));
  }

  /** Checks whether a wait is over, and looks for bundles that were silent for too long. */
  public List<CompletenessEffect> tick() {
    return books.locked(() -> {
      Moment now = books.time.now();
      List<CompletenessEffect> effects = new ArrayList<>(closed(books.completeness.follow(now)));
      effects.addAll(books.completeness.lookForSilence(now));
      return effects;
    });
  }

  /** Closes the bundles whose last tasks are LOST. */
  private List<CompletenessEffect> closed(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      if (effect instanceof CompletenessEffect.FinalLost lost) {
        IntStream.of(lost.ordinals())
            .map(books.completeness::bundleOf)
            .distinct()
            .filter(books.completeness::closed)
            .forEach(this::close);
      }
    }
    return effects;
  }

  /** Makes LOST tasks wait for the run's former response queues as well. */
  public void waitFor(QuietElsewhere formerQueues) {
    books.carryOut(() -> books.completeness.waitFor(formerQueues));
  }

  /** Whether the client waits only for late results. */
  public boolean inGrace() {
    return books.locked(() -> books.completeness.phase() == CompletenessPhase.GRACE);
  }

  /** The tasks without a final result in a bundle; for a child, those in its parent bundle. */
  public int[] open(String bundle) {
    return books.locked(() -> books.completeness.open(bundle));
  }

  /** The ordinals of all tasks of a bundle; none if there is no such bundle. */
  public int[] range(int sequence) {
    return books.locked(() -> books.completeness.range(sequence));
  }

  /** Records the claims that were read. */
  public List<CompletenessEffect> claimsRead(List<String> ids, Map<String, Claim> found) {
    return books.locked(() -> givenUp(books.completeness.claimsRead(ids, found, books.time.now())));
  }

  /** Frees the share of tasks that are LOST, even provisionally, because they wait for no slot. */
  private List<CompletenessEffect> givenUp(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      if (effect instanceof CompletenessEffect.ProvisionalLost lost) {
        books.ended(BundleIds.sequence(lost.claim().id()), lost.ordinals().length);
      }
    }
    return effects;
  }

  /** Records that those of these results that are in the blob store were sorted. */
  public List<CompletenessEffect> fetched(CompletenessEffect.FetchResults asked) {
    return books.locked(() -> givenUp(books.completeness.fetched(asked, books.time.now())));
  }

  /** Records that these results could not be fetched from the blob store. */
  public void fetchFailed(CompletenessEffect.FetchResults asked) {
    books.carryOut(() -> books.completeness.fetchFailed(asked, books.time.now()));
  }

  /** Records that the request queue accepted a bundle or child that was sent again under its id. */
  public void resent(String bundle) {
    books.carryOut(() -> books.completeness.resent(bundle, books.time.now()));
  }

  /**
   * Schedules an early check of everything outstanding, because results may have been lost in
   * transit.
   */
  public void lookAtAll() {
    books.carryOut(() -> books.completeness.lookAtAll(books.time.now()));
  }

  /** Whether the task has its final result; false for one that is in no bundle yet. */
  public boolean isFinal(int ordinal) {
    return books.locked(() -> books.completeness.isFinal(ordinal));
  }

  /** Records the duration of a call that deleted results, in microseconds. */
  public void called(long micros) {
    books.carryOut(() -> books.bundler.called(micros));
  }

  /** Records that claims could not be read. */
  public void readFailed(List<String> ids) {
    books.carryOut(() -> books.completeness.readFailed(ids, books.time.now()));
  }

  /** The bundle as it was sent, if it is still outstanding. */
  public @Nullable SentBundle outstanding(int sequence) {
    books.lock.lock();
    try {
      return books.outstanding.get(sequence);
    } finally {
      books.lock.unlock();
    }
  }
}
