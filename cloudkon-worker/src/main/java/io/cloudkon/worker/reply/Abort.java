package io.cloudkon.worker.reply;

import org.jspecify.annotations.Nullable;

/** Interrupts an upload that is no longer needed; the thread continues with the next one. */
final class Abort implements Runnable, AutoCloseable {
  private @Nullable Thread uploading = Thread.currentThread();
  private boolean done;

  @Override
  public synchronized void run() {
    if (uploading != null) {
      uploading.interrupt();
      done = true;
    }
  }

  /**
   * Ends the watch. Clears the interrupt that this made, and leaves other interrupts to the thread.
   */
  @Override
  public synchronized void close() {
    uploading = null;
    if (done) {
      boolean unused = Thread.interrupted();
    }
  }
}
