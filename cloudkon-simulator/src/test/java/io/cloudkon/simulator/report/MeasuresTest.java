package io.cloudkon.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.simulator.cloud.FaultSettings;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SleepTasks;
import io.cloudkon.simulator.world.TestWorld;
import org.junit.jupiter.api.Test;

class MeasuresTest {
  private final Measures measures = new Measures();
  private final Request of = new TestWorld(FaultSettings.NONE).request(new SleepTasks(2, 1));

  private ResultMessage results(ResultMessage.Stamps stamps) {
    return new ResultMessage(
        of,
        "w1",
        2,
        1,
        "n1",
        new int[] {0, 1},
        new TaskStatus[] {TaskStatus.SUCCEEDED, TaskStatus.FAILED},
        new long[] {70, 90},
        new long[] {90, 120},
        stamps,
        100,
        "");
  }

  private long only(PublishedStage stage) {
    assertThat(measures.histogram(stage).getTotalCount()).as("%s", stage).isEqualTo(1);
    return measures.histogram(stage).getMaxValue();
  }

  @Test
  void stages_of_a_task_add_up_to_its_whole_time() {
    ResultMessage.Stamps stamps = new ResultMessage.Stamps(20, 35, 50, 55, 65, 130);

    measures.took(results(stamps), 0, 10, 150, 160, 200);

    assertThat(only(PublishedStage.SEND)).isEqualTo(20 - 10);
    assertThat(only(PublishedStage.QUEUE)).isEqualTo(35 - 20);
    assertThat(only(PublishedStage.RECEIVE)).isEqualTo(50 - 35);
    assertThat(only(PublishedStage.CLAIM)).isEqualTo(65 - 55);
    assertThat(only(PublishedStage.WORKER)).isEqualTo(130 - 50);
    assertThat(only(PublishedStage.RUN)).isEqualTo(90 - 70);
    assertThat(only(PublishedStage.REPLY)).isEqualTo(150 - 130);
    assertThat(only(PublishedStage.RESULT_QUEUE)).isEqualTo(160 - 150);
    assertThat(only(PublishedStage.COLLECT)).isEqualTo(200 - 160);
    assertThat(only(PublishedStage.TOTAL)).isEqualTo(200 - 10);
    assertThat(
            only(PublishedStage.SEND)
                + only(PublishedStage.QUEUE)
                + only(PublishedStage.RECEIVE)
                + only(PublishedStage.WORKER)
                + only(PublishedStage.REPLY)
                + only(PublishedStage.RESULT_QUEUE)
                + only(PublishedStage.COLLECT))
        .isEqualTo(only(PublishedStage.TOTAL));
  }

  @Test
  void message_that_was_waited_for_has_no_time_in_its_queue() {
    // The worker began to receive before it was sent, the client before it was answered.
    ResultMessage.Stamps stamps = new ResultMessage.Stamps(20, 5, 50, 55, 65, 130);

    measures.took(results(stamps), 0, 10, 150, 100, 200);

    assertThat(only(PublishedStage.QUEUE)).isZero();
    assertThat(only(PublishedStage.RECEIVE)).isEqualTo(50 - 20);
    assertThat(only(PublishedStage.RESULT_QUEUE)).isZero();
    assertThat(only(PublishedStage.COLLECT)).isEqualTo(200 - 150);
  }

  @Test
  void ends_run_times_and_the_span_of_all_are_summed_up() {
    ResultMessage.Stamps stamps = new ResultMessage.Stamps(20, 35, 50, 55, 65, 130);
    measures.sending(12);
    measures.sending(10);
    measures.sending(40);
    measures.took(results(stamps), 0, 10, 150, 160, 200);
    measures.took(results(stamps), 1, 10, 150, 160, 210);
    measures.ended(TaskStatus.LOST, 205);
    measures.duplicate();

    assertThat(measures.count(TaskStatus.SUCCEEDED)).isEqualTo(1);
    assertThat(measures.count(TaskStatus.FAILED)).isEqualTo(1);
    assertThat(measures.count(TaskStatus.LOST)).isEqualTo(1);
    assertThat(measures.count(TaskStatus.CANCELLED)).isZero();
    assertThat(measures.runMicros()).isEqualTo(20 + 30);
    assertThat(measures.makespanMicros()).isEqualTo(210 - 10);
    assertThat(measures.duplicates()).isEqualTo(1);
    assertThat(measures.histogram(PublishedStage.TOTAL).getTotalCount()).isEqualTo(2);
  }

  @Test
  void nothing_measured_took_no_time() {
    assertThat(measures.makespanMicros()).isZero();
    measures.sending(10);
    assertThat(measures.makespanMicros()).isZero();
    for (PublishedStage stage : PublishedStage.values()) {
      assertThat(measures.histogram(stage).getTotalCount()).isZero();
    }
  }
}
