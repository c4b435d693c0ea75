package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeptSettingsTest {
  private static final Map<String, List<String>> DEFAULTS =
      Map.of(
          "--consistency", List.of("exactly-once"),
          "--capture", List.of("65536"),
          "--timeout", List.of("0ms"),
          "--retries", List.of("0"));

  @Test
  void session_of_a_cluster_keeps_how_its_tasks_run_and_where_its_bucket_is() {
    assertThat(KeptSettings.of(SessionConfig.cluster("Q"))).isEqualTo(DEFAULTS);
    assertThat(
            KeptSettings.of(
                SessionConfig.cluster("Q")
                    .consistency(Consistency.AT_LEAST_ONCE)
                    .capture(7)
                    .timeout(Duration.ofSeconds(3))
                    .retries(2)
                    .name("mine")
                    .bucket("B")
                    .insecureEndpoint("two")
                    .insecureEndpoint("one")))
        .isEqualTo(
            Map.of(
                "--consistency", List.of("at-least-once"),
                "--capture", List.of("7"),
                "--timeout", List.of("3000ms"),
                "--retries", List.of("2"),
                "--name", List.of("mine"),
                "--bucket", List.of("B"),
                "--insecure-endpoint", List.of("one", "two")));
  }

  /** The rerun may be started in another directory. */
  @Test
  void local_session_keeps_its_slots_and_handlers() {
    assertThat(KeptSettings.of(SessionConfig.local(4).handlers(Path.of("jars"))))
        .containsAllEntriesOf(DEFAULTS)
        .containsEntry("-t", List.of("4"))
        .containsEntry("--handlers", List.of(Path.of("jars").toAbsolutePath().toString()))
        .hasSize(DEFAULTS.size() + 2);
  }
}
