package io.cloudkon.core.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives Awaitility's waits a minute instead of 10 s, which a machine that stands still for a few
 * seconds exceeds. JUnit finds it as a service.
 */
public final class PatientWaits implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
  }
}
