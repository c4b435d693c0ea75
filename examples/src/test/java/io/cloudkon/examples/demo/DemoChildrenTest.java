package io.cloudkon.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoChildrenTest {
  @TempDir Path folder;

  /** It told how to resume a run whose cluster ended with the demo. */
  @Test
  void client_does_not_hear_the_ctrl_c_that_ends_the_demo() throws Exception {
    try (DemoChildren children = new DemoChildren(folder)) {
      Process client =
          children.startInTheOpen("a client", List.of("/bin/sh", "-c", "kill -INT $$; exit 7"));

      assertThat(client.waitFor()).isEqualTo(7);
    }
  }
}
