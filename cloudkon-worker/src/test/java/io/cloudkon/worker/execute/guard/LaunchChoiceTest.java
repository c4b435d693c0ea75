package io.cloudkon.worker.execute.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import org.junit.jupiter.api.Test;

class LaunchChoiceTest {
  @Test
  void commands_are_spawned_unless_a_shell_is_asked_for() {
    assertThat(LaunchChoice.spawns(null)).isTrue();
    assertThat(LaunchChoice.spawns("spawn")).isTrue();
    assertThat(LaunchChoice.spawns("shell")).isFalse();
  }

  @Test
  void another_value_is_refused() {
    assertThatThrownBy(() -> LaunchChoice.spawns("fork"))
        .isInstanceOf(UsageException.class)
        .hasMessage("-Dcloudkon.launch=fork: expected spawn or shell");
  }
}
