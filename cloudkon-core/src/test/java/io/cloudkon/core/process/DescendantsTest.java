package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
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

  @Test
  void those_that_end_at_a_signal_are_asked_and_the_others_killed_after_the_grace()
      throws IOException {
    // the first child says that it was asked, the second ignores signals
    String gentle = "trap 'echo asked; exit' TERM; echo ready; while :; do sleep 0.01; done";
    String deaf = "trap '' TERM; echo ready; while :; do sleep 0.01; done";
    Process parent =
        new ProcessBuilder("/bin/sh", "-c", "(%s) & (%s) & wait".formatted(gentle, deaf)).start();
    try (BufferedReader lines = parent.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("ready");
      assertThat(lines.readLine()).isEqualTo("ready");
      List<ProcessHandle> children = parent.children().toList();
      assertThat(children).hasSize(2);

      Descendants.end(parent.toHandle(), Duration.ofMillis(200));

      assertThat(children).noneMatch(ProcessHandle::isAlive);
      assertThat(lines.readLine()).isEqualTo("asked");
      await().untilAsserted(() -> assertThat(parent.isAlive()).as("it waits for them").isFalse());
    } finally {
      parent.descendants().forEach(ProcessHandle::destroyForcibly);
      parent.destroyForcibly();
    }
  }
}
