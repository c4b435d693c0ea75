package io.cloudkon.hpc.rank;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MailboxTest {

  @Test
  void frame_that_comes_again_is_taken_and_dropped() throws Exception {
    Mailbox mailbox = new Mailbox(2);
    assertThat(mailbox.deliver(1, frame(0, "a"))).isEqualTo(Mailbox.Delivery.TAKEN);
    assertThat(mailbox.deliver(1, frame(0, "a"))).isEqualTo(Mailbox.Delivery.TAKEN);
    assertThat(mailbox.deliver(1, frame(1, "b"))).isEqualTo(Mailbox.Delivery.TAKEN);

    assertThat(take(mailbox, 1)).isEqualTo("a");
    assertThat(mailbox.deliver(1, frame(0, "a"))).isEqualTo(Mailbox.Delivery.TAKEN);
    assertThat(take(mailbox, 1)).isEqualTo("b");
  }

  @Test
  void frame_before_its_turn_waits_for_it_and_is_known_meanwhile() throws Exception {
    Mailbox mailbox = new Mailbox(2);
    mailbox.deliver(1, frame(2, "c"));
    mailbox.deliver(1, frame(1, "b"));
    mailbox.deliver(1, frame(2, "again"));
    mailbox.deliver(0, frame(0, "other"));
    mailbox.deliver(1, frame(0, "a"));

    assertThat(take(mailbox, 1) + take(mailbox, 1) + take(mailbox, 1)).isEqualTo("abc");
    assertThat(take(mailbox, 0)).isEqualTo("other");
  }

  @Test
  void full_mailbox_refuses_until_there_is_room() throws Exception {
    Mailbox mailbox = new Mailbox(2, 200);
    assertThat(mailbox.deliver(1, frame(0, "x".repeat(100)))).isEqualTo(Mailbox.Delivery.TAKEN);
    assertThat(mailbox.deliver(1, frame(1, "y".repeat(100)))).isEqualTo(Mailbox.Delivery.FULL);
    assertThat(mailbox.deliver(1, frame(1, "y".repeat(100)), Duration.ofMillis(1)))
        .isEqualTo(Mailbox.Delivery.FULL);

    assertThat(take(mailbox, 1)).hasSize(100);

    assertThat(mailbox.deliver(1, frame(1, "y".repeat(100)))).isEqualTo(Mailbox.Delivery.TAKEN);
  }

  @Test
  void mailbox_costs_nothing_for_ranks_that_send_nothing() throws Exception {
    long few = Allocated.bytes(() -> fromTheLastOf(2));

    assertThat(Allocated.bytes(() -> fromTheLastOf(100_000))).isLessThan(few + 50_000);
  }

  private static void fromTheLastOf(int ranks) throws InterruptedException {
    Mailbox mailbox = new Mailbox(ranks);
    mailbox.deliver(ranks - 1, frame(0, "a"));
    assertThat(take(mailbox, ranks - 1)).isEqualTo("a");
  }

  @Test
  void empty_messages_fill_a_mailbox_too() throws Exception {
    Mailbox mailbox = new Mailbox(1, 1000);
    int taken = 0;
    while (mailbox.deliver(0, frame(taken, "")) == Mailbox.Delivery.TAKEN) {
      taken++;
    }
    assertThat(taken).isBetween(5, 100);
  }

  @Test
  void what_is_no_frame_of_a_rank_is_refused() {
    Mailbox mailbox = new Mailbox(2);
    refused(() -> mailbox.deliver(1, new byte[8]), "a frame from rank 1 has 8 bytes");
    refused(() -> mailbox.deliver(0, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 9}), "channel 9");
    refused(() -> mailbox.deliver(0, new byte[] {-1, 0, 0, 0, 0, 0, 0, 0, 0}), "number -");
    refused(() -> mailbox.deliver(2, frame(0, "")), "there is no rank 2 among 2 ranks");
    refused(() -> mailbox.deliver(-1, frame(0, "")), "there is no rank -1");
    refused(() -> new Mailbox(0), "1 rank or more");
  }

  private static void refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String part) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(part);
  }

  private static byte[] frame(long number, String text) {
    return new Frame(number, Channel.DIRECT, text.getBytes(UTF_8)).encode();
  }

  private static String take(Mailbox mailbox, int from) throws InterruptedException {
    return new String(mailbox.take(from, Channel.DIRECT), UTF_8);
  }
}
