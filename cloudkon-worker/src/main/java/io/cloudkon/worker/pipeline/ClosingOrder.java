package io.cloudkon.worker.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * Closes the parts of something in order, each whatever happens to those before it: a part that is
 * left open can keep commands running and ports taken. Not thread safe.
 */
public final class ClosingOrder {
  private @Nullable Throwable failure;

  /** Closes one part, or does one step towards it. */
  public interface Step {
    void close() throws InterruptedException;
  }

  private ClosingOrder() {}

  /**
   * Closes all parts.
   *
   * @throws InterruptedException if a wait for the end of a part was interrupted; the waits for
   *     later parts were not cut short by it. Also rethrows the first other exception, and adds
   *     later ones to it
   */
  public static void closeAll(Step... steps) throws InterruptedException {
    ClosingOrder order = new ClosingOrder();
    for (Step step : steps) {
      order.close(step);
    }
    switch (order.failure) {
      case null -> {}
      case InterruptedException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // whether it is the same one
  private void close(Step step) {
    try {
      step.close();
    } catch (InterruptedException | RuntimeException | Error e) {
      if (failure == null) {
        failure = e;
      } else if (failure != e) { // the JVM throws some of its own errors more than once
        failure.addSuppressed(e);
      }
    }
  }
}
