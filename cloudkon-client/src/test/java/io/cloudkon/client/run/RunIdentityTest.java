package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RunIdentityTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void response_queue_has_a_name_that_teardown_knows_as_a_clients() {
    RunIdentity fresh = RunIdentity.fresh("Q", "run", new Random());

    assertThat(Names.isClients("Q", fresh.responseQueue())).isTrue();
  }

  @Test
  void run_id_is_the_time_and_six_characters_within_the_limit_of_names() {
    String run = RunIdentity.randomRun(NOW, new Random());

    assertThat(run).matches("20260102-030405-[0-9a-z]{6}");
    assertThat(Names.check("run id", run)).hasSizeLessThanOrEqualTo(Limits.NAME_CHARS);
  }

  @Test
  void run_ids_of_thousands_of_clients_in_one_second_differ() {
    Random random = new Random(1);
    Set<String> runs = new HashSet<>();
    for (int i = 0; i < 5_000; i++) {
      runs.add(RunIdentity.randomRun(NOW, random));
    }

    assertThat(runs).hasSize(5_000);
  }
}
