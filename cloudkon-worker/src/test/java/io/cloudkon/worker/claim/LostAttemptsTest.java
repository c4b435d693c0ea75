package io.cloudkon.worker.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.memory.faults.Fate;
import io.cloudkon.core.memory.faults.Operation;
import io.cloudkon.core.memory.faults.ScriptedPlan;
import io.cloudkon.core.memory.faults.UnreliableCluster;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect.Survive;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.pipeline.Later;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostAttemptsTest {
  private static final String ID = "run/e/0";
  private static final Survive FIRST = new Survive(ID, 1);

  private final ScriptedPlan plan = new ScriptedPlan();
  private final ClaimStore store =
      new UnreliableCluster(new MemoryCloud(new ManualTime()).setup("Q"), plan).cluster().claims();
  private final Later later = new Later();
  private final LostAttempts lost =
      new LostAttempts(store, later, new BackOff(1, 1, new Random(1)), Runnable::run);

  @BeforeEach
  void claimed() {
    assertThat(
            store.acquire(
                new Acquisition(
                    ID, Acquisition.Mode.TAKE_OVER, "w", "n", 9, 0, 0, Positions.none(), 9)))
        .isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @AfterEach
  void close() {
    later.close();
  }

  private Claim claim() {
    return store.read(List.of(ID)).get(ID);
  }

  @Test
  void attempt_is_taken_back_by_one_call() {
    lost.takeBack(FIRST);

    assertThat(claim().countedAttempts()).isZero();
    assertThat(lost.none()).isTrue();
    assertThat(plan.calls(Operation.CLAIM_SURVIVE)).isEqualTo(1);
  }

  @Test
  void attempt_is_taken_back_when_the_outage_is_over() {
    for (int call = 1; call <= 5; call++) {
      plan.at(Operation.CLAIM_SURVIVE, call, Fate.THROTTLED);
    }
    lost.takeBack(FIRST);

    await().until(lost::none);
    assertThat(claim().survived()).isEqualTo(Positions.of(1));
  }

  @Test
  void claim_is_not_asked_for_before_what_was_lost_of_it_is_taken_back() {
    later.close();
    plan.at(Operation.CLAIM_SURVIVE, 1, Fate.THROTTLED);
    plan.at(Operation.CLAIM_SURVIVE, 2, Fate.THROTTLED);
    lost.takeBack(FIRST);

    assertThatThrownBy(() -> lost.takeBackThoseOf(ID))
        .isInstanceOf(TransientServiceException.class);
    lost.takeBackThoseOf("run/e/1");
    assertThat(claim().countedAttempts()).isEqualTo(1);
    lost.takeBackThoseOf(ID);

    assertThat(claim().countedAttempts()).isZero();
    assertThat(lost.none()).isTrue();
  }

  @Test
  void refusal_is_an_answer() {
    lost.takeBack(new Survive("run/e/gone", 1));

    assertThat(lost.none()).isTrue();
  }

  @Test
  void worker_that_lost_nothing_makes_no_call() {
    lost.takeBackThoseOf(ID);

    assertThat(plan.calls(Operation.CLAIM_SURVIVE)).isZero();
  }
}
