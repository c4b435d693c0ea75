package io.cloudkon.core.contract;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two calls, begun at the same moment. */
final class AtOnce {
  private AtOnce() {}

  /** Their answers. */
  static <T> List<T> call(Callable<T> one, Callable<T> two) {
    CyclicBarrier begin = new CyclicBarrier(2);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<T> first = threads.submit(() -> after(begin, one));
      Future<T> second = threads.submit(() -> after(begin, two));
      return List.of(first.get(), second.get());
    } catch (Exception e) {
      throw new AssertionError("a call failed", e);
    }
  }

  private static <T> T after(CyclicBarrier begin, Callable<T> call) throws Exception {
    begin.await();
    return call.call();
  }
}
