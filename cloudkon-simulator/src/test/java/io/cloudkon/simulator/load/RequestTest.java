package io.cloudkon.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
  private static Request request(int tasks) {
    SimRun run =
        new SimRun(
            0, "20260101-120000-abcdef", Consistency.EXACTLY_ONCE, new SleepTasks(tasks, 16));
    BundleHeader header =
        new BundleHeader(
            run.id(),
            "0123456789abcdef",
            BundleIds.of(run.id(), "0123456789abcdef", 12),
            "Q-response-0123456789ab",
            run.consistency(),
            65_536,
            1_767_225_600_000_000L,
            1_767_225_600_000_000L,
            16_000L * tasks);
    return Request.of(
        run, new Bundle(header, IntStream.range(0, tasks).mapToObj(run.tasks()::task).toList()));
  }

  /** What is billed and batched by size must be as large as the message that would really go. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100, 4096})
  void size_is_about_that_of_the_message_as_SQS_counts_it(int tasks) {
    Request request = request(tasks);
    BundleHeader header = request.bundle().header();
    OutgoingMessage real =
        new OutgoingMessage(
            Map.of(
                OutgoingMessage.RUN,
                header.run(),
                OutgoingMessage.BUNDLE,
                header.bundle(),
                OutgoingMessage.RESPONSE_QUEUE,
                header.responseQueue()),
            BundleCodec.encode(request.bundle()));

    assertThat(request.bytes())
        .isCloseTo(real.countedBytes(), within(100 + real.countedBytes() / 20));
  }

  @Test
  void child_has_the_tasks_at_its_positions_and_a_name_of_its_own() {
    Request parent = request(10);

    Request child = parent.child(3, Positions.of(2, 7));

    assertThat(child.id()).isEqualTo(parent.id() + "/3");
    assertThat(child.run()).isEqualTo(parent.run());
    assertThat(child.bundle().tasks()).extracting(Task::ordinal).containsExactly(2, 7);
    assertThat(child.bytes()).isLessThan(parent.bytes());
  }
}
