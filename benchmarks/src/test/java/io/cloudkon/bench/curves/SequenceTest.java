package io.cloudkon.bench.curves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SequenceTest {
  @Test
  void threads_in_sequence_come_near_what_was_published_on_one_instance() {
    assertThat(Sequence.throughput(1, 4, 0)).isCloseTo(238, within(35.0));
    assertThat(Sequence.efficiency(16)).isCloseTo(40, within(6.0));
    assertThat(Sequence.efficiency(128)).isCloseTo(88, within(2.0));
    assertThat(Sequence.overhead(16)).isCloseTo(35, within(7.0));
  }
}
