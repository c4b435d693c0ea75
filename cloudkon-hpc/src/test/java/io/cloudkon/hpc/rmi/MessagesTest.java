package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MessagesTest {
  private static final byte[] NONE = {};
  private static final Address HERE = Messages.HERE;

  @Test
  void a_registration_names_each_rank_once_and_at_least_one() {
    for (int[] ranks : List.of(new int[0], new int[] {1, 1}, new int[] {-1}, new int[] {4096})) {
      rejects(() -> new Registration("w", HERE, ranks, tickets(ranks.length), "s"));
    }
    rejects(() -> new Registration("", HERE, new int[] {1}, tickets(1), "s"));
    rejects(() -> new Registration("w", HERE, new int[] {1}, tickets(2), "s"));
    rejects(() -> new Registration("w", HERE, new int[] {1}, tickets(1), ""));
    rejects(() -> new Registration("w", HERE, new int[] {1}, new String[] {"a b"}, "s"));
  }

  private static String[] tickets(int count) {
    String[] tickets = new String[count];
    java.util.Arrays.fill(tickets, "ticket");
    return tickets;
  }

  @Test
  void a_start_has_a_peer_for_every_rank_and_a_launch_line_for_each_or_none() {
    rejects(() -> start(2, new int[] {2}, 2, 0));
    rejects(() -> start(2, new int[] {}, 2, 0));
    rejects(() -> start(2, new int[] {0}, 1, 0));
    rejects(() -> start(2, new int[] {0, 1}, 2, 1));
    rejects(() -> start(4097, new int[] {0}, 4097, 0));
    assertThat(start(2, new int[] {1, 0}, 2, 2).size()).isEqualTo(2);
  }

  private static StartRanks start(int size, int[] ranks, int peers, int launch) {
    Address[] addresses = new Address[peers];
    java.util.Arrays.fill(addresses, HERE);
    String[] lines = new String[launch];
    java.util.Arrays.fill(lines, "line");
    return new StartRanks("j", 1, size, ranks, NONE, addresses, tickets(peers), lines);
  }

  @Test
  void an_end_keeps_no_more_than_was_written_and_is_not_before_its_start() {
    rejects(() -> end("OK", new byte[2], 1, 1, 2));
    rejects(() -> end("OK", NONE, 0, 3, 2));
    rejects(() -> end("not ok", NONE, 0, 1, 2));
    assertThat(end("OK", NONE, 9, 0, 0).stdoutBytes()).isEqualTo(9);
  }

  private static RankEnd end(String status, byte[] out, long written, long started, long ended) {
    return new RankEnd(
        "j", 1, 0, status, 0, out, written, NONE, 0, NONE, 0, "", started, ended, false);
  }

  @Test
  void an_end_can_keep_less_of_each_output_and_still_says_how_much_there_was() {
    byte[] out = {1, 2, 3};
    RankEnd end = new RankEnd("j", 1, 2, "OK", 4, out, 10, out, 11, out, 12, "error", 5, 6, true);

    assertThat(end.keeping(2))
        .usingRecursiveComparison()
        .isEqualTo(
            new RankEnd(
                "j",
                1,
                2,
                "OK",
                4,
                new byte[] {1, 2},
                10,
                new byte[] {1, 2},
                11,
                new byte[] {1, 2},
                12,
                "error",
                5,
                6,
                true));
    assertThat(end.keeping(3)).isSameAs(end);
  }

  @Test
  void ranks_attempts_and_leases_are_not_negative() {
    rejects(() -> new KillRanks("j", -1));
    rejects(() -> new RankMessage("j", 1, -1, 0, NONE));
    rejects(() -> new Standing(true, -1));
    rejects(() -> new Welcome(new int[0], -1));
  }

  @Test
  void default_bounds_are_those_of_the_protocol() {
    RmiSettings defaults = RmiSettings.defaults();

    assertThat(defaults)
        .isEqualTo(
            new RmiSettings(
                1000, 2000, 8_388_608L, 268_435_456, 806_354_944L, 30_000, 4096, 128, 5_000));
    assertThat(defaults.callMillis(0)).isEqualTo(3000);
    assertThat(defaults.callMillis(16 << 20)).isEqualTo(5000);
    rejects(() -> defaults.withTimeouts(0, 1));
  }

  /** In a rolling upgrade, managers of the former version accept workers of this one. */
  @Test
  void welcome_of_a_manager_that_calls_nobody_back_does_not_say_unreached() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
    out.writeShort(ObjectStreamConstants.STREAM_VERSION);
    out.writeByte(ObjectStreamConstants.TC_OBJECT);
    describe(out, Welcome.class.getName(), 0, 2);
    out.writeByte('J');
    out.writeUTF("leaseMillis");
    out.writeByte('[');
    out.writeUTF("accepted");
    out.writeByte(ObjectStreamConstants.TC_STRING);
    out.writeUTF("[I");
    endDescription(out);
    out.writeLong(700);
    out.writeByte(ObjectStreamConstants.TC_ARRAY);
    describe(out, "[I", ObjectStreamClass.lookup(int[].class).getSerialVersionUID(), 0);
    endDescription(out);
    out.writeInt(1);
    out.writeInt(3);

    Welcome read =
        (Welcome) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

    assertThat(read.accepted()).containsExactly(3);
    assertThat(read.leaseMillis()).isEqualTo(700);
    assertThat(read.unreached()).isFalse();
  }

  private static void describe(DataOutputStream out, String name, long uid, int fields)
      throws IOException {
    out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
    out.writeUTF(name);
    out.writeLong(uid);
    out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
    out.writeShort(fields);
  }

  private static void endDescription(DataOutputStream out) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    out.writeByte(ObjectStreamConstants.TC_NULL);
  }

  private static void rejects(ThrowingCallable made) {
    assertThatIllegalArgumentException().isThrownBy(made).withMessageStartingWith("expected ");
  }
}
