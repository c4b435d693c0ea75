package io.cloudkon.worker.execute;

import java.time.Instant;
import java.time.InstantSource;

/** Epoch microseconds from the injected clock. */
record Stamps(InstantSource clock) {
  long now() {
    Instant instant = clock.instant();
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }
}
