package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.aws.Faults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults are injected into a process that was started with what injects them, and into no other.
 */
class FaultHookIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;
  @AutoClose private final TestCluster cluster = new TestCluster();

  private List<String> status() {
    return List.of("status", "-s", cluster.name());
  }

  private Map<String, String> asking(String faults) {
    Map<String, String> environment = new HashMap<>(cluster.environment());
    environment.put(Faults.VARIABLE, faults);
    return environment;
  }

  @Test
  void process_with_the_injector_on_its_class_path_fails_as_it_was_asked_to() throws Exception {
    try (Running process =
        Processes.start(
            "cloudkon-client",
            List.of(),
            status(),
            asking("halt=before:dynamodb.GetItem"),
            folder)) {
      assertThat(process.awaitExit(LIMIT)).as(process.stderr()).isEqualTo(137);
    }
  }

  @Test
  void jar_that_is_started_as_users_start_it_cannot_be_asked() throws Exception {
    List<String> command = Processes.command("cloudkon-client", List.of(), status(), Map.of());
    try (Running process =
        Processes.start(
            command, Path.of("/dev/null"), asking("halt=before:dynamodb.GetItem"), folder)) {
      assertThat(process.awaitExit(LIMIT)).as(process.stderr()).isZero();
    }
  }
}
