package io.cloudkon.core.refusal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.Refusing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each role finds at its start, whatever order its looks are made in. */
final class StartCheckTest {
  private final Refusing policy = new Refusing(new MemoryCloud(new ManualTime()).setup("Q"));

  private static List<RefusedException> refused(StartCheck check) {
    List<RefusedException> refused = new ArrayList<>();
    for (Runnable look : check.looks()) {
      try {
        look.run();
      } catch (RefusedException e) {
        refused.add(e);
      }
    }
    return refused;
  }

  private StartCheck worker() {
    return StartCheck.ofWorker(policy.cluster());
  }

  private StartCheck client() {
    return StartCheck.ofClient(policy.cluster());
  }

  private StartCheck provisioner() {
    return StartCheck.ofProvisioner(policy.cluster());
  }

  @Test
  void roles_that_may_do_all_find_nothing_and_change_nothing() {
    for (StartCheck check : List.of(worker(), client(), provisioner(), StartCheck.none())) {
      assertThat(refused(check)).isEmpty();
      assertThat(check.judge(List.of())).isEmpty();
    }
    assertThat(policy.cluster().runs().list()).isEmpty();
    assertThat(policy.cluster().claims().read(List.of("start-check", "refused"))).isEmpty();
    assertThat(policy.cluster().decisions().provisioner()).isEmpty();
    assertThat(policy.cluster().decisions().decisions(0, 1)).isEmpty();
    assertThat(policy.cluster().decisions().seats()).isEmpty();
    assertThat(policy.cluster().workers().list()).isEmpty();
    assertThat(policy.cluster().hpc().ledger().view())
        .isEqualTo(new MemoryCloud(new ManualTime()).setup("Q").hpc().ledger().view());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "decisions.leave",
        "ledger.renewReservation",
        "ledger.removeWaiting",
        "runs.handIn",
        "workers.remove"
      })
  void worker_says_which_writes_it_may_not_make(String call) {
    policy.refuse(call, "dynamodb:UpdateItem", "Q-table");

    assertThat(worker().judge(refused(worker())))
        .hasValueSatisfying(
            said -> assertThat(said).contains("dynamodb:UpdateItem on table 'Q-table'"));
  }

  @Test
  void provisioner_that_may_not_write_decisions_does_not_begin_but_for_a_dry_run() {
    policy.refuse("decisions.intend", "dynamodb:PutItem", "Q-decisions");

    assertThat(refused(StartCheck.ofDryRun(policy.cluster()))).isEmpty();

    assertThatThrownBy(() -> provisioner().judge(refused(provisioner())))
        .hasMessageContaining("dynamodb:PutItem on table 'Q-decisions'");
  }

  @Test
  void worker_says_all_that_is_missing_at_once_and_does_not_begin_without_claims() {
    policy.refuse("claims.write", "dynamodb:UpdateItem", "Q-claims");
    policy.refuse("dead.depth", "sqs:GetQueueAttributes", "Q-dead");
    policy.refuse("blobs.get", "s3:GetObject", "bucket/Q/*");

    assertThatThrownBy(() -> worker().judge(refused(worker())))
        .hasMessage(
            "3 actions are denied: sqs:GetQueueAttributes on queue 'Q-dead';"
                + " dynamodb:UpdateItem on table 'Q-claims';"
                + " s3:GetObject on bucket 'bucket/Q/*';"
                + " check the credentials, and that they allow these");
  }

  @Test
  void worker_without_the_bucket_begins_and_says_so() {
    policy.refuse("blobs.get", "s3:GetObject", "bucket/Q/*");

    assertThat(worker().judge(refused(worker())))
        .hasValueSatisfying(said ->
            assertThat(said)
                .startsWith("not everything is allowed here: s3:GetObject on bucket 'bucket/Q/*'"));
  }

  @Test
  void client_says_all_that_is_missing_at_once() {
    policy.refuse("claims.read", "dynamodb:BatchGetItem", "Q-claims");
    policy.refuse("runs.cancel", "dynamodb:UpdateItem", "Q-runs");

    assertThatThrownBy(() -> client().judge(refused(client())))
        .hasMessageContaining("dynamodb:BatchGetItem on table 'Q-claims'")
        .hasMessageContaining("dynamodb:UpdateItem on table 'Q-runs'");
  }

  @Test
  void provisioner_says_all_that_is_missing_at_once() {
    policy.refuse("requests.depth", "sqs:GetQueueAttributes", "Q");
    policy.refuse("ledger.view", "dynamodb:Scan", "Q-ledger");
    policy.refuse("decisions.decisions", "dynamodb:BatchGetItem", "Q-decisions");

    assertThatThrownBy(() -> provisioner().judge(refused(provisioner())))
        .hasMessageStartingWith("3 actions are denied: ")
        .hasMessageContaining("dynamodb:Scan on table 'Q-ledger'");
  }
}
