package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandSecondsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0m0.001000s 0m0.002000s\n1m0.500000s 0m0.250000s\n", // dash
        "0m0.001s 0m0.002s\n1m0.500s 0m0.250s\n", // bash
      })
  void only_the_children_count(String times) {
    assertThat(CommandSeconds.ofChildren(times)).isCloseTo(60.75, within(1e-9));
  }
}
