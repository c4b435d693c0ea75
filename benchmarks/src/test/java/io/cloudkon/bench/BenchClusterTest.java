package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** A measured client is started as a user's is. */
class BenchClusterTest {

  @Test
  void flags_of_a_client_are_those_of_the_launcher() throws IOException {
    assertThat(Files.readAllLines(Checkout.home().resolve("cloudkon")))
        .contains("patient=\"%s\"".formatted(String.join(" ", BenchCluster.PATIENT)));
  }
}
