package io.cloudkon.simulator.cloud;

import static io.cloudkon.simulator.cloud.Lab.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.simulator.load.Request;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limits of the table and what it forgets; the answers are for the contract suites. */
class SimClaimsTest {
  private static final long LEASE_END = 15_000;

  private final Lab lab = new Lab(Lab.instant().withTableWrites(0), 1);
  private final SimClaims claims = lab.claims(ClaimLaw.RULES);

  private static Acquisition acquisition(Request of, Acquisition.Mode mode, String nonce) {
    return new Acquisition(of.id(), mode, "w", nonce, LEASE_END, 0, 0, Positions.none(), 0);
  }

  private static Acquisition acquisition(Request of) {
    return acquisition(of, Acquisition.Mode.FRESH, "n1");
  }

  private static ClaimWrite write(
      Request of, long seq, ClaimState state, SortedMap<Integer, Child> children) {
    return new ClaimWrite(
        of.id(),
        1,
        "n1",
        seq,
        ClaimState.LEASED,
        state,
        LEASE_END,
        0,
        Positions.none(),
        Positions.none(),
        children,
        0);
  }

  private static Lab.Awaited<ClaimAnswer> acquire(
      Lab lab, SimClaims claims, Acquisition by, Request of) {
    Lab.Awaited<ClaimAnswer> answer = lab.new Awaited<>();
    claims.acquire(lab.caller, of, by, answer);
    return answer.await();
  }

  private ClaimAnswer acquire(Request of) {
    return acquire(lab, claims, acquisition(of), of).get();
  }

  private static Lab.Awaited<ClaimAnswer> write(
      Lab lab, SimClaims claims, ClaimWrite by, Request of) {
    Lab.Awaited<ClaimAnswer> answer = lab.new Awaited<>();
    claims.write(lab.caller, of, by, answer);
    return answer.await();
  }

  private ClaimAnswer write(Request of, long seq, ClaimState state) {
    return write(lab, claims, write(of, seq, state, new TreeMap<>()), of).get();
  }

  private static Map<String, Claim> read(Lab lab, SimClaims claims, String... ids) {
    Lab.Awaited<Map<String, Claim>> answer = lab.new Awaited<>();
    claims.read(lab.caller, "r0", List.of(ids), answer);
    return answer.get();
  }

  private static Claim current(ClaimAnswer refused) {
    assertThat(refused).isInstanceOf(ClaimAnswer.Refused.class);
    return Objects.requireNonNull(((ClaimAnswer.Refused) refused).current());
  }

  // ---- limits

  @Test
  void item_takes_a_thousand_writes_per_second_refused_ones_among_them() {
    Request hot = Lab.request("r0/e/1");
    Request other = Lab.request("r0/e/2");
    assertThat(acquire(hot)).isInstanceOf(ClaimAnswer.Accepted.class);
    for (int i = 1; i <= 499; i++) {
      assertThat(write(hot, i, ClaimState.LEASED)).isInstanceOf(ClaimAnswer.Accepted.class);
    }
    for (int i = 1; i <= 500; i++) {
      assertThat(acquire(hot)).isInstanceOf(ClaimAnswer.Refused.class);
    }

    assertThat(acquire(lab, claims, acquisition(hot), hot).failed()).isTrue();
    ClaimWrite next = write(hot, 500, ClaimState.LEASED, new TreeMap<>());
    assertThat(write(lab, claims, next, hot).failed()).isTrue();

    assertThat(lab.counts.throttledByQuota()).isEqualTo(2);
    assertThat(acquire(other)).isInstanceOf(ClaimAnswer.Accepted.class);
    lab.pass(SECOND);
    assertThat(write(hot, 500, ClaimState.LEASED)).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void table_takes_as_many_write_units_per_second_as_its_quota() {
    Lab limited = new Lab(Lab.instant().withTableWrites(50), 1);
    SimClaims table = limited.claims(ClaimLaw.RULES);
    int accepted = 0;
    for (int i = 0; i < 80; i++) {
      Request of = Lab.request("r0/e/" + i);
      Lab.Awaited<ClaimAnswer> answer = acquire(limited, table, acquisition(of), of);
      accepted += answer.failed() ? 0 : 1;
      assertThat(read(limited, table, of.id())).hasSize(answer.failed() ? 0 : 1);
    }
    assertThat(accepted).isEqualTo(50);
    assertThat(limited.counts.throttledByQuota()).isEqualTo(30);
    assertThat(limited.counts.of(Call.CLAIM_ACQUIRE)).as("refused ones are calls").isEqualTo(80);

    limited.pass(SECOND / 2);
    for (int i = 80; i < 130; i++) {
      Request of = Lab.request("r0/e/" + i);
      accepted += acquire(limited, table, acquisition(of), of).failed() ? 0 : 1;
    }
    assertThat(accepted).isEqualTo(75);
  }

  @Test
  void write_is_billed_per_KiB_begun_of_its_item_and_a_read_per_item() {
    Request small = Lab.request("r0/e/1");
    Request full = Lab.request("r0/e/2", Limits.TASKS_PER_BUNDLE);
    acquire(small);
    assertThat(lab.counts.billed()).containsExactly(updates(1, 1));

    Acquisition started =
        new Acquisition(
            full.id(),
            Acquisition.Mode.FRESH,
            "w",
            "n1",
            LEASE_END,
            0,
            0,
            Positions.range(0, Limits.TASKS_PER_BUNDLE),
            0);
    acquire(lab, claims, started, full);
    long units = Math.ceilDiv(350 + Limits.TASKS_PER_BUNDLE / 4, 1024);
    assertThat(lab.counts.billed()).containsExactly(updates(2, 1 + units));

    read(lab, claims, small.id(), full.id(), "r0/e/3");
    assertThat(lab.counts.billed()).contains(new ResultBatch.Calls("dynamodb.BatchGetItem", 1, 3));
  }

  private static ResultBatch.Calls updates(long calls, double units) {
    return new ResultBatch.Calls("dynamodb.UpdateItem", calls, units);
  }

  // ---- what is told

  @Test
  void watch_is_told_of_every_change_and_of_no_refusal() {
    Request of = Lab.request("r0/e/1");
    acquire(of);
    acquire(of);
    write(of, 1, ClaimState.LEASED);
    write(of, 1, ClaimState.LEASED);
    write(of, 2, ClaimState.DONE);

    assertThat(lab.watch.claims)
        .extracting(Claim::state, Claim::seq)
        .containsExactly(
            tuple(ClaimState.LEASED, 0L), tuple(ClaimState.LEASED, 1L), tuple(ClaimState.DONE, 2L));
  }

  @Test
  void bundle_that_is_expected_is_there_without_a_claim() {
    Request expected = Lab.request("r0/e/1");
    claims.expect(expected);
    claims.expect(Lab.request("r0/e/1"));
    Map<String, Boolean> seen = new TreeMap<>();

    claims.forEach((of, claim) -> seen.put(of.id(), claim != null));
    assertThat(seen).containsExactly(Map.entry("r0/e/1", false));
    assertThat(read(lab, claims, "r0/e/1")).isEmpty();

    acquire(expected);
    claims.forEach((of, claim) -> seen.put(of.id(), claim != null));
    assertThat(seen).containsExactly(Map.entry("r0/e/1", true));
  }

  // ---- forgetting

  private Request over(String id) {
    Request of = Lab.request(id);
    acquire(of);
    write(of, 1, ClaimState.DONE);
    return of;
  }

  @ParameterizedTest
  @EnumSource
  void claim_that_was_forgotten_is_answered_for_as_done_whoever_asks(Acquisition.Mode mode) {
    Request of = over("r0/e/7");
    assertThat(read(lab, claims, of.id())).containsOnlyKeys(of.id());

    claims.messageDeleted(of);

    assertThat(lab.watch.forgotten).containsExactly(of);
    assertThat(current(acquire(lab, claims, acquisition(of, mode, "n2"), of).get()).state())
        .isEqualTo(ClaimState.DONE);
    assertThat(current(write(of, 9, ClaimState.LEASED)).state()).isEqualTo(ClaimState.DONE);
    Claim after = Objects.requireNonNull(read(lab, claims, of.id()).get(of.id()));
    assertThat(after.state()).isEqualTo(ClaimState.DONE);
    assertThat(after.children()).isEmpty();
    claims.forEach((request, claim) -> assertThat(request.id()).isNotEqualTo(of.id()));
    assertThat(read(lab, claims, "r0/e/6", "r0/e/8", "r0/e/7/0")).isEmpty();
  }

  @Test
  void claim_that_somebody_may_still_ask_about_is_not_forgotten() {
    Request leased = Lab.request("r0/e/1");
    acquire(leased);
    Request unclaimed = Lab.request("r0/e/2");
    claims.expect(unclaimed);
    Request child = over("r0/e/3/0");
    Request split = Lab.request("r0/e/4");
    acquire(split);
    SortedMap<Integer, Child> children = new TreeMap<>();
    children.put(0, new Child(Positions.of(1, 2), true));
    write(lab, claims, write(split, 1, ClaimState.DONE, children), split);

    List.of(leased, unclaimed, child, split, Lab.request("r0/e/5")).forEach(claims::messageDeleted);

    assertThat(lab.watch.forgotten).isEmpty();
    assertThat(read(lab, claims, split.id()).get(split.id())).isNotNull();
    assertThat(acquire(Lab.request("r0/e/5"))).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void nothing_is_forgotten_where_faults_may_bring_it_up_again() {
    Lab faulty = new Lab(Lab.instant().with(FaultSettings.NONE), 1);
    SimClaims all = faulty.claims(ClaimLaw.RULES);
    Request of = Lab.request("r0/e/1");
    acquire(faulty, all, acquisition(of), of);
    write(faulty, all, write(of, 1, ClaimState.DONE, new TreeMap<>()), of);

    all.messageDeleted(of);

    assertThat(faulty.watch.forgotten).isEmpty();
    assertThat(read(faulty, all, of.id()).get(of.id()))
        .isNotNull()
        .extracting(claim -> claim.nonce())
        .isEqualTo("n1");
  }
}
