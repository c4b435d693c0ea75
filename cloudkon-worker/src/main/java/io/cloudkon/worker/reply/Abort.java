package io.cloudkon.worker.reply;

import org.jspecify.annotations.Nullable;

/** Interrupts an upload that nobody wants any more; the thread goes on with the next one. */
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

  /** An interrupt of its own is over with it; another one is the thread's to heed. */
  @Override
  public synchronized void close() {
    uploading = null;
    if (done) {
      boolean unused = Thread.interrupted();
    }
  }
}
