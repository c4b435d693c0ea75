package io.cloudkon.worker.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClaimCallerTest {
  private static final String ID = "r/e/0";

  private final ManualTime time = new ManualTime();
  private final ClaimStore store = new MemoryCloud(time).setup("Q").claims();
  private final Queue<Runnable> io = new ArrayDeque<>();
  private final Later later = new Later();
  private final ClaimCaller claims =
      new ClaimCaller(
          store, "w", time, event -> {}, later, new BackOff(1, 1, new Random(1)), io::add);

  @AfterEach
  void close() {
    later.close();
  }

  @Test
  void lost_attempt_is_unsettled_before_anything_of_it_runs() {
    assertThat(
            store.acquire(
                new Acquisition(
                    ID, Acquisition.Mode.TAKE_OVER, "w", "n", 9, 0, 0, Positions.none(), 9)))
        .isInstanceOf(ClaimAnswer.Accepted.class);

    claims.call(inHand(), new ClaimEffect.Survive(ID, 1));

    assertThat(claims.settled()).isFalse();
    io.remove().run();
    assertThat(claims.settled()).isTrue();
    assertThat(store.read(List.of(ID)).get(ID).survived()).isEqualTo(Positions.of(1));
  }

  @Test
  void attempt_is_the_granted_one_where_the_former_owner_had_to_be_waited_for() {
    acquire("other", "before");
    BundleInHand inHand = inHand();

    call(inHand, time.now().service());
    call(inHand, Long.MAX_VALUE);

    assertThat(inHand.attempt(0)).isEqualTo(2);
  }

  @Test
  void attempt_is_shown_by_a_refusal_where_the_answer_to_the_grant_was_lost() {
    acquire("other", "before");
    acquire("w", "nonce");
    BundleInHand inHand = inHand();

    call(inHand, time.now().service());

    assertThat(inHand.attempt(0)).isEqualTo(2);
  }

  private void acquire(String owner, String nonce) {
    assertThat(store.acquire(acquisition(owner, nonce, Long.MAX_VALUE)))
        .isInstanceOf(ClaimAnswer.Accepted.class);
  }

  private void call(BundleInHand inHand, long expiredBefore) {
    claims.call(inHand, new ClaimEffect.Acquire(acquisition("w", "nonce", expiredBefore)));
    io.remove().run();
  }

  private Acquisition acquisition(String owner, String nonce, long expiredBefore) {
    long leaseEnd = time.now().service() + 9;
    return new Acquisition(
        ID,
        Acquisition.Mode.TAKE_OVER,
        owner,
        nonce,
        leaseEnd,
        expiredBefore,
        0,
        Positions.none(),
        leaseEnd);
  }

  private static BundleInHand inHand() {
    BundleHeader header =
        new BundleHeader("r", "e", ID, "Q-r", Consistency.EXACTLY_ONCE, 1024, 0, 0, 0);
    Bundle bundle = new Bundle(header, List.of(new Task(0, "1", Work.Noop.INSTANCE, 0)));
    return new BundleInHand(1, bundle, "handle", 1, "nonce", 0, 0);
  }
}
