package io.cloudkon.core.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.PreInterruptCallback;
import org.junit.jupiter.api.extension.PreInterruptContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the stacks of all threads when a test is given up. JUnit finds it as a service. */
public final class StandstillDump implements PreInterruptCallback {
  private static final Logger LOG = LoggerFactory.getLogger(StandstillDump.class);

  @Override
  public void beforeThreadInterrupt(PreInterruptContext of, ExtensionContext test) {
    LOG.error(
        "{} stands still; threads: {}", test.getDisplayName(), ThreadDumps.ofThisAndChildren());
  }
}
