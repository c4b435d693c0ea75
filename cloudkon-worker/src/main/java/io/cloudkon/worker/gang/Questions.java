package io.cloudkon.worker.gang;

import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.HpcCallException.Kind;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Questions of other workers that the loop answers, each by its number. A loop that is slow says
 * nothing about what was asked: then there is no answer, never a made-up one. Thread safe.
 *
 * @param <A> the answers
 */
final class Questions<A> {
  private final AtomicLong next = new AtomicLong();
  private final Map<Long, CompletableFuture<A>> open = new ConcurrentHashMap<>();
  private final String what;
  private final long patienceMillis;

  /**
   * Nothing was asked yet.
   *
   * @param what is asked, for messages
   * @param patienceMillis how long an answer may take; whoever asks from elsewhere gives up before
   */
  Questions(String what, long patienceMillis) {
    this.what = what;
    this.patienceMillis = patienceMillis;
  }

  /**
   * Asks, and waits for the answer.
   *
   * @throws HpcCallException if there is none in time, or this thread is interrupted
   */
  A ask(LongConsumer question) {
    long number = next.incrementAndGet();
    CompletableFuture<A> answer = new CompletableFuture<>();
    open.put(number, answer);
    try {
      question.accept(number);
      return answer.get(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HpcCallException(Kind.INTERRUPTED, what + ": interrupted", e);
    } catch (TimeoutException e) {
      throw new HpcCallException(
          Kind.TIMED_OUT,
          "%s: this worker's loop had no answer within %d ms".formatted(what, patienceMillis),
          e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("it is only ever completed with a value", e);
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

  /** How many wait for an answer. */
  int waiting() {
    return open.size();
  }
}
