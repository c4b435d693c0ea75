package io.cloudkon.core.aws;

import io.cloudkon.core.port.TransientServiceException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/**
 * Reads once at a program's start, if there is an answer, or nobody to give one. Where somebody
 * listens and no answer comes in time, a busy machine is the likelier reason than a wrong address,
 * so the read is made again.
 *
 * @param timeout of each try
 * @param patience for all tries; none begins after it
 * @param nanos the time, by a clock that only grows
 */
record StartRead(Duration timeout, Duration patience, LongSupplier nanos) {
  /** A try has the time that any other call's answer has. */
  static final StartRead DEFAULT =
      new StartRead(Duration.ofSeconds(5), Duration.ofSeconds(20), System::nanoTime);

  /**
   * Makes a read.
   *
   * @param read makes one try, with the given timeout
   * @throws TransientServiceException the last one, if it is not answered with patience either
   */
  void make(Consumer<Duration> read) {
    long end = nanos.getAsLong() + patience.toNanos();
    while (true) {
      try {
        read.accept(timeout);
        return;
      } catch (TransientServiceException e) {
        if (!timedOut(e) || nanos.getAsLong() - end >= 0) {
          throw e;
        }
      }
    }
  }

  /** Not where connecting took too long: there, nobody listens. */
  private static boolean timedOut(TransientServiceException e) {
    return !Thread.currentThread().isInterrupted()
        && (e.getCause() instanceof ApiCallTimeoutException
            || e.getCause() instanceof ApiCallAttemptTimeoutException);
  }
}
