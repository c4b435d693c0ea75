package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.FetchResults;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.ReadClaims;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.Resend;
import io.cloudkon.core.time.Moment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Bundles of which nothing is heard, where each task has a claim. */
class TaskSilenceTest {
  private static final String ID = "run/e/0";
  private static final long DAYS_13 = 13L * 24 * 3_600_000;

  private final CompletenessMachine machine =
      new CompletenessMachine("run", "e", true, ClaimScope.TASK, CompletenessSettings.DEFAULT);
  private Moment now = new Moment(0, 9_000_000);

  private void sent(int tasks) {
    assertThat(machine.bundle(tasks)).isZero();
    machine.sent(0, now);
    assertThat(machine.allSent(now)).isEmpty();
  }

  private List<CompletenessEffect> lookAfter(long millis) {
    now = now.plus(millis);
    return machine.lookForSilence(now);
  }

  private static List<String> asked(CompletenessEffect effect) {
    return ((ReadClaims) effect).ids();
  }

  private static String id(int position) {
    return BundleIds.taskClaim(ID, position);
  }

  private static Claim claim(int position, ClaimState state, long leaseEnd) {
    return new Claim(
        id(position),
        state,
        "w",
        "n",
        1,
        1,
        0,
        leaseEnd,
        Positions.of(0),
        Positions.none(),
        new TreeMap<>(),
        0);
  }

  @Test
  void claims_of_the_tasks_without_a_result_are_read() {
    sent(4);
    assertThat(machine.offer(ID, 1, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    assertThat(machine.offer(ID, 2, true)).isEqualTo(CompletenessMachine.Verdict.PROVISIONAL);

    assertThat(lookAfter(600_000)).containsExactly(new ReadClaims(List.of(id(0), id(3))));
  }

  @Test
  void claims_of_a_large_bundle_are_read_a_hundred_at_a_time() {
    sent(250);
    List<CompletenessEffect> effects = lookAfter(600_000);
    assertThat(effects).hasSize(3);
    assertThat(effects).allMatch(effect -> asked(effect).size() <= 100);
    assertThat(asked(effects.getLast())).last().isEqualTo(id(249));
  }

  @Test
  void task_that_is_done_is_looked_for_and_the_others_are_left_alone() {
    sent(3);
    List<String> ids = asked(lookAfter(600_000).getFirst());
    Claim done = claim(1, ClaimState.DONE, 0);
    Claim runs = claim(2, ClaimState.LEASED, now.service() + 10_000);

    List<CompletenessEffect> effects =
        machine.claimsRead(ids, Map.of(id(1), done, id(2), runs), now);

    assertThat(effects).singleElement().isInstanceOf(FetchResults.class);
    FetchResults fetch = (FetchResults) effects.getFirst();
    assertThat(fetch.ordinals()).containsExactly(1);
    assertThat(fetch.claim()).isEqualTo(done);
    assertThat(machine.fetched(fetch, now)).hasSize(1);
    assertThat(machine.provisionallyLost()).isEqualTo(1);
  }

  @Test
  void task_without_a_claim_is_still_queued() {
    sent(2);
    List<String> ids = asked(lookAfter(600_000).getFirst());
    assertThat(machine.claimsRead(ids, Map.of(), now)).isEmpty();
  }

  @Test
  void old_bundle_is_sent_again_whole_and_once_however_many_of_its_tasks_are_nowhere() {
    sent(150);
    List<CompletenessEffect> reads = lookAfter(DAYS_13);
    assertThat(reads).hasSize(2);

    List<CompletenessEffect> first = machine.claimsRead(asked(reads.getFirst()), Map.of(), now);
    List<CompletenessEffect> second = machine.claimsRead(asked(reads.getLast()), Map.of(), now);

    assertThat(first).singleElement().isInstanceOf(Resend.class);
    assertThat(((Resend) first.getFirst()).bundle()).isEqualTo(ID);
    assertThat(((Resend) first.getFirst()).ordinals()).hasSize(150);
    assertThat(second).isEmpty();
  }

  @Test
  void old_bundle_with_one_expired_task_is_sent_again_with_its_tasks_in_their_places() {
    sent(3);
    List<String> ids = asked(lookAfter(DAYS_13).getFirst());
    Map<String, Claim> found = new HashMap<>();
    found.put(id(0), claim(0, ClaimState.LEASED, now.service() + 10_000));
    found.put(id(1), claim(1, ClaimState.LEASED, 0));
    found.put(id(2), claim(2, ClaimState.RELEASED, 0));

    assertThat(machine.claimsRead(ids, found, now))
        .singleElement()
        .satisfies(effect -> assertThat(((Resend) effect).ordinals()).containsExactly(0, 1, 2));
  }

  @Test
  void what_was_not_accepted_is_asked_for_anew_and_what_was_is_left_alone() {
    sent(2);
    List<String> ids = asked(lookAfter(DAYS_13).getFirst());
    assertThat(machine.claimsRead(ids, Map.of(), now)).hasSize(1);

    List<CompletenessEffect> again = lookAfter(5_000);
    assertThat(again).containsExactly(new ReadClaims(List.of(id(0), id(1))));
    assertThat(machine.claimsRead(asked(again.getFirst()), Map.of(), now))
        .singleElement()
        .isInstanceOf(Resend.class);
    machine.resent(ID, now);
    assertThat(lookAfter(6_000)).isEmpty();
  }

  @Test
  void what_turned_up_meanwhile_is_not_sent_again() {
    sent(1);
    List<String> ids = asked(lookAfter(DAYS_13).getFirst());
    assertThat(machine.claimsRead(ids, Map.of(), now)).hasSize(1);

    List<CompletenessEffect> again = lookAfter(5_000);
    Claim runs = claim(0, ClaimState.LEASED, now.service() + 10_000);
    assertThat(machine.claimsRead(asked(again.getFirst()), Map.of(id(0), runs), now)).isEmpty();
    assertThat(lookAfter(6_000)).isEmpty();
  }
}
