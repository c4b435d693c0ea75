package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.time.Moment;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final Positions TASK = Positions.of(0);
  private static final Moment NOW = new Moment(0, 0);

  private static Retries after(int tried) {
    Task task = new Task(0, "", Work.Noop.INSTANCE, 0, 2, tried);
    return Retries.of(Consistency.EXACTLY_ONCE, List.of(task), RetrySettings.DEFAULT);
  }

  @Test
  void tries_before_the_task_was_handed_on_count() {
    Retries retries = after(1);

    assertThat(retries.again(TASK, NOW)).isEqualTo(TASK);
    assertThat(retries.again(TASK, NOW).isEmpty()).isTrue();
    assertThat(after(2).again(TASK, NOW).isEmpty()).isTrue();
  }

  @Test
  void back_off_goes_on_where_it_was() {
    Retries retries = after(1);
    Positions unused = retries.again(TASK, NOW);

    assertThat(retries.due(new Moment(RetrySettings.DEFAULT.after(2) - 1, 0)).isEmpty()).isTrue();
    assertThat(retries.due(new Moment(RetrySettings.DEFAULT.after(2), 0))).isEqualTo(TASK);
  }
}
