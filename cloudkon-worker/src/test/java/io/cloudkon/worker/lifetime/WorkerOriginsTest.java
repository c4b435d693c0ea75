package io.cloudkon.worker.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.WorkerOrigin;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where a worker comes from. */
class WorkerOriginsTest {

  @Test
  void worker_without_the_variables_was_started_by_hand() {
    assertThat(WorkerOrigins.fromEnvironment(Map.of("PATH", "/bin")))
        .isEqualTo(WorkerOrigin.BY_HAND);
  }

  @Test
  void launcher_says_all_of_it() {
    WorkerOrigin origin =
        WorkerOrigins.fromEnvironment(
            Map.of(
                "CLOUDKON_LAUNCH", "token-1",
                "CLOUDKON_INSTANCE", "i-0abc",
                "CLOUDKON_INSTANCE_TYPE", "c7i.large",
                "CLOUDKON_LIFE_CYCLE", "spot"));

    assertThat(origin).isEqualTo(new WorkerOrigin("token-1", "i-0abc", "c7i.large", "spot"));
    assertThat(origin.launched()).isTrue();
  }
}
