package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch.Calls;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CallCounterIT {
  private final AwsFixture fixture = new AwsFixture();
  private final CallCounter counter = fixture.cloud().calls();
  private final Cluster cluster = fixture.cluster();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** The calls since an earlier snapshot, without operations that were not called. */
  private List<Calls> since(List<Calls> earlier) {
    Map<String, Calls> before =
        earlier.stream().collect(Collectors.toMap(Calls::operation, Function.identity()));
    return counter.snapshot().stream()
        .map(now -> {
          Calls then = before.getOrDefault(now.operation(), new Calls(now.operation(), 0, 0));
          return new Calls(now.operation(), now.calls() - then.calls(), now.units() - then.units());
        })
        .filter(calls -> calls.calls() > 0)
        .toList();
  }

  private static OutgoingMessage message(int bytes) {
    return new OutgoingMessage(Map.of("run", "r"), new byte[bytes]);
  }

  private ClaimAnswer acquire(String nonce) {
    return cluster
        .claims()
        .acquire(
            new Acquisition(
                "r/e/1",
                Acquisition.Mode.FRESH,
                "w",
                nonce,
                fixture.serviceMillis() + 15_000,
                0,
                0,
                Positions.none(),
                fixture.serviceMillis() / 1000 + 3600));
  }

  @Test
  void sqs_units_are_begun_64_KiB_of_what_was_sent_and_received() throws InterruptedException {
    assertThat(cluster.requests().send(List.of(message(10)))).isEmpty();
    List<Calls> before = counter.snapshot();

    assertThat(cluster.requests().send(Collections.nCopies(3, message(60 * 1024)))).isEmpty();
    assertThat(cluster.requests().send(List.of(message(100)))).isEmpty();

    assertThat(since(before)).containsExactly(new Calls("sqs.SendMessageBatch", 2, 4));

    List<Calls> sent = counter.snapshot();
    int received = 0;
    int calls = 0;
    while (received < 5) {
      List<ReceivedMessage> messages =
          cluster.requests().receive(10, Duration.ZERO, Duration.ofMinutes(1));
      received += messages.size();
      calls++;
    }
    Calls receives = since(sent).getFirst();
    assertThat(receives.operation()).isEqualTo("sqs.ReceiveMessage");
    assertThat(receives.calls()).isEqualTo(calls);
    assertThat(receives.units()).isBetween(3.0, 3.0 + calls);
  }

  @Test
  void dynamodb_units_are_as_answered_and_refused_writes_cost_one() {
    List<Calls> before = counter.snapshot();

    assertThat(acquire("one")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(acquire("two")).isInstanceOf(ClaimAnswer.Refused.class);
    assertThat(cluster.claims().read(List.of("r/e/1", "r/e/2"))).hasSize(1);

    List<Calls> calls = since(before);
    assertThat(calls)
        .extracting(Calls::operation)
        .containsExactly("dynamodb.BatchGetItem", "dynamodb.UpdateItem");
    assertThat(calls.get(0).units()).isBetween(1.0, 2.0);
    assertThat(calls.get(1)).isEqualTo(new Calls("dynamodb.UpdateItem", 2, 2));
  }

  @Test
  void transaction_units_are_two_for_each_item_refused_or_not() {
    Share worker = Share.ofWorker("w", 4, 100);
    List<Calls> before = counter.snapshot();

    assertThat(
            cluster
                .hpc()
                .ledger()
                .change(new LedgerChange.Join(fixture.cluster().name() + "-1", worker)))
        .isTrue();
    assertThat(
            cluster
                .hpc()
                .ledger()
                .change(new LedgerChange.Join(fixture.cluster().name() + "-2", worker)))
        .isTrue();

    assertThat(since(before)).containsExactly(new Calls("dynamodb.TransactWriteItems", 2, 8));
  }

  @Test
  void s3_units_are_its_requests() {
    cluster.blobs().put("run/in/a", new byte[200_000]);
    List<Calls> before = counter.snapshot();

    cluster.blobs().put("run/in/b", new byte[1]);
    assertThat(cluster.blobs().get("run/in/a")).isPresent();
    assertThat(cluster.blobs().get("run/in/c")).isEmpty();
    cluster.blobs().removeAll("run/");

    assertThat(since(before))
        .containsExactly(
            new Calls("s3.DeleteObjects", 1, 1),
            new Calls("s3.GetObject", 2, 2),
            new Calls("s3.ListObjectsV2", 1, 1),
            new Calls("s3.PutObject", 1, 1));
  }

  @Test
  void service_clock_is_learnt_from_answers() {
    // the emulator runs on this machine, so its clock is ours, but for a date it may keep for too
    // long
    assertThat(fixture.serviceMillis() - System.currentTimeMillis()).isBetween(-2000L, 2000L);
  }
}
