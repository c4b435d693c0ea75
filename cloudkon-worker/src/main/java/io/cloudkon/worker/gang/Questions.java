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
 * Questions of other workers that the loop answers, identified by a number. If the loop is too
 * slow, the caller gets an error and never an assumed answer. Thread safe.
 *
 * @param <A> the type of the answers
 */
final class Questions<A> {
  private final AtomicLong next = new AtomicLong();
  private final Map<Long, CompletableFuture<A>> open = new ConcurrentHashMap<>();
  private final String what;
  private final long patienceMillis;

  /**
   * Starts without questions.
   *
   * @param what the subject of the questions, for messages
   * @param patienceMillis how long an answer may take, in milliseconds; remote callers give up
   *     sooner
   */
  Questions(String what, long patienceMillis) {
    this.what = what;
    this.patienceMillis = patienceMillis;
  }

  /**
   * Asks a question and waits for the answer.
   *
   * @throws HpcCallException if there is no answer in time or this thread is interrupted
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

  /** Answers a question, unless its caller has stopped waiting. */
  void answer(long number, A answer) {
    CompletableFuture<A> asked = open.get(number);
    if (asked != null) {
      asked.complete(answer);
    }
  }

  /** The number of questions without an answer. */
  int waiting() {
    return open.size();
  }
}
