package io.cloudkon.core.batch;

import io.cloudkon.core.error.OutOfDescriptors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Repeats what fails because too many files are open at the moment, at fixed intervals. Thread
 * safe.
 */
public final class DescriptorWait {
  /** 40 repetitions at intervals of 250 ms: 10 s. */
  public static final DescriptorWait DEFAULT = new DescriptorWait(40, 250);

  private final int most;
  private final long millis;
  private final CountDownLatch never = new CountDownLatch(1);

  /**
   * A wait of up to {@code most} times {@code millis}.
   *
   * @param most the number of repetitions
   * @param millis the time before each, in milliseconds
   */
  DescriptorWait(int most, long millis) {
    this.most = most;
    this.millis = millis;
  }

  /** A call that may need a descriptor. */
  public interface Call<T> {
    T call() throws IOException;
  }

  /**
   * Makes the call, and repeats it if necessary.
   *
   * @throws InterruptedIOException if the thread was interrupted meanwhile
   * @throws IOException if the call failed for another reason, or there is still no descriptor
   */
  public <T> T call(Call<T> call) throws IOException {
    for (int failures = 1; ; failures++) {
      try {
        return call.call();
      } catch (IOException e) {
        if (!passes(e, failures)) {
          throw e;
        }
        if (Thread.currentThread().isInterrupted()) {
          InterruptedIOException interrupted =
              new InterruptedIOException("interrupted while too many files were open");
          interrupted.initCause(e);
          throw interrupted;
        }
      }
    }
  }

  /**
   * Whether to repeat what has failed; waits before. An interrupt ends the wait, and the thread
   * stays interrupted.
   *
   * @param failures the number of failures so far, with this one
   */
  public boolean passes(Throwable failure, int failures) {
    if (failures > most || !OutOfDescriptors.isCause(failure)) {
      return false;
    }
    try {
      boolean unused = never.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }
}
