package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Calls that an interrupt ends at once. On a virtual thread the JDK closes the socket that an
 * interrupted thread waits on; a platform thread would wait for the answer, up to 20 s, so its call
 * is made on a virtual thread of its own.
 */
final class Interruptibly {
  private Interruptibly() {}

  static <T> T call(Supplier<T> call) throws InterruptedException {
    return Thread.currentThread().isVirtual() ? here(call) : elsewhere(call);
  }

  private static <T> T here(Supplier<T> call) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    try {
      return call.get();
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw (InterruptedException) new InterruptedException().initCause(e);
      }
      throw e;
    }
  }

  private static <T> T elsewhere(Supplier<T> call) throws InterruptedException {
    FutureTask<T> task = new FutureTask<>(() -> here(call));
    Thread.ofVirtual().name("poll").start(task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      task.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case InterruptedException interrupted -> throw interrupted;
        case null, default -> throw new CloudKonException("a poll failed: " + e.getCause(), e);
      }
    }
  }
}
