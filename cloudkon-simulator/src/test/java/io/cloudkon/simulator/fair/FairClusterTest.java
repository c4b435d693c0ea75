package io.cloudkon.simulator.fair;

import static io.cloudkon.core.model.Priority.HIGH;
import static io.cloudkon.core.model.Priority.LOW;
import static io.cloudkon.core.model.Priority.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Priority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client with much to do, and others that come a moment later, on four slots. */
class FairClusterTest {
  /** As many as {@code -Dcloudkon.fair.tasks=1000000} says; a million takes half a minute. */
  private static final int TASKS = Integer.getInteger("cloudkon.fair.tasks", 100_000);

  private static SharedCluster much(Priority priority) {
    return new SharedCluster().client(TASKS, 10, priority);
  }

  private static double alone(int tasks, long millis, Priority priority) {
    return new SharedCluster().client(tasks, millis, priority).fair()[0];
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void second_client_takes_at_most_three_times_as_long_as_alone(long seed) {
    double alone = alone(100, 100, NORMAL);

    double[] took = much(NORMAL).client(100, 100, NORMAL).seed(seed).fair();

    assertThat(took[1] / alone).isLessThan(3);
    // The first client loses what the second one got, and little else.
    assertThat(took[0]).isLessThan(1.05 * (alone(TASKS, 10, NORMAL) + alone));
  }

  /** A standard queue delivers in about the order of sending: here one of the ten oldest. */
  @Test
  void second_client_takes_at_most_three_times_as_long_on_average_in_a_disorderly_queue() {
    double alone = alone(100, 100, NORMAL);
    double sum = 0;
    int seeds = 10;
    for (int seed = 1; seed <= seeds; seed++) {
      sum +=
          new SharedCluster()
              .client(10_000, 10, NORMAL)
              .client(100, 100, NORMAL)
              .seed(seed)
              .disorder(10)
              .fair()[1];
    }

    assertThat(sum / seeds / alone).isLessThan(3);
  }

  @Test
  void second_client_waits_for_all_of_the_first_where_the_cluster_is_not_fair() {
    double[] took = much(NORMAL).client(100, 100, NORMAL).unfair();

    // All that was sent before it came lies ahead.
    assertThat(took[1]).isGreaterThan(50 * alone(100, 100, NORMAL));
  }

  @ParameterizedTest
  @EnumSource(Priority.class)
  void client_that_is_alone_loses_at_most_a_twentieth_by_fairness(Priority priority) {
    double unfair = new SharedCluster().client(TASKS, 10, NORMAL).unfair()[0];

    assertThat(alone(TASKS, 10, priority)).isLessThan(1.05 * unfair);
  }

  @ParameterizedTest
  @CsvSource({"1, 10000", "200, 2000", "3000, 100", "30000, 40"})
  void client_that_is_alone_loses_at_most_a_twentieth_whatever_its_tasks_take(
      long millis, int tasks) {
    double unfair = new SharedCluster().client(tasks, millis, NORMAL).unfair()[0];

    assertThat(alone(tasks, millis, NORMAL)).isLessThan(1.05 * unfair);
  }

  @Test
  void second_client_is_served_by_its_priority() {
    double high = much(NORMAL).client(100, 100, HIGH).fair()[1];
    double normal = much(NORMAL).client(100, 100, NORMAL).fair()[1];
    double low = much(NORMAL).client(100, 100, LOW).fair()[1];

    assertThat(high).isLessThan(normal);
    assertThat(normal).isLessThan(low);
    // Of four slots, low has a fifth beside normal, and high four fifths.
    assertThat(low / high).isGreaterThan(2);
  }

  @Test
  void client_of_low_priority_hardly_delays_those_that_follow() {
    double behindLow = much(LOW).client(100, 100, NORMAL).fair()[1];
    double behindHigh = much(HIGH).client(100, 100, NORMAL).fair()[1];

    assertThat(behindLow / alone(100, 100, NORMAL)).isLessThan(1.6);
    assertThat(behindHigh).isGreaterThan(2 * behindLow);
  }

  @Test
  void three_clients_each_wait_for_the_others_shares_only() {
    double[] took = much(NORMAL).client(TASKS / 10, 10, NORMAL).client(100, 100, NORMAL).fair();

    // Two shares of 2 s lie ahead of its own, and it has a third of the slots.
    assertThat(took[2] / alone(100, 100, NORMAL)).isLessThan(5);
    double together = alone(TASKS, 10, NORMAL) + alone(TASKS / 10, 10, NORMAL) + 2.5;
    assertThat(took[0]).isLessThan(1.05 * together);
    assertThat(took[1]).isLessThan(3.2 * alone(TASKS / 10, 10, NORMAL));
  }
}
