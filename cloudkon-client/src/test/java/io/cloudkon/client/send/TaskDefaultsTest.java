package io.cloudkon.client.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskDefaultsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0,   0, -1,   0, 0",
    "0, 2,   0, -1,   0, 2",
    "0, 2,   0,  0,   0, 0",
    "9, 2,   0, -1,   9, 2",
    "9, 2,   5, -1,   5, 2",
    "9, 2,   0,  1,   9, 1",
    "9, 2,   5,  1,   5, 1"
  })
  void what_a_task_says_itself_goes_before_what_the_run_says(
      long runsTimeout, int runsRetries, long timeout, int retries, long sent, int sentRetries) {
    Task task = new Task(3, "id", Work.Noop.INSTANCE, timeout, retries);

    Task applied = new TaskDefaults(runsTimeout, runsRetries).apply(task);

    assertThat(applied).isEqualTo(new Task(3, "id", Work.Noop.INSTANCE, sent, sentRetries));
  }
}
