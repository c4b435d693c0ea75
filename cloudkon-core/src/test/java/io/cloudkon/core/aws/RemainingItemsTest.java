package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.SlotTimes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class RemainingItemsTest {
  private static RemainingWork work(double taskMicros, double jobMicros, long jobs) {
    return new RemainingWork(
        7, new SlotTimes(taskMicros, jobMicros), jobs, 4, Set.of(Work.Kind.EXEC));
  }

  /** As a client wrote it that had one average over tasks and jobs. */
  private static RemainingWork ofOlderClient(double micros, long jobs) {
    Map<String, AttributeValue> map =
        new HashMap<>(RemainingItems.encode(work(micros, 0, jobs), jobs).m());
    map.put("taskMicros", Items.of(micros));
    map.keySet().removeAll(Set.of("jobMicros", "taskOnlyMicros"));
    return RemainingItems.decode(AttributeValue.fromM(map));
  }

  @Test
  void times_of_tasks_and_of_jobs_are_read_again() {
    RemainingWork work = work(1_000, 5e9, 2);

    assertThat(RemainingItems.decode(RemainingItems.encode(work, 10))).isEqualTo(work);
  }

  /** As an older provisioner reads it: times the number of what is unfinished. */
  private static double mean(RemainingWork work, long unfinished) {
    return Items.real(RemainingItems.encode(work, unfinished).m(), "taskMicros");
  }

  @Test
  void older_provisioner_reads_the_mean_of_what_is_left() {
    assertThat(mean(work(0, 5e9, 2), 2)).as("jobs only").isEqualTo(5e9);
    assertThat(mean(work(1_000, 9_000, 2), 8)).isEqualTo(3_000);
    assertThat(mean(work(1_000, 0, 0), 8)).isEqualTo(1_000);
    assertThat(mean(work(1_000, 0, 2), 8)).as("jobs are not known yet").isEqualTo(1_000);
    assertThat(mean(work(1_000, 0, 0), 0)).isEqualTo(1_000);
  }

  @Test
  void entry_of_an_earlier_checkout_has_the_times_of_tasks_and_jobs_under_other_names() {
    Map<String, AttributeValue> map =
        new HashMap<>(RemainingItems.encode(work(1_000, 5e9, 2), 2).m());
    map.remove("taskOnlyMicros");
    map.put("taskMicros", Items.of(1_000.0));

    assertThat(RemainingItems.decode(AttributeValue.fromM(map))).isEqualTo(work(1_000, 5e9, 2));
  }

  @Test
  void one_average_of_an_older_client_is_that_of_tasks_only_without_jobs() {
    assertThat(ofOlderClient(1_000, 0)).isEqualTo(work(1_000, 0, 0));
    assertThat(ofOlderClient(5e8, 2)).isEqualTo(work(0, 5e8, 2));
  }
}
