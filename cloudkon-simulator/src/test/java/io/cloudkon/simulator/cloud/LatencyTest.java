package io.cloudkon.simulator.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyTest {
  private static final int DRAWS = 40_000;

  private static void check(long[] drawn, double medianMillis, double p99Millis) {
    Arrays.sort(drawn);
    assertThat((double) drawn[drawn.length / 2])
        .as("median")
        .isCloseTo(medianMillis * 1000, withinPercentage(5));
    assertThat((double) drawn[drawn.length * 99 / 100])
        .as("99th percentile")
        .isCloseTo(p99Millis * 1000, withinPercentage(5));
  }

  @ParameterizedTest
  @CsvSource({"8, 30", "5, 15", "30, 120", "100, 101"})
  void drawn_times_have_the_median_and_the_99th_percentile_that_were_asked_for(
      double median, double p99) {
    Latency latency = Latency.millis(median, p99);
    SplittableRandom random = new SplittableRandom(1);

    check(LongStream.range(0, DRAWS).map(i -> latency.draw(random)).toArray(), median, p99);
  }

  @Test
  void call_takes_there_and_back_together_as_long_as_was_asked_for() {
    Lab lab = new Lab(CloudSettings.calm(Latencies.all(Latency.millis(8, 30))), 1);
    SimQueue<String> queue = lab.queue();
    long[] sends = new long[DRAWS];
    long[] receives = new long[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      long begun = lab.timeline.now();
      lab.send(queue, "a").await();
      long sent = lab.timeline.now();
      List<Delivery<String>> received = lab.receive(queue);
      receives[i] = lab.timeline.now() - sent;
      sends[i] = sent - begun;
      lab.delete(queue, received).await();
    }

    check(sends, 8, 30);
    check(receives, 8, 30);
  }

  @Test
  void latency_that_is_always_the_same_is_drawn_as_that() {
    SplittableRandom random = new SplittableRandom(1);

    assertThat(Latency.always(2.5).draw(random)).isEqualTo(2_500);
    assertThat(Latency.always(0).draw(random)).isZero();
  }

  @Test
  void every_call_has_the_latency_of_its_service() {
    Latency sqs = Latency.always(1);
    Latency receive = Latency.always(2);
    Latency dynamo = Latency.always(3);
    Latency s3 = Latency.always(4);

    new Latencies(sqs, receive, dynamo, s3)
        .byCall()
        .forEach((call, latency) -> {
          String service = call.operation().split("\\.")[0];
          assertThat(latency)
              .as("%s", call)
              .isEqualTo(
                  switch (service) {
                    case "sqs" -> call.operation().contains("Receive") ? receive : sqs;
                    case "dynamodb" -> dynamo;
                    case "rmi" -> new Latency(300, 0);
                    case "ec2" -> new Latency(call == Call.INSTANCE_LIST ? 103_000 : 1_003_000, 0);
                    default -> s3;
                  });
        });
    assertThat(Latencies.all(s3).byCall()).containsOnlyKeys(Call.values());
  }

  @Test
  void negative_latency_is_refused() {
    assertThatThrownBy(() -> new Latency(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Latency.millis(10, 5)).isInstanceOf(IllegalArgumentException.class);
  }
}
