package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.port.MissingResourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerEndTest {
  private final List<String> ended = new ArrayList<>();
  private final WorkerEnd end = new WorkerEnd(() -> Optional.of("i-1"), ended::add);

  @Test
  void work_that_is_done_ends_the_instance_and_tells_its_exit_code() throws Exception {
    assertThat(end.after(() -> 11)).isEqualTo(11);

    assertThat(ended).containsExactly("i-1");
  }

  @Test
  void cluster_that_is_missing_ends_the_instance() {
    assertThatThrownBy(() ->
            end.after(() -> {
              throw new MissingResourceException("queue", "Q", null);
            }))
        .isInstanceOf(MissingResourceException.class);

    assertThat(ended).containsExactly("i-1");
  }

  @Test
  void error_within_the_worker_ends_the_instance() {
    assertThatThrownBy(() ->
            end.after(() -> {
              throw new NoClassDefFoundError("gone");
            }))
        .isInstanceOf(NoClassDefFoundError.class);

    assertThat(ended).containsExactly("i-1");
  }

  @Test
  void signal_before_there_is_anything_to_drain_ends_the_instance_once() throws Exception {
    int code =
        end.after(() -> {
          end.onSignal("");
          return 0;
        });

    assertThat(code).isZero();
    assertThat(ended).containsExactly("i-1");
  }

  @Test
  void machine_that_no_provisioner_launched_stays() throws Exception {
    int code = new WorkerEnd(Optional::empty, ended::add).after(() -> 11);

    assertThat(code).isEqualTo(11);
    assertThat(ended).isEmpty();
  }
}
