package io.cloudkon.core.port;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a batch call, entry by entry: every entry was either accepted or failed.
 * Immutable.
 *
 * @param <E> the type of the entries that were sent or deleted
 */
public final class BatchOutcome<E> {
  /**
   * An entry that failed.
   *
   * @param why the failure as the service reported it, with the entry's index in the batch
   */
  public record Failed<E>(E entry, BatchFailure why) {}

  private final List<E> accepted;
  private final List<Failed<E>> failed;

  private BatchOutcome(List<E> accepted, List<Failed<E>> failed) {
    this.accepted = List.copyOf(accepted);
    this.failed = List.copyOf(failed);
  }

  /**
   * The outcome of a call that was answered.
   *
   * @param batch the entries in the order of the call
   * @param failures the failed entries; if an entry is named twice, the last failure counts
   * @throws IllegalArgumentException if a failure names an entry that is not in the batch
   */
  public static <E> BatchOutcome<E> of(List<E> batch, List<BatchFailure> failures) {
    Map<Integer, BatchFailure> byIndex = new HashMap<>();
    for (BatchFailure failure : failures) {
      if (failure.index() < 0 || failure.index() >= batch.size()) {
        throw new IllegalArgumentException(
            "entry %d of a batch of %d failed: %s"
                .formatted(failure.index(), batch.size(), failure.reason()));
      }
      byIndex.put(failure.index(), failure);
    }
    List<E> accepted = new ArrayList<>(batch.size());
    List<Failed<E>> failed = new ArrayList<>(byIndex.size());
    for (int i = 0; i < batch.size(); i++) {
      @Nullable BatchFailure failure = byIndex.get(i);
      if (failure == null) {
        accepted.add(batch.get(i));
      } else {
        failed.add(new Failed<>(batch.get(i), failure));
      }
    }
    return new BatchOutcome<>(accepted, failed);
  }

  /**
   * The outcome of a call that failed as a whole: every entry failed and may be tried again, unless
   * the call is not allowed.
   */
  public static <E> BatchOutcome<E> allFailed(List<E> batch, Throwable why) {
    String reason = why.toString();
    boolean retryable = !(why instanceof RefusedException);
    List<Failed<E>> failed = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      failed.add(new Failed<>(batch.get(i), new BatchFailure(i, reason, retryable)));
    }
    return new BatchOutcome<>(List.of(), failed);
  }

  /** The entries that were accepted, in the order of the batch. */
  public List<E> accepted() {
    return accepted;
  }

  /** The entries that failed, in the order of the batch. */
  public List<Failed<E>> failed() {
    return failed;
  }

  /** Reports every entry once: first the accepted entries, then the failed ones. */
  public void tell(Consumer<E> whenAccepted, BiConsumer<E, BatchFailure> whenFailed) {
    accepted.forEach(whenAccepted);
    failed.forEach(one -> whenFailed.accept(one.entry(), one.why()));
  }
}
