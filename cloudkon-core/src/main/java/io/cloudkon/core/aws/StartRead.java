package io.cloudkon.core.aws;

import io.cloudkon.core.port.TransientServiceException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/**
 * A read at a program's start. It is made only once if there is an answer, or if nothing listens at
 * the address. If a connection is possible but no answer arrives in time, a busy machine is more
 * likely than a wrong address, so the read is repeated.
 *
 * @param timeout the timeout of each try
 * @param patience the time for all tries, after which no more begin
 * @param nanos a monotonic clock in nanoseconds
 */
record StartRead(Duration timeout, Duration patience, LongSupplier nanos) {
  /** The timeout of a try is that of any other call. */
  static final StartRead DEFAULT =
      new StartRead(Duration.ofSeconds(5), Duration.ofSeconds(20), System::nanoTime);

  /**
   * Makes a read.
   *
   * @param read makes one try, with the given timeout
   * @throws TransientServiceException the last failure, if there was no answer within the patience
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

  /**
   * Whether the answer timed out. A timeout while connecting does not count, because then nothing
   * listens.
   */
  private static boolean timedOut(TransientServiceException e) {
    return !Thread.currentThread().isInterrupted()
        && (e.getCause() instanceof ApiCallTimeoutException
            || e.getCause() instanceof ApiCallAttemptTimeoutException);
  }
}
