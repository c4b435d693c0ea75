package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Names;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RunIdentityTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void response_queue_has_a_name_that_teardown_knows_as_a_clients() {
    RunIdentity fresh = RunIdentity.fresh("Q", "run", new Random());

    assertThat(Names.isClients("Q", fresh.responseQueue())).isTrue();
  }
}
