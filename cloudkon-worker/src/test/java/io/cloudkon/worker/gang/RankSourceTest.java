package io.cloudkon.worker.gang;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.OfferCodec;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.hpc.rmi.Address;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Offers of a memory queue, of which some are none. */
@Timeout(60)
class RankSourceTest {
  private static final String MANAGER = "127.0.0.1:4711";

  private final RequestQueue queue = new MemoryCloud(new ManualTime()).setup("Q").hpc().ranks();
  private final GangInbox inbox = new GangInbox();
  private final Told told = new Told(inbox);
  private final Set<Integer> unlucky = ConcurrentHashMap.newKeySet();
  private volatile int slots;
  private final RankSource source =
      new RankSource(
          queue, () -> slots, inbox, this::arrived, new BackOff(1, 1, new Random(1)), () -> 0L);

  private boolean arrived(String handle, RankOffer offer) {
    Address unused = Address.parse(offer.manager());
    if (unlucky.contains(offer.rank())) {
      throw new IllegalStateException("planted");
    }
    return true;
  }

  @AfterEach
  void close() throws Exception {
    source.close();
  }

  private static OutgoingMessage offer(int rank, String manager) {
    return OfferCodec.encode(
        new RankOffer("g", "r/e/0", 1, rank, 9, manager, "s3cr3t", 99, ""), "client");
  }

  private void take(int some) {
    slots = some;
    source.look();
  }

  private List<Integer> offered() throws InterruptedException {
    return ((SubWorkerEvent.Offered) told.subWorker())
        .offers().stream().map(SubWorkerEvent.Offer::rank).toList();
  }

  @Test
  void messages_that_are_no_offers_are_deleted_and_the_others_arrive() throws Exception {
    queue.send(
        List.of(
            offer(1, MANAGER),
            new OutgoingMessage(Map.of(), "no offer".getBytes(UTF_8)),
            offer(2, "/:99999"),
            offer(3, "nobody"),
            offer(4, MANAGER)));

    take(9);

    assertThat(offered()).containsExactly(1, 4);
    await().until(() -> queue.depth().inFlight() == 2);
    assertThat(queue.depth().waiting()).isZero();
  }

  @Test
  void offer_that_cannot_be_taken_now_stays_and_the_others_arrive() throws Exception {
    unlucky.add(2);
    queue.send(List.of(offer(1, MANAGER), offer(2, MANAGER), offer(3, MANAGER)));

    take(9);

    assertThat(offered()).containsExactly(1, 3);
    assertThat(queue.depth().inFlight()).isEqualTo(3);
  }

  @Test
  void no_more_is_received_than_there_are_slots() throws Exception {
    queue.send(List.of(offer(1, MANAGER), offer(2, MANAGER), offer(3, MANAGER)));

    take(2);

    assertThat(offered()).containsExactly(1, 2);
    assertThat(offered()).as("as the test never says that there are fewer").containsExactly(3);
  }

  @Test
  void stop_ends_the_receive_that_is_under_way() throws Exception {
    take(1);
    source.close();

    queue.send(List.of(offer(1, MANAGER)));

    assertThat(queue.depth().waiting()).isEqualTo(1);
    told.nothingElse();
  }

  /** Such slots come without a change of their number: the worker was sick. */
  @Test
  void slots_of_which_nobody_tells_are_found() throws Exception {
    queue.send(List.of(offer(1, MANAGER)));

    slots = 1;

    assertThat(offered()).containsExactly(1);
  }
}
