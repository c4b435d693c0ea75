package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.MissingCredentialsException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.MissingResourceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ClusterWaitTest {
  private final List<Duration> pauses = new ArrayList<>();
  private final ClusterWait wait = new ClusterWait(pauses::add);
  private int looks;

  private Supplier<String> missingUntil(int look) {
    return () -> {
      looks++;
      if (looks < look) {
        throw new MissingResourceException("queue", "Q", null);
      }
      return "found";
    };
  }

  @Test
  void launched_worker_finds_the_cluster_that_is_made_meanwhile() throws Exception {
    assertThat(wait.find(true, missingUntil(4))).isEqualTo("found");
    assertThat(looks).isEqualTo(4);
    assertThat(pauses).isEqualTo(ClusterWait.PAUSES.subList(0, 3));
  }

  @Test
  void launched_worker_gives_up_after_five_minutes() {
    assertThatThrownBy(() -> wait.find(true, missingUntil(Integer.MAX_VALUE)))
        .isInstanceOf(MissingResourceException.class);

    assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void service_that_cannot_be_reached_is_tried_again_too() throws Exception {
    assertThat(wait.find(true, failingOnceWith(new CloudKonException("sqs cannot be reached"))))
        .isEqualTo(2);
  }

  @Test
  void role_that_is_younger_than_its_instance_is_waited_for() throws Exception {
    assertThat(
            wait.find(
                true, failingOnceWith(new MissingCredentialsException("none", new Exception()))))
        .isEqualTo(2);
  }

  private Supplier<Integer> failingOnceWith(CloudKonException failure) {
    return () -> {
      looks++;
      if (looks == 1) {
        throw failure;
      }
      return looks;
    };
  }

  @Test
  void worker_by_hand_is_told_at_once() {
    assertThatThrownBy(() -> wait.find(false, missingUntil(2)))
        .isInstanceOf(MissingResourceException.class);

    assertThat(looks).isEqualTo(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void bad_usage_is_not_tried_again() {
    assertThatThrownBy(() ->
            wait.find(
                true,
                () -> {
                  throw new UsageException("no such option");
                }))
        .isInstanceOf(UsageException.class);

    assertThat(pauses).isEmpty();
  }
}
