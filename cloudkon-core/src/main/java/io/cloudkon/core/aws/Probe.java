package io.cloudkon.core.aws;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The outcome of a few reads that were made concurrently, so that the slowest one determines the
 * total time.
 *
 * @param failures the failures of those that failed
 */
record Probe(List<CloudKonException> failures) {

  static Probe all(Runnable... reads) {
    List<CloudKonException> failures = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<? extends Future<?>> pending = Stream.of(reads).map(threads::submit).toList();
      for (Future<?> read : pending) {
        await(read, failures);
      }
    }
    return new Probe(List.copyOf(failures));
  }

  private static void await(Future<?> read, List<CloudKonException> failures) {
    try {
      Object _ = read.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CloudKonException failure) {
        failures.add(failure);
      } else {
        throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failures.add(new CloudKonException("interrupted while looking for the services", e));
    }
  }

  /**
   * Throws the failure of a service that cannot be used, if there is one; refusals by policies are
   * combined in one message.
   */
  void throwRefusals() {
    List<RefusedException> denied = new ArrayList<>();
    for (CloudKonException failure : failures) {
      switch (failure) {
        case MissingResourceException missing -> {
          // the service that reports this does answer
        }
        case RefusedException refused -> denied.add(refused);
        case TransientServiceException credentials when credentials.ofCredentials() ->
            throw credentials;
        case TransientServiceException unreachable ->
            throw new CloudKonException(
                "%s; check AWS_ENDPOINT_URL…, AWS_REGION and the network, or that 'cloudkon local' still runs"
                    .formatted(unreachable.getMessage()),
                unreachable);
        case CloudKonException refused -> throw refused;
      }
    }
    if (!denied.isEmpty()) {
      throw RefusedException.inOne(denied);
    }
  }

  /** The refusals by policies. */
  List<RefusedException> refused() {
    return failures.stream()
        .filter(RefusedException.class::isInstance)
        .map(RefusedException.class::cast)
        .toList();
  }

  /**
   * Throws the exception for the first missing resource, if there is one.
   *
   * @param more supplies additional text for its message
   */
  void throwMissing(Supplier<String> more) {
    for (CloudKonException failure : failures) {
      if (failure instanceof MissingResourceException missing) {
        throw missing.with(more.get());
      }
    }
  }
}
