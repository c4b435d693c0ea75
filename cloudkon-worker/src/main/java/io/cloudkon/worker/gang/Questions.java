package io.cloudkon.worker.gang;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Questions of other workers that the loop answers, each by its number. Thread safe.
 *
 * @param <A> the answers
 */
final class Questions<A> {
  private static final long PATIENCE_MILLIS = 2_000;

  private final AtomicLong next = new AtomicLong();
  private final Map<Long, CompletableFuture<A>> open = new ConcurrentHashMap<>();
  private final A none;

  /**
   * Nothing was asked yet.
   *
   * @param none the answer where the loop has none in time
   */
  Questions(A none) {
    this.none = none;
  }

  /** Asks, and waits for the answer, for as long as whoever asks would. */
  A ask(LongConsumer question) {
    long number = next.incrementAndGet();
    CompletableFuture<A> answer = new CompletableFuture<>();
    open.put(number, answer);
    try {
      question.accept(number);
      return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return none;
    } catch (TimeoutException | ExecutionException e) {
      return none;
    } finally {
      open.remove(number);
    }
  }

  /** Answers; nobody may wait for it any more. */
  void answer(long number, A answer) {
    CompletableFuture<A> asked = open.get(number);
    if (asked != null) {
      asked.complete(answer);
    }
  }
}
