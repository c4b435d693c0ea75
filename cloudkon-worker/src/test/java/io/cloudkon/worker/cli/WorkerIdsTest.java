package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.WorkerOrigin;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkerIdsTest {
  private static String fresh(String instance) {
    return WorkerIds.fresh(new WorkerOrigin("launch", instance, "process", ""), new Random(1));
  }

  @Test
  void launched_worker_goes_by_the_name_that_its_launcher_gave_it() {
    assertThat(fresh("Q-1-99442c23.1")).matches("Q-1-99442c23\\.1-[0-9a-f]{6}");
    assertThat(fresh("i-0123456789abcdef0")).matches("i-0123456789abcdef0-[0-9a-f]{6}");
  }

  @Test
  void long_name_keeps_its_end_which_tells_it_from_others() {
    assertThat(fresh("c".repeat(60) + "-1-99442c23.1"))
        .hasSize(47)
        .matches("c+-1-99442c23\\.1-[0-9a-f]{6}");
  }

  @Test
  void workers_of_one_instance_differ_and_one_without_is_named_after_its_machine() {
    Random random = new Random(1);
    WorkerOrigin origin = new WorkerOrigin("launch", "i-1", "", "");

    assertThat(WorkerIds.fresh(origin, random)).isNotEqualTo(WorkerIds.fresh(origin, random));
    assertThat(WorkerIds.fresh(WorkerOrigin.BY_HAND, random)).matches(".+-[0-9a-f]{6}");
  }
}
