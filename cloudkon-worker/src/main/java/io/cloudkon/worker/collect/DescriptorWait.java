package io.cloudkon.worker.collect;

import io.cloudkon.core.error.OutOfDescriptors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Repeats what fails because too many files are open: a task that has succeeded is not at fault.
 */
final class DescriptorWait {
  private final int most;
  private final long millis;
  private final CountDownLatch never = new CountDownLatch(1);

  /**
   * A wait of up to {@code most} times {@code millis}.
   *
   * @param most the number of repetitions
   * @param millis the time before each
   */
  DescriptorWait(int most, long millis) {
    this.most = most;
    this.millis = millis;
  }

  /** A call that may need a descriptor. */
  interface Call<T> {
    T call() throws IOException;
  }

  /**
   * Makes the call, and repeats it if necessary.
   *
   * @throws InterruptedIOException if the thread was interrupted
   * @throws IOException if the call failed for another reason, or there is still no descriptor
   */
  <T> T call(Call<T> call) throws IOException {
    for (int failures = 0; ; failures++) {
      try {
        return call.call();
      } catch (IOException e) {
        if (failures == most || !OutOfDescriptors.isCause(e)) {
          throw e;
        }
        pause(e);
      }
    }
  }

  private void pause(IOException before) throws InterruptedIOException {
    try {
      boolean unused = never.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while too many files were open");
      interrupted.initCause(before);
      throw interrupted;
    }
  }
}
