package io.cloudkon.core.protocol.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.intake.ReceiveTimes.Message;
import io.cloudkon.core.time.Moment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReceiveTimesTest {
  private static final Moment BEGUN = new Moment(500, 3_000_000);

  private static ReceiveTimes of(long micros, Message... messages) {
    return ReceiveTimes.of(BEGUN, micros, Arrays.asList(messages));
  }

  private static Message sent(long afterMillis) {
    return new Message(BEGUN.service() + afterMillis, 1);
  }

  @Test
  void of_message_that_was_there_the_whole_time_is_the_round_trip() {
    assertThat(of(7_000, sent(-60_000))).isEqualTo(new ReceiveTimes(0, 7_000));
    assertThat(of(7_000, sent(-1), sent(3))).isEqualTo(new ReceiveTimes(0, 7_000));
  }

  @Test
  void of_message_that_was_sent_during_the_wait_only_the_wait_is_known() {
    assertThat(of(10_005_000, sent(10_000))).isEqualTo(new ReceiveTimes(10_000, -1));
    assertThat(of(10_005_000, sent(10_000), sent(9_000))).isEqualTo(new ReceiveTimes(9_000, -1));
  }

  @Test
  void of_clock_that_is_ahead_waits_no_longer_than_the_receive_took() {
    assertThat(of(7_000, sent(90_000))).isEqualTo(new ReceiveTimes(7, -1));
  }

  /** It may have been hidden until a moment ago. */
  @Test
  void of_message_that_was_received_before_nothing_is_known() {
    Message again = new Message(BEGUN.service() - 60_000, 2);
    assertThat(of(10_005_000, again)).isEqualTo(new ReceiveTimes(0, -1));
    assertThat(of(7_000, again, sent(-1))).isEqualTo(new ReceiveTimes(0, 7_000));
  }

  @Test
  void of_nothing_is_nothing() {
    assertThat(of(20_000_000)).isEqualTo(new ReceiveTimes(0, -1));
  }

  @Test
  void hiddenSince_clocks_that_may_differ_is_the_margin_before_the_first_message_was_sent() {
    assertThat(new ReceiveTimes(9_000, -1).hiddenSince(BEGUN, 2_000)).isEqualTo(BEGUN.plus(7_000));
    assertThat(new ReceiveTimes(1_000, -1).hiddenSince(BEGUN, 2_000)).isEqualTo(BEGUN);
    assertThat(new ReceiveTimes(0, 7_000).hiddenSince(BEGUN, 2_000)).isEqualTo(BEGUN);
  }
}
