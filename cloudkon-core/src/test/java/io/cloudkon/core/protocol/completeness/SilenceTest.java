package io.cloudkon.core.protocol.completeness;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.ProvisionalLost;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.ReadClaims;
import io.cloudkon.core.protocol.completeness.CompletenessEffect.Resend;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bundles of which nothing is heard. */
class SilenceTest {
  private static final String ID = "run/e/0";
  private static final long DAYS_13 = 13L * 24 * 3_600_000;

  private final CompletenessMachine machine =
      new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
  private Moment now = new Moment(0, 9_000_000);

  SilenceTest() {
    assertThat(machine.bundle(4)).isZero();
    machine.sent(0, now);
    assertThat(machine.allSent(now)).isEmpty();
  }

  private List<CompletenessEffect> look() {
    return machine.lookForSilence(now);
  }

  /** What follows from these claims; the blob store has nothing. */
  private List<CompletenessEffect> read(Map<String, Claim> found) {
    List<CompletenessEffect> effects = new ArrayList<>();
    for (CompletenessEffect effect : machine.claimsRead(List.copyOf(found.keySet()), found, now)) {
      if (effect instanceof CompletenessEffect.FetchResults fetch) {
        effects.addAll(machine.fetched(fetch, now));
      } else {
        effects.add(effect);
      }
    }
    return effects;
  }

  private static Claim claim(
      String id, ClaimState state, long leaseEnd, SortedMap<Integer, Child> children) {
    return new Claim(
        id, state, "w", "n", 1, 1, 0, leaseEnd, Positions.none(), Positions.none(), children, 0);
  }

  private Claim claim(ClaimState state) {
    return claim(ID, state, now.service() + 10_000, new TreeMap<>());
  }

  /** The bundle was silent for ten minutes, and its claim is asked for. */
  private void askedFor() {
    now = now.plus(600_000);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
  }

  @Test
  void bundle_is_looked_at_after_ten_minutes_then_after_twenty_then_forty() {
    now = now.plus(599_000);
    assertThat(look()).isEmpty();
    now = now.plus(1_000);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
    assertThat(look()).isEmpty();
    now = now.plus(1_199_000);
    assertThat(look()).isEmpty();
    now = now.plus(1_000);
    assertThat(look()).hasSize(1);
    now = now.plus(2_399_000);
    assertThat(look()).isEmpty();
    now = now.plus(1_000);
    assertThat(look()).hasSize(1);
  }

  @Test
  void bundle_that_stays_silent_is_looked_at_once_a_day_and_sent_again_within_14_days() {
    long daily = 24 * 3_600_000L;
    long last = now.service();
    Moment sent = now;
    for (now = sent; now.service() - sent.service() < DAYS_13; now = now.plus(60_000)) {
      if (!look().isEmpty()) {
        last = now.service();
        assertThat(machine.claimsRead(List.of(ID), Map.of(), now)).isEmpty();
      }
      assertThat(now.service() - last).isLessThanOrEqualTo(daily);
    }
    now = sent.plus(DAYS_13 + daily);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
    assertThat(machine.claimsRead(List.of(ID), Map.of(), now))
        .singleElement()
        .isInstanceOf(Resend.class);
  }

  @Test
  void sign_of_life_of_the_bundle_or_a_child_begins_the_silence_anew() {
    now = now.plus(500_000);
    machine.heard(ID + "/1/2", now);
    now = now.plus(599_000);
    assertThat(look()).isEmpty();
    now = now.plus(1_000);
    assertThat(look()).hasSize(1);
  }

  @Test
  void sign_of_life_of_an_unknown_bundle_is_ignored() {
    machine.heard("run/e/17", now);
    machine.heard("nonsense", now);
    askedFor();
  }

  @Test
  void bundle_with_all_its_results_is_never_looked_at() {
    for (int ordinal = 0; ordinal < 4; ordinal++) {
      assertThat(machine.offer(ID, ordinal, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    }
    now = now.plus(99_000_000);
    assertThat(look()).isEmpty();
  }

  @Test
  void done_claim_with_results_missing_makes_them_provisionally_lost_and_waits_anew() {
    machine.received(0, now, now);
    askedFor();
    machine.received(0, new Moment(0, 0), now);
    assertThat(machine.offer(ID, 0, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    Claim done = claim(ClaimState.DONE);
    List<CompletenessEffect> effects = read(Map.of(ID, done));
    assertThat(effects).hasSize(1);
    assertThat(((ProvisionalLost) effects.getFirst()).ordinals()).containsExactly(1, 2, 3);
    // The worker may have sent them a moment ago: what was quiet before does not count.
    assertThat(machine.follow(now)).isEmpty();
    assertThat(machine.offer(ID, 1, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    Moment begun = now;
    now = now.plus(15_000);
    machine.received(0, begun, now);
    assertThat(machine.follow(now)).hasSize(2);
  }

  @Test
  void results_of_a_bundle_that_is_done_are_looked_for_before_they_are_lost() {
    askedFor();
    Claim done = claim(ClaimState.DONE);
    CompletenessEffect.FetchResults fetch =
        (CompletenessEffect.FetchResults)
            machine.claimsRead(List.of(ID), Map.of(ID, done), now).getFirst();
    assertThat(fetch.ordinals()).containsExactly(0, 1, 2, 3);
    assertThat(machine.provisionallyLost()).isZero();
    for (int ordinal = 0; ordinal < 3; ordinal++) {
      assertThat(machine.offer(ID, ordinal, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    }
    assertThat(((ProvisionalLost) machine.fetched(fetch, now).getFirst()).ordinals())
        .containsExactly(3);
  }

  @Test
  void results_that_a_queue_had_accepted_are_told_from_those_of_tasks_that_were_given_up() {
    askedFor();
    TreeMap<Integer, Child> children = new TreeMap<>();
    children.put(1, new Child(Positions.of(3), true));
    Claim done =
        new Claim(
            ID,
            ClaimState.DONE,
            "w",
            "n",
            1,
            1,
            0,
            0,
            Positions.none(),
            Positions.of(0, 1),
            children,
            0);
    CompletenessEffect.FetchResults fetch =
        (CompletenessEffect.FetchResults)
            machine.claimsRead(List.of(ID), Map.of(ID, done), now).getFirst();
    assertThat(fetch.recorded()).containsExactly(0, 1);
    assertThat(machine.offer(ID, 0, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    ProvisionalLost lost = (ProvisionalLost) machine.fetched(fetch, now).getFirst();
    assertThat(lost.ordinals()).containsExactly(1, 2);
    assertThat(lost.recorded()).containsExactly(1);
  }

  @Test
  void blob_store_that_has_all_of_them_leaves_none_lost() {
    askedFor();
    CompletenessEffect.FetchResults fetch =
        (CompletenessEffect.FetchResults)
            machine.claimsRead(List.of(ID), Map.of(ID, claim(ClaimState.DONE)), now).getFirst();
    for (int ordinal = 0; ordinal < 4; ordinal++) {
      assertThat(machine.offer(ID, ordinal, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    }
    assertThat(machine.fetched(fetch, now)).isEmpty();
  }

  @Test
  void blob_store_that_could_not_be_asked_is_asked_again_soon() {
    askedFor();
    Claim done = claim(ClaimState.DONE);
    CompletenessEffect.FetchResults fetch =
        (CompletenessEffect.FetchResults)
            machine.claimsRead(List.of(ID), Map.of(ID, done), now).getFirst();
    machine.fetchFailed(fetch, now);
    assertThat(machine.provisionallyLost()).isZero();
    now = now.plus(29_000);
    assertThat(look()).isEmpty();
    now = now.plus(1_000);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
  }

  @Test
  void all_that_is_outstanding_is_looked_at_when_results_may_have_been_lost() {
    now = now.plus(1_000);
    assertThat(look()).isEmpty();
    machine.lookAtAll(now);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
    assertThat(look()).isEmpty();
  }

  @Test
  void bundle_that_was_not_sent_is_not_looked_at_whatever_was_lost() {
    var fresh = new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
    assertThat(fresh.bundle(2)).isZero();
    fresh.lookAtAll(now);
    assertThat(fresh.lookForSilence(now.plus(DAYS_13))).isEmpty();
  }

  @Test
  void bundle_without_claims_is_sent_again_when_its_results_may_have_been_lost() {
    var none = new CompletenessMachine("run", "e", false, CompletenessSettings.DEFAULT);
    assertThat(none.bundle(2)).isZero();
    none.sent(0, now);
    none.lookAtAll(now);
    assertThat(none.lookForSilence(now)).singleElement().isInstanceOf(Resend.class);
    assertThat(none.lookForSilence(now)).isEmpty();
  }

  @Test
  void live_claim_is_left_to_its_owner() {
    askedFor();
    assertThat(read(Map.of(ID, claim(ClaimState.LEASED)))).isEmpty();
  }

  @Test
  void absent_claim_is_still_queued() {
    askedFor();
    assertThat(machine.claimsRead(List.of(ID), Map.of(), now)).isEmpty();
  }

  @Test
  void answer_that_nobody_asked_for_is_ignored() {
    assertThat(read(Map.of(ID, claim(ClaimState.DONE)))).isEmpty();
    assertThat(machine.provisionallyLost()).isZero();
  }

  @Test
  void claims_that_could_not_be_read_are_read_again_soon() {
    askedFor();
    machine.readFailed(List.of(ID), now);
    assertThat(read(Map.of(ID, claim(ClaimState.DONE)))).isEmpty();
    now = now.plus(29_000);
    assertThat(look()).isEmpty();
    now = now.plus(1_000);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
  }

  @Test
  void claim_of_a_child_that_could_not_be_read_is_read_again_soon_by_way_of_its_parent() {
    askedFor();
    Claim split =
        claim(
            ID,
            ClaimState.DONE,
            0,
            new TreeMap<>(Map.of(1, new Child(Positions.range(0, 4), true))));
    String child = ID + "/1";
    assertThat(read(Map.of(ID, split))).containsExactly(new ReadClaims(List.of(child)));
    machine.readFailed(List.of(child), now);
    now = now.plus(30_000);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
    assertThat(read(Map.of(ID, split))).containsExactly(new ReadClaims(List.of(child)));
  }

  @ParameterizedTest
  @EnumSource(
      value = ClaimState.class,
      names = {"RELEASED", "LEASED"})
  void claim_that_nobody_holds_is_sent_again_after_13_days_and_not_before(ClaimState state) {
    now = now.plus(DAYS_13 - 1_000);
    assertThat(look()).hasSize(1);
    Claim nobodys = claim(ID, state, 0, new TreeMap<>());
    assertThat(read(Map.of(ID, nobodys))).isEmpty();
    now = now.plus(600_000_000);
    assertThat(look()).hasSize(1);
    List<CompletenessEffect> effects = read(Map.of(ID, nobodys));
    assertThat(effects).hasSize(1);
    Resend resend = (Resend) effects.getFirst();
    assertThat(resend.bundle()).isEqualTo(ID);
    assertThat(resend.ordinals()).containsExactly(0, 1, 2, 3);
    assertThat(look()).isEmpty();
  }

  @Test
  void absent_claim_is_sent_again_after_13_days() {
    now = now.plus(DAYS_13);
    assertThat(look()).hasSize(1);
    assertThat(machine.claimsRead(List.of(ID), Map.of(), now))
        .singleElement()
        .isInstanceOf(Resend.class);
  }

  @Test
  void bundle_without_claims_is_sent_again_after_13_days() {
    var none = new CompletenessMachine("run", "e", false, CompletenessSettings.DEFAULT);
    assertThat(none.bundle(2)).isZero();
    none.sent(0, now);
    assertThat(none.lookForSilence(now.plus(600_000))).isEmpty();
    assertThat(none.lookForSilence(now.plus(DAYS_13))).singleElement().isInstanceOf(Resend.class);
  }

  @Test
  void tasks_handed_to_a_child_are_judged_by_the_childs_claim() {
    askedFor();
    TreeMap<Integer, Child> children = new TreeMap<>();
    children.put(1, new Child(Positions.of(1, 3), true));
    Claim parent = claim(ID, ClaimState.DONE, 0, children);
    assertThat(machine.offer(ID, 0, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    List<CompletenessEffect> effects = read(Map.of(ID, parent));
    assertThat(effects).hasSize(2);
    assertThat(((ProvisionalLost) effects.getFirst()).ordinals()).containsExactly(2);
    assertThat(effects.getLast()).isEqualTo(new ReadClaims(List.of(ID + "/1")));

    // The child handed its second task, which is the parent's fourth, to a child of its own.
    TreeMap<Integer, Child> grandchildren = new TreeMap<>();
    grandchildren.put(1, new Child(Positions.of(1), true));
    Claim child = claim(ID + "/1", ClaimState.DONE, 0, grandchildren);
    effects = read(Map.of(ID + "/1", child));
    assertThat(((ProvisionalLost) effects.getFirst()).ordinals()).containsExactly(1);
    assertThat(effects.getLast()).isEqualTo(new ReadClaims(List.of(ID + "/1/1")));

    effects = read(Map.of(ID + "/1/1", claim(ID + "/1/1", ClaimState.DONE, 0, new TreeMap<>())));
    assertThat(((ProvisionalLost) effects.getFirst()).ordinals()).containsExactly(3);
  }

  @Test
  void child_is_sent_again_under_its_own_id() {
    now = now.plus(DAYS_13);
    assertThat(look()).hasSize(1);
    TreeMap<Integer, Child> children = new TreeMap<>();
    children.put(2, new Child(Positions.of(1, 3), true));
    for (int ordinal : new int[] {0, 2}) {
      assertThat(machine.offer(ID, ordinal, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    }
    assertThat(read(Map.of(ID, claim(ID, ClaimState.DONE, 0, children)))).hasSize(1);
    List<CompletenessEffect> effects = machine.claimsRead(List.of(ID + "/2"), Map.of(), now);
    assertThat(((Resend) effects.getFirst()).bundle()).isEqualTo(ID + "/2");
    assertThat(((Resend) effects.getFirst()).ordinals()).containsExactly(1, 3);
  }

  @Test
  void send_that_was_not_accepted_is_asked_for_again_soon_and_an_accepted_one_is_not() {
    var none = new CompletenessMachine("run", "e", false, CompletenessSettings.DEFAULT);
    assertThat(none.bundle(2)).isZero();
    none.sent(0, now);
    none.lookAtAll(now);
    assertThat(none.lookForSilence(now)).hasSize(1);
    now = now.plus(4_000);
    assertThat(none.lookForSilence(now)).isEmpty();
    now = now.plus(1_000);
    assertThat(none.lookForSilence(now)).singleElement().isInstanceOf(Resend.class);
    none.resent(ID, now);
    now = now.plus(DAYS_13 - 1_000);
    assertThat(none.lookForSilence(now)).isEmpty();
    // Its silence was looked at with no need for anything: the next look is twice as far off.
    now = now.plus(1_200_000);
    assertThat(none.lookForSilence(now)).hasSize(1);
  }

  @Test
  void send_that_was_not_accepted_is_asked_for_no_more_when_its_results_have_come() {
    var none = new CompletenessMachine("run", "e", false, CompletenessSettings.DEFAULT);
    assertThat(none.bundle(1)).isZero();
    none.sent(0, now);
    none.lookAtAll(now);
    assertThat(none.lookForSilence(now)).hasSize(1);
    assertThat(none.offer(ID, 0, false)).isEqualTo(CompletenessMachine.Verdict.FINAL);
    assertThat(none.lookForSilence(now.plus(5_000))).isEmpty();
  }

  @Test
  void claim_of_what_was_not_accepted_is_read_once_more_before_it_is_sent() {
    now = now.plus(DAYS_13);
    assertThat(look()).hasSize(1);
    assertThat(machine.claimsRead(List.of(ID), Map.of(), now)).hasSize(1);
    now = now.plus(5_000);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID)));
    // Its first copy had arrived all the same.
    Claim live = claim(ID, ClaimState.LEASED, now.service() + 10_000, new TreeMap<>());
    assertThat(read(Map.of(ID, live))).isEmpty();
    now = now.plus(5_000);
    assertThat(look()).isEmpty();
  }

  @Test
  void parent_and_children_that_are_old_are_all_sent_again() {
    now = now.plus(DAYS_13);
    assertThat(look()).hasSize(1);
    TreeMap<Integer, Child> children = new TreeMap<>();
    children.put(1, new Child(Positions.of(1), true));
    children.put(2, new Child(Positions.of(2), true));
    List<CompletenessEffect> effects =
        read(Map.of(ID, claim(ID, ClaimState.RELEASED, 0, children)));
    assertThat(((Resend) effects.getFirst()).bundle()).isEqualTo(ID);
    machine.resent(ID, now);
    assertThat(effects.getLast()).isEqualTo(new ReadClaims(List.of(ID + "/1", ID + "/2")));

    effects = machine.claimsRead(List.of(ID + "/1", ID + "/2"), Map.of(), now);
    assertThat(effects)
        .extracting(effect -> ((Resend) effect).bundle())
        .containsExactly(ID + "/1", ID + "/2");
    machine.resent(ID + "/1", now);

    now = now.plus(5_000);
    assertThat(look()).containsExactly(new ReadClaims(List.of(ID + "/2")));
    effects = machine.claimsRead(List.of(ID + "/2"), Map.of(), now);
    assertThat(((Resend) effects.getFirst()).ordinals()).containsExactly(2);
    machine.resent(ID + "/2", now);
    now = now.plus(5_000);
    assertThat(look()).isEmpty();
  }

  @Test
  void claims_are_read_a_hundred_at_a_time_children_too() {
    var many = new CompletenessMachine("run", "e", true, CompletenessSettings.DEFAULT);
    for (int i = 0; i < 150; i++) {
      assertThat(many.bundle(4)).isEqualTo(i);
      many.sent(i, now);
    }
    now = now.plus(600_000);
    List<String> first = ((ReadClaims) many.lookForSilence(now).getFirst()).ids();
    assertThat(first).hasSize(100);
    assertThat(((ReadClaims) many.lookForSilence(now).getFirst()).ids()).hasSize(50);
    TreeMap<Integer, Child> children = new TreeMap<>();
    IntStream.range(0, 4).forEach(k -> children.put(k + 1, new Child(Positions.of(k), true)));
    Map<String, Claim> found = new TreeMap<>();
    first.forEach(id -> found.put(id, claim(id, ClaimState.DONE, 0, children)));
    assertThat(many.claimsRead(first, found, now))
        .hasSize(4)
        .allSatisfy(effect -> assertThat(((ReadClaims) effect).ids()).hasSize(100));
  }

  @ParameterizedTest
  @EnumSource(ClaimScope.class)
  void job_is_judged_by_the_claim_of_its_bundle_whatever_guards_tasks(ClaimScope scope) {
    boolean claims = scope == ClaimScope.TASK;
    var mixed = new CompletenessMachine("run", "e", claims, scope, CompletenessSettings.DEFAULT);
    assertThat(mixed.bundle(2)).isZero();
    assertThat(mixed.job()).isEqualTo(1);
    assertThat(mixed.tasks()).isEqualTo(3);
    mixed.sent(0, now);
    mixed.sent(1, now);
    assertThat(mixed.allSent(now)).isEmpty();

    now = now.plus(600_000);
    List<String> asked = claims ? List.of(ID + "/t0", ID + "/t1", "run/e/1") : List.of("run/e/1");
    assertThat(mixed.lookForSilence(now)).containsExactly(new ReadClaims(asked));

    Claim done = claim("run/e/1", ClaimState.DONE, 0, new TreeMap<>());
    assertThat(mixed.claimsRead(List.of("run/e/1"), Map.of("run/e/1", done), now))
        .singleElement()
        .isInstanceOfSatisfying(
            CompletenessEffect.FetchResults.class,
            fetch -> assertThat(fetch.ordinals()).containsExactly(2));
  }

  @Test
  void job_without_a_claim_is_not_sent_again_when_a_response_queue_is_gone() {
    var mixed =
        new CompletenessMachine("run", "e", false, ClaimScope.BUNDLE, CompletenessSettings.DEFAULT);
    assertThat(mixed.bundle(1)).isZero();
    assertThat(mixed.job()).isEqualTo(1);
    mixed.sent(0, now);
    mixed.sent(1, now);

    mixed.lookAtAll(now);

    assertThat(mixed.lookForSilence(now))
        .hasSize(2)
        .anyMatch(effect -> effect instanceof Resend again && again.bundle().equals(ID))
        .contains(new ReadClaims(List.of("run/e/1")));
    assertThat(mixed.claimsRead(List.of("run/e/1"), Map.of(), now)).isEmpty();
  }
}
