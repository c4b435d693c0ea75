package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.OfferCodec;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.memory.faults.ScriptedPlan;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.pipeline.Later;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OfferSenderTest {
  private static final long DEADLINE = ManualTime.BEGIN_MILLIS + 10_000;

  private final ScriptedPlan plan = new ScriptedPlan();
  private final ManualTime time = new ManualTime();
  private final RequestQueue ranks =
      new UnreliableCluster(new MemoryCloud(time).setup("Q"), plan).cluster().hpc().ranks();
  private final GangInbox inbox = new GangInbox();
  private final Told told = new Told(inbox);
  private final Later later = new Later();
  private final OfferSender sender =
      new OfferSender(ranks, inbox, later, new BackOff(1, 1, new Random(1)), time);

  @AfterEach
  void close() throws Exception {
    sender.close();
    later.close();
  }

  private void send(String gang, int rank) {
    sender.send(new RankOffer(gang, "run/e/0", 1, rank, 4, "h:1", "ticket", DEADLINE, ""), "c");
  }

  private List<Integer> sent() throws Exception {
    sender.close();
    List<Integer> sent = new ArrayList<>();
    for (ReceivedMessage message : ranks.receive(10, Duration.ZERO, Duration.ofSeconds(1))) {
      sent.add(OfferCodec.decode(message.payload()).rank());
    }
    return sent;
  }

  @Test
  void failure_tells_which_ranks_were_not_offered() throws Exception {
    plan.at(Operation.RANK_SEND, 1, Fate.THROTTLED);
    send("g", 2);
    assertThat(told.manager()).isEqualTo(new GangEvent.OfferFailed("g", Set.of(2)));

    send("g", 3);

    assertThat(sent()).containsExactly(3);
    told.nothingElse();
  }

  @Test
  void offer_that_has_expired_before_its_turn_is_not_sent() throws Exception {
    time.advanceMillis(10_000);

    send("g", 1);

    assertThat(sent()).isEmpty();
    assertThat(plan.calls(Operation.RANK_SEND)).isZero();
    told.nothingElse();
  }
}
