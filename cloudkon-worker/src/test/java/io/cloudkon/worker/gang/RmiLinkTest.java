package io.cloudkon.worker.gang;

import static io.cloudkon.worker.gang.RankBed.GANG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.Endpoint;
import io.cloudkon.hpc.rmi.Identity;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.ManagerPort;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.Registration;
import io.cloudkon.hpc.rmi.Report;
import io.cloudkon.hpc.rmi.RmiSettings;
import io.cloudkon.hpc.rmi.Secrets;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import io.cloudkon.hpc.rmi.Welcome;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rank 0 is here, ranks 1 and 2 are at an endpoint of the test's own. */
@Timeout(60)
class RmiLinkTest {
  private static final int MOST_BYTES = 1_000;
  private static final RmiSettings SETTINGS =
      new RmiSettings(100, 100, 8 << 20, MOST_BYTES, 4 * MOST_BYTES, 30_000, 100, 128, 5_000);

  private static final Address HERE = new Address("127.0.0.1", 1);

  private final Secrets secrets = new Secrets();
  private final Other other = new Other();
  private final Endpoint endpoint =
      Endpoint.open("127.0.0.1", 0, other, other, secrets, Identity.none(), RmiSettings.defaults());
  private final RankBed bed = new RankBed(SETTINGS);
  private final StartRanks order = passing(RankBed.order(1, 3, endpoint.address(), 0));
  private final RmiLink link = new RmiLink(bed.runs, bed.stubs, GANG, order, 0);

  /** With passes to the other worker. */
  private StartRanks passing(StartRanks order) {
    String[] passes = new String[order.size()];
    Arrays.fill(passes, Secrets.pass(secrets.own(GANG), 0));
    return new StartRanks(
        order.job(),
        order.attempt(),
        order.size(),
        order.ranks(),
        order.bundle(),
        order.peers(),
        passes,
        order.launch());
  }

  private void admit() {
    secrets.serve(GANG, "");
    secrets.peers(GANG, new Address[] {HERE, endpoint.address(), endpoint.address()});
  }

  RmiLinkTest() {
    admit();
  }

  @AfterEach
  void close() throws Exception {
    other.closed.countDown();
    bed.close();
    endpoint.close();
  }

  /** The other worker: says of each message whether it has room. */
  private static final class Other implements ManagerPort, SubWorkerPort {
    final List<RankMessage> got = new CopyOnWriteArrayList<>();
    final CountDownLatch closed = new CountDownLatch(1);
    volatile Predicate<RankMessage> takes = message -> true;

    @Override
    public boolean deliver(String gang, RankMessage message) {
      got.add(message);
      return takes.test(message);
    }

    @Override
    public Welcome register(String gang, Registration registration) {
      throw new AssertionError("only messages are sent here");
    }

    @Override
    public Standing report(String gang, Report report) {
      throw new AssertionError("only messages are sent here");
    }

    @Override
    public void ping(String gang) {
      throw new AssertionError("only messages are sent here");
    }

    @Override
    public Standing start(String gang, StartRanks start) {
      throw new AssertionError("only messages are sent here");
    }

    @Override
    public void kill(String gang, KillRanks kill) {
      throw new AssertionError("only messages are sent here");
    }

    @Override
    public void dissolve(String gang) {
      throw new AssertionError("only messages are sent here");
    }
  }

  @Test
  void message_arrives_as_it_was_sent() throws Exception {
    byte[] frame = {1, 2, 3};

    link.send(2, frame);

    assertThat(other.got)
        .usingRecursiveComparison()
        .isEqualTo(List.of(new RankMessage(RankBed.JOB, 1, 0, 2, frame)));
  }

  @Test
  void rank_that_has_no_room_is_tried_until_it_has() throws Exception {
    other.takes = message -> other.got.size() == 3;

    link.send(1, new byte[10]);

    assertThat(other.got).hasSize(3);
  }

  @Test
  void worker_that_does_not_know_the_gang_yet_is_tried_until_it_does() throws Exception {
    secrets.leave(GANG);
    FutureTask<Boolean> sending = sending(new byte[10]);
    Thread.ofVirtual().start(sending);
    await().until(() -> secrets.late() >= 2);
    assertThat(sending).isNotDone();

    admit();

    assertThat(sending.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(other.got).hasSize(1);
  }

  private FutureTask<Boolean> sending(byte[] frame) {
    return new FutureTask<>(() -> {
      link.send(1, frame);
      return true;
    });
  }

  @Test
  void message_that_is_too_large_is_an_error_before_it_is_sent_wherever_the_other_rank_is()
      throws Exception {
    link.send(1, new byte[MOST_BYTES]);
    StartRanks both = passing(RankBed.order(1, 3, endpoint.address(), 0, 1));
    RmiLink within = new RmiLink(bed.runs, bed.stubs, GANG, both, 0);

    for (RmiLink each : List.of(link, within)) {
      assertThatThrownBy(() -> each.send(1, new byte[MOST_BYTES + 1]))
          .isInstanceOf(CloudKonException.class)
          .hasMessage(
              "rank 0 has a message of 1001 bytes for rank 1, but the limit is 1000; send it in"
                  + " parts, and gather in parts");
    }

    assertThat(other.got).hasSize(1);
  }

  @Test
  void message_that_fails_at_its_receiver_is_an_error_and_not_sent_again() {
    other.takes =
        message -> {
          throw new OutOfMemoryError("planted");
        };

    assertThatThrownBy(() -> link.send(1, new byte[10]))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContainingAll("rank 0 cannot send rank 1 a message of 10 bytes", "failed there");

    assertThat(other.got).hasSize(1);
  }

  @Test
  void message_over_a_slow_link_is_given_more_time_each_time() throws Exception {
    long takesMillis = 1_000;
    other.takes = message -> !ends(other.closed, takesMillis);

    link.send(1, new byte[10]);
    int tries = other.got.size();
    link.send(1, new byte[10]);

    assertThat(tries).isGreaterThan(1);
    assertThat(other.got).as("what it has learnt it keeps").hasSizeLessThan(2 * tries);
  }

  private static boolean ends(CountDownLatch latch, long withinMillis) {
    try {
      return latch.await(withinMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void interrupt_ends_a_message_that_nobody_takes() throws Exception {
    for (Predicate<RankMessage> never :
        List.<Predicate<RankMessage>>of(message -> false, message -> ends(other.closed, 60_000))) {
      other.got.clear();
      other.takes = never;
      FutureTask<Boolean> sending =
          new FutureTask<>(() -> {
            assertThatThrownBy(() -> link.send(1, new byte[10]))
                .isInstanceOf(InterruptedException.class);
            return Thread.currentThread().isInterrupted();
          });
      Thread sender = Thread.ofVirtual().start(sending);
      await().until(() -> !other.got.isEmpty());

      sender.interrupt();

      assertThat(sending.get(30, TimeUnit.SECONDS)).as("told once").isFalse();
    }
  }
}
