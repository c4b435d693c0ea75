package io.cloudkon.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DemoChildrenEndTest {
  @TempDir Path folder;

  /** As a provisioner does with a worker that has died. */
  @Test
  @EnabledOnOs(OS.LINUX) // the arguments of other processes can be read there
  void nothing_survives_that_is_started_for_a_child_that_was_killed() {
    String mark = "60" + System.nanoTime();
    DemoChildren children = new DemoChildren(folder);
    try (children) {
      for (int i = 0; i < 4; i++) {
        DemoChild unused =
            children.start(
                "parent", List.of("/bin/sh", "-c", "while :; do sleep " + mark + "; done"));
      }
      await().until(() -> sleeping(mark) == 4);
    }
    assertThat(children.alive()).isEmpty();
    assertThat(sleeping(mark)).isZero();
  }

  private static long sleeping(String mark) {
    return ProcessHandle.allProcesses()
        .filter(process ->
            process.info().command().orElse("").endsWith("sleep")
                && List.of(process.info().arguments().orElse(new String[0])).contains(mark))
        .count();
  }
}
