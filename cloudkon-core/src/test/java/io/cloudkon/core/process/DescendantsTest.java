package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DescendantsTest {

  @Test
  void processes_that_ignore_signals_are_gone_as_well_as_those_below_them() throws IOException {
    // prints once it ignores signals; its child ignores them, too
    Process parent =
        new ProcessBuilder("/bin/sh", "-c", "trap '' TERM; sleep 600 & echo ready; wait").start();
    try (BufferedReader lines = parent.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("ready");
      List<ProcessHandle> all =
          Stream.concat(parent.descendants(), Stream.of(parent.toHandle())).toList();
      assertThat(all).hasSize(2);

      Descendants.kill(all);

      await().untilAsserted(() -> assertThat(all).noneMatch(ProcessHandle::isAlive));
    } finally {
      parent.destroyForcibly();
    }
  }
}
