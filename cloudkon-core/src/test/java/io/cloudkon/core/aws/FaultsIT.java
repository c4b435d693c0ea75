package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.time.SystemTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class FaultsIT {
  private static final OutgoingMessage MESSAGE = new OutgoingMessage(Map.of(), new byte[] {1});

  private static Acquisition acquisition(String nonce) {
    return new Acquisition(
        "run/epoch/1",
        Acquisition.Mode.TAKE_OVER,
        "worker",
        nonce,
        System.currentTimeMillis() + 60_000,
        0,
        0,
        Positions.none(),
        System.currentTimeMillis() / 1000 + 3600);
  }

  /** A cluster by way of faults; arranged and observed without them. */
  private interface Body {
    void run(Cluster cluster, Cluster healthy, AwsCloud cloud);
  }

  private static void with(Faults faults, Body body) {
    try (AwsFixture healthy = new AwsFixture();
        AwsCloud cloud = Emulated.connect(new SystemTime(), faults)) {
      String name = healthy.cluster().name();
      body.run(cloud.cluster(name), healthy.cluster(), cloud);
    }
  }

  @Test
  void call_that_always_fails_is_transient_and_has_no_effect() {
    with(
        Faults.parse("fail=1,only=dynamodb.UpdateItem"),
        (cluster, healthy, cloud) -> {
          assertThatThrownBy(() -> cluster.claims().acquire(acquisition("n")))
              .isInstanceOf(TransientServiceException.class);
          assertThat(healthy.claims().read(List.of("run/epoch/1"))).isEmpty();
        });
  }

  @Test
  void call_whose_answer_is_lost_is_transient_and_has_its_effect() {
    with(
        Faults.parse("lose=1,only=sqs.SendMessageBatch"),
        (cluster, healthy, cloud) -> {
          assertThatThrownBy(() -> cluster.requests().send(List.of(MESSAGE)))
              .isInstanceOf(TransientServiceException.class);
          // once for each of the SDK's two attempts
          assertThat(healthy.requests().depth().waiting()).isEqualTo(2);
        });
  }

  @Test
  void acquisition_whose_answers_are_lost_shows_its_own_nonce_to_the_next() {
    with(
        Faults.parse("lose=1,only=dynamodb.UpdateItem"),
        (cluster, healthy, cloud) -> {
          assertThatThrownBy(() -> cluster.claims().acquire(acquisition("mine")))
              .isInstanceOfAny(TransientServiceException.class);
          assertThat(healthy.claims().acquire(acquisition("mine")))
              .isInstanceOfSatisfying(
                  ClaimAnswer.Refused.class,
                  refused -> assertThat(refused.current().nonce()).isEqualTo("mine"));
        });
  }

  @Test
  void run_that_was_created_by_an_attempt_whose_answer_was_lost_is_created() {
    with(
        Faults.parse("seed=%d,lose=0.5,only=dynamodb.PutItem".formatted(seedThatLosesOnlyFirst())),
        (cluster, healthy, cloud) -> {
          assertThat(cluster.runs().create(Runs.open("run", "client"))).isTrue();
          assertThat(healthy.runs().create(Runs.open("run", "other"))).isFalse();
        });
  }

  @Test
  void ledger_change_whose_answers_are_lost_happens_once_and_is_true_when_it_is_made_again() {
    LedgerChange join = new LedgerChange.Join(token(), Share.ofWorker("w", 4, 100));
    with(
        Faults.parse("lose=1,only=dynamodb.TransactWriteItems"),
        (cluster, healthy, cloud) -> {
          assertThatThrownBy(() -> cluster.hpc().ledger().change(join))
              .isInstanceOf(TransientServiceException.class);
          assertThatThrownBy(() -> cluster.hpc().ledger().change(join))
              .isInstanceOf(TransientServiceException.class);

          assertThat(healthy.hpc().ledger().change(join)).isTrue();
          assertThat(healthy.hpc().ledger().counter()).isEqualTo(new LedgerCounter(4, 0));
        });
  }

  @Test
  void ledger_renewal_whose_answers_are_lost_is_true_when_it_is_made_again() {
    Share worker = Share.ofWorker("w", 4, 100);
    with(
        Faults.parse("lose=1,only=dynamodb.UpdateItem"),
        (cluster, healthy, cloud) -> {
          assertThat(healthy.hpc().ledger().change(new LedgerChange.Join(token(), worker)))
              .isTrue();
          assertThatThrownBy(() -> cluster.hpc().ledger().renew(worker.until(200)))
              .isInstanceOf(TransientServiceException.class);

          assertThat(healthy.hpc().ledger().renew(worker.until(200))).isTrue();
          assertThat(healthy.hpc().ledger().view().shares()).containsExactly(worker.until(200));
        });
  }

  /** The emulator knows tokens across tables, as DynamoDB does. */
  private static String token() {
    return UUID.randomUUID().toString();
  }

  private static int seedThatLosesOnlyFirst() {
    for (int seed = 1; ; seed++) {
      Faults faults = Faults.parse("lose=0.5,seed=" + seed);
      if (faults.decide("dynamodb", "PutItem") == Faults.Fate.LOST_ANSWER
          && faults.decide("dynamodb", "PutItem") == Faults.Fate.REACH) {
        return seed;
      }
    }
  }

  @Test
  void throttled_service_is_transient_and_counted() {
    with(
        Faults.parse("throttle=1,only=sqs.SendMessageBatch,only=dynamodb.UpdateItem"),
        (cluster, healthy, cloud) -> {
          assertThatThrownBy(() -> cluster.requests().send(List.of(MESSAGE)))
              .isInstanceOf(TransientServiceException.class)
              .hasMessageContaining("RequestThrottled");
          assertThatThrownBy(() -> cluster.claims().acquire(acquisition("n")))
              .isInstanceOf(TransientServiceException.class)
              .hasMessageContaining("ProvisionedThroughputExceeded");
          assertThat(cloud.calls().snapshot())
              .anySatisfy(calls -> {
                assertThat(calls.operation()).isEqualTo("sqs.SendMessageBatch");
                assertThat(calls.calls()).isEqualTo(2);
              });
          assertThat(healthy.requests().depth().waiting()).isZero();
        });
  }

  @Test
  void blob_whose_answer_is_lost_is_there() {
    with(
        Faults.parse("lose=1,only=s3.PutObject"),
        (cluster, healthy, cloud) -> {
          assertThatThrownBy(() -> cluster.blobs().put("run/in/a", new byte[] {1, 2}))
              .isInstanceOf(TransientServiceException.class);
          assertThat(healthy.blobs().get("run/in/a")).hasValue(new byte[] {1, 2});
          assertThat(cluster.blobs().get("run/in/a")).isPresent();
        });
  }

  @Test
  void throttled_bucket_is_transient() {
    with(
        Faults.parse("throttle=1,only=s3.PutObject,only=s3.GetObject,only=s3.ListObjectsV2"),
        (cluster, healthy, cloud) -> {
          assertThatThrownBy(() -> cluster.blobs().put("run/in/a", new byte[1]))
              .isInstanceOf(TransientServiceException.class)
              .hasMessageContaining("SlowDown");
          assertThatThrownBy(() -> cluster.blobs().get("run/in/a"))
              .isInstanceOf(TransientServiceException.class);
          assertThatThrownBy(() -> cluster.blobs().removeAll("run/"))
              .isInstanceOf(TransientServiceException.class);
          assertThat(healthy.blobs().list("")).isEmpty();
        });
  }

  @Test
  void service_that_is_down_fails_while_the_other_works() {
    Faults faults = Faults.onDemand();
    with(
        faults,
        (cluster, healthy, cloud) -> {
          faults.takeDown("dynamodb");
          assertThatThrownBy(() -> cluster.claims().acquire(acquisition("n")))
              .isInstanceOf(TransientServiceException.class);
          assertThat(cluster.requests().send(List.of(MESSAGE))).isEmpty();

          faults.bringUp("dynamodb");
          assertThat(cluster.claims().acquire(acquisition("n")))
              .isInstanceOf(ClaimAnswer.Accepted.class);
        });
  }
}
