package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class JobControlTest {
  private final GroupLaunch launch = new GroupLaunch.JobControl(GroupLaunch.SHELL);

  private long group(String line) throws IOException {
    Process process = new ProcessBuilder(GroupLaunch.SHELL.toString(), "-c", line).start();
    try {
      return launch.group(process);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void group_is_the_number_that_the_shell_says() throws IOException {
    assertThat(group("echo 4711; read -r never")).isEqualTo(4711);
  }

  @Test
  void shell_that_is_killed_before_it_says_its_group_does_not_lack_job_control() {
    assertThatThrownBy(() -> group("kill -9 $$"))
        .isInstanceOf(GroupLaunch.GoneException.class)
        .hasMessage("it was killed before it could start");
    assertThatThrownBy(() -> group("echo 0"))
        .isNotInstanceOf(GroupLaunch.GoneException.class)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no job control");
  }
}
