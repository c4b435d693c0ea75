package io.cloudkon.bench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.simulator.cloud.Latencies;
import io.cloudkon.simulator.cloud.Latency;
import org.junit.jupiter.api.Test;

class LatencyTextTest {
  @Test
  void bare_number_is_every_call() {
    assertThat(new LatencyText("8").over(Latencies.TODAY))
        .isEqualTo(Latencies.all(Latency.always(8)));
  }

  @Test
  void service_that_is_not_named_keeps_what_it_had() {
    Latencies all = new LatencyText("sqs=8/30, dynamodb=1.5ms").over(Latencies.TODAY);

    assertThat(all.sqs()).isEqualTo(Latency.millis(8, 30));
    assertThat(all.receive()).isEqualTo(Latency.millis(8, 30));
    assertThat(all.dynamo()).isEqualTo(Latency.always(1.5));
    assertThat(all.s3()).isEqualTo(Latencies.TODAY.s3());
  }
}
