package io.cloudkon.core.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls that begin at the same moment. */
final class AtOnce {
  private AtOnce() {}

  /** The answers of two. */
  static <T> List<T> call(Callable<T> one, Callable<T> two) {
    return call(List.of(one, two));
  }

  /** Their answers, in their order. */
  static <T> List<T> call(List<Callable<T>> calls) {
    CyclicBarrier begin = new CyclicBarrier(calls.size());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> under =
          calls.stream().map(call -> threads.submit(() -> after(begin, call))).toList();
      List<T> answers = new ArrayList<>();
      for (Future<T> answer : under) {
        answers.add(answer.get());
      }
      return answers;
    } catch (Exception e) {
      throw new AssertionError("a call failed", e);
    }
  }

  private static <T> T after(CyclicBarrier begin, Callable<T> call) throws Exception {
    begin.await();
    return call.call();
  }
}
