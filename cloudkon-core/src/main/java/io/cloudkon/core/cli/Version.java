package io.cloudkon.core.cli;

import org.jspecify.annotations.Nullable;

/** The version of this CloudKon. */
public final class Version {
  private Version() {}

  /** The version from the jar's manifest; "development" if the classes run outside a jar. */
  public static String number() {
    @Nullable String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  static String[] lines() {
    return new String[] {
      "cloudkon %s (Java %s)".formatted(number(), System.getProperty("java.version"))
    };
  }
}
