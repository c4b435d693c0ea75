package io.cloudkon.core.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.Refusing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class RefusalLogTest {
  private static final OutgoingMessage MESSAGE = new OutgoingMessage(Map.of(), new byte[1]);

  private final List<String> said = new ArrayList<>();
  private final RefusalLog log = new RefusalLog(said::add);
  private final Refusing policy = new Refusing(new MemoryCloud(new ManualTime()).setup("Q"));
  private final Cluster cluster = WatchedPorts.of(policy.cluster(), log);

  private void readClaims() {
    cluster.claims().read(List.of("a"));
  }

  private void fails(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(RefusedException.class);
  }

  @Test
  void each_action_on_each_resource_is_said_once() {
    policy.refuse("claims.read", "dynamodb:BatchGetItem", "Q-claims");
    policy.refuse("dead.send", "sqs:SendMessage", "Q-dead");

    fails(this::readClaims);
    fails(this::readClaims);
    fails(() -> cluster.dead().send(List.of(MESSAGE)));

    assertThat(said)
        .containsExactly(
            "refused, trying again: dynamodb:BatchGetItem on table 'Q-claims' was denied: HTTP 403"
                + " AccessDenied planted; check the credentials, and that they allow"
                + " dynamodb:BatchGetItem",
            "refused, trying again: sqs:SendMessage on queue 'Q-dead' was denied: HTTP 403"
                + " AccessDenied planted; check the credentials, and that they allow"
                + " sqs:SendMessage");
  }

  @Test
  void what_was_good_again_is_said_again() {
    policy.refuse("claims.read", "dynamodb:BatchGetItem", "Q-claims");
    fails(this::readClaims);

    policy.allow("claims.read");
    readClaims();
    assertThat(said).last().isEqualTo("dynamodb:BatchGetItem on table 'Q-claims' is allowed again");

    policy.refuse("claims.read", "dynamodb:BatchGetItem", "Q-claims");
    fails(this::readClaims);
    assertThat(said).hasSize(3);
  }

  @Test
  void another_call_that_works_says_nothing_of_a_refusal() {
    policy.refuse("dead.send", "sqs:SendMessage", "Q-dead");
    fails(() -> cluster.dead().send(List.of(MESSAGE)));

    readClaims();
    cluster.responses().create("Q-response-c");
    cluster.requests().send(List.of(MESSAGE));

    assertThat(said).hasSize(1);
  }

  @Test
  void one_refused_response_queue_is_not_another() {
    policy.refuse("responses.send", "sqs:SendMessage", "Q-response-c");
    fails(() -> cluster.responses().send("Q-response-c", List.of(MESSAGE)));
    policy.allow("responses.send");
    cluster.responses().create("Q-response-d");

    cluster.responses().send("Q-response-d", List.of(MESSAGE));
    assertThat(said).hasSize(1);
  }

  @Test
  void a_hiccup_of_credentials_is_said_once_whatever_met_it() {
    TransientServiceException expired = TransientServiceException.ofCredentials("expired", null);
    policy.fail("claims.read", expired);
    policy.fail("runs.read", expired);

    assertThatThrownBy(this::readClaims).isSameAs(expired);
    assertThatThrownBy(() -> cluster.runs().read("r")).isSameAs(expired);
    policy.allow("runs.read");
    assertThat(cluster.runs().read("r")).isEmpty();

    assertThat(said)
        .containsExactly(
            "the credentials do not work at the moment, trying again: expired",
            "the credentials work again");
  }

  @Test
  void refused_acquisition_is_tried_again_by_a_write_that_never_holds() {
    List<Runnable> again = new ArrayList<>();
    Cluster watched =
        WatchedPorts.of(
            policy.cluster(), new RefusalLog(said::add, (refused, call) -> again.add(call)));
    policy.refuse("claims.acquire", "dynamodb:UpdateItem", "Q-claims");
    policy.refuse("claims.write", "dynamodb:UpdateItem", "Q-claims");
    Acquisition acquisition =
        new Acquisition("r/e/0", Acquisition.Mode.FRESH, "w", "n", 1, 0, 0, Positions.none(), 99);
    fails(() -> watched.claims().acquire(acquisition));

    fails(again.getFirst()::run);
    policy.allow("claims.write");
    again.getFirst().run();

    assertThat(cluster.claims().read(List.of("r/e/0", "refused"))).isEmpty();
    assertThat(said).last().asString().endsWith("on table 'Q-claims' is allowed again");
  }

  @Test
  void refused_writes_of_a_claim_are_tried_again_by_a_write_that_never_holds() {
    List<Runnable> again = new ArrayList<>();
    Cluster watched =
        WatchedPorts.of(
            policy.cluster(), new RefusalLog(said::add, (refused, call) -> again.add(call)));
    assertThat(
            watched
                .claims()
                .acquire(
                    new Acquisition(
                        "r/e/0", Acquisition.Mode.FRESH, "w", "n", 1, 0, 0, Positions.none(), 99)))
        .isInstanceOf(ClaimAnswer.Accepted.class);
    Claim before = watched.claims().read(List.of("r/e/0")).get("r/e/0");
    for (String call : List.of("write", "survive", "noteSick")) {
      policy.refuse("claims." + call, "dynamodb:UpdateItem", "Q-claims");
    }
    fails(() -> watched.claims().write(starts("r/e/0", before)));
    fails(() -> watched.claims().survive("r/e/0", 1));
    fails(() -> watched.claims().noteSick("r/e/0", "w", 99));
    for (String call : List.of("write", "survive", "noteSick")) {
      policy.allow("claims." + call);
    }

    again.forEach(Runnable::run);

    assertThat(cluster.claims().read(List.of("r/e/0", "refused")))
        .containsOnly(Map.entry("r/e/0", before));
    assertThat(cluster.claims().noteSick("r/e/0", "another", 99)).isEqualTo(1);
    assertThat(watched.claims().write(starts("r/e/0", before)))
        .isInstanceOf(ClaimAnswer.Accepted.class);
  }

  /** Records that the first task starts. */
  private static ClaimWrite starts(String id, Claim claim) {
    return new ClaimWrite(
        id,
        claim.attempt(),
        "n",
        1,
        ClaimState.LEASED,
        ClaimState.LEASED,
        9_999,
        0,
        Positions.of(0),
        Positions.none(),
        new TreeMap<>(),
        99);
  }

  @Test
  void refused_letter_is_tried_again_by_the_next_letter_only() {
    List<Runnable> again = new ArrayList<>();
    Cluster watched =
        WatchedPorts.of(
            policy.cluster(), new RefusalLog(said::add, (refused, call) -> again.add(call)));
    policy.refuse("dead.send", "sqs:SendMessage", "Q-dead");
    fails(() -> watched.dead().send(List.of(MESSAGE)));
    policy.allow("dead.send");

    fails(again.getFirst()::run);
    assertThat(cluster.dead().depth().waiting()).isZero();
    assertThat(said).hasSize(1);

    assertThat(watched.dead().send(List.of(MESSAGE))).isEmpty();
    assertThat(said).last().isEqualTo("sqs:SendMessage on queue 'Q-dead' is allowed again");
  }

  @Test
  void refusals_that_nobody_tries_again_are_forgotten_in_the_end() {
    RefusalLog log = new RefusalLog(said::add);
    for (int run = 0; run < 1_500; run++) {
      RefusedException refused =
          new RefusedException("sqs:SendMessage", "queue", "Q-response-" + run, "denied", null);
      log.refused(refused, run, () -> {});
    }
    said.clear();

    for (int run = 0; run < 1_500; run++) {
      log.worked(run);
    }

    assertThat(said).hasSize(1_000);
    assertThat(log.isQuiet()).isTrue();
  }

  @Test
  void what_fails_in_passing_is_its_callers_to_tell() {
    policy.fail("claims.read", new TransientServiceException("HTTP 503", null));

    assertThatThrownBy(this::readClaims).hasMessage("HTTP 503");
    assertThat(said).isEmpty();
  }
}
