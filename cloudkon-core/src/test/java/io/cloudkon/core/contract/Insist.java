package io.cloudkon.core.contract;

import io.cloudkon.core.port.TransientServiceException;
import java.util.function.Supplier;

/** A call that may meet another write of the same item, and is made again then. */
final class Insist {
  private Insist() {}

  /** Its answer, after as many conflicts as it takes. */
  static <T> T on(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (TransientServiceException e) {
        Thread.yield();
      }
    }
  }
}
