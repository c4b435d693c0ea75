package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bare calls begin on an idle cluster, or not at all. */
class IdleWaitTest {
  private final ManualTime time = new ManualTime();
  private final List<String> asked = new ArrayList<>();

  @Test
  void wait_ends_once_every_queue_was_empty() throws InterruptedException {
    IdleWait.await(
        List.of("q", "q-hpc"),
        queue -> {
          asked.add(queue);
          return queue.equals("q") || asked.size() > 2;
        },
        time);
    assertThat(asked).containsExactly("q", "q-hpc", "q", "q-hpc");
  }

  @Test
  void message_that_nobody_takes_ends_the_wait() {
    assertThatThrownBy(() ->
            IdleWait.await(
                List.of("q", "q-hpc"),
                queue -> {
                  time.advance(Duration.ofSeconds(40));
                  return queue.equals("q");
                },
                time))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("messages are left after 120 s in [q-hpc]");
  }
}
