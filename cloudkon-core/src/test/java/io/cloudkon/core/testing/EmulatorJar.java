package io.cloudkon.core.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jar that module {@code localstack} builds, which is the first one in the build's order.
 */
final class EmulatorJar {
  private static final Path IN_CHECKOUT = Path.of("localstack", "target", "cloudkon-local.jar");

  private EmulatorJar() {}

  /** {@code -Dcloudkon.local.jar}, or the jar in the checkout in which this JVM was started. */
  static Path find() {
    String named = System.getProperty("cloudkon.local.jar");
    if (named != null) {
      return Path.of(named);
    }
    return Stream.iterate(Path.of("").toAbsolutePath(), EmulatorJar::exists, Path::getParent)
        .map(folder -> folder.resolve(IN_CHECKOUT))
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "There is no "
                    + IN_CHECKOUT
                    + " in or above "
                    + Path.of("").toAbsolutePath()
                    + ". Build it with: mvn -pl localstack -DskipTests package"));
  }

  private static boolean exists(@Nullable Path folder) {
    return folder != null;
  }
}
