package io.cloudkon.worker.input;

import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Pulse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Lets slots wait for fetches as long as the bundle may run here, and no longer, whatever the call
 * is doing. Thread safe.
 */
final class SlotWait {
  private static final long LOOK_MILLIS = 50;

  private final Pulse pulse;
  private final BooleanSupplier leaving;

  /**
   * Does not wait yet.
   *
   * @param leaving whether the worker starts nothing any more
   */
  SlotWait(Pulse pulse, BooleanSupplier leaving) {
    this.pulse = pulse;
    this.leaving = leaving;
  }

  /** Whether the bundle's tasks may still start here. */
  boolean wants(BundleInHand inHand) {
    return !leaving.getAsBoolean() && !inHand.interruption().killed() && pulse.allows(inHand);
  }

  /** Waits for the result of another thread's fetch. */
  <T> T await(CompletableFuture<T> fetched, BundleInHand inHand)
      throws InputException, GivenUpException {
    while (true) {
      try {
        return fetched.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (!wants(inHand)) {
          throw new GivenUpException();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new GivenUpException();
      } catch (ExecutionException e) {
        throw failure(e);
      }
    }
  }

  private static InputException failure(ExecutionException e) throws GivenUpException {
    return switch (e.getCause()) {
      case GivenUpException unwanted -> throw unwanted;
      case InputException input -> input;
      case null, default ->
          new InputException("its worker could not fetch its input: " + e.getCause(), e);
    };
  }
}
