package io.cloudkon.worker.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

class BundleInHandTest {
  private final BundleInHand inHand = new BundleInHand(1, bundle(), "handle", 1, "nonce", 0, 0);

  @Test
  void closed_bundle_frees_the_disk_of_results_that_were_not_sent() {
    OnDisk sent = result(0);
    OnDisk left = result(1);
    inHand.forget(Positions.of(0));
    assertThat(sent.releases()).isEqualTo(1);
    assertThat(left.releases()).isZero();

    inHand.close();

    assertThat(sent.releases()).isEqualTo(1);
    assertThat(left.releases()).isEqualTo(1);
  }

  @Test
  void closed_bundle_frees_the_disk_of_a_result_that_still_comes() {
    inHand.close();

    assertThat(result(0).releases()).isEqualTo(1);
  }

  @Test
  void replaced_bundle_frees_the_disk_of_a_try_before_and_of_a_result_that_still_comes() {
    OnDisk before = result(0);

    BundleInHand next = inHand.replaced(2, "another");

    assertThat(before.releases()).isEqualTo(1);
    assertThat(result(1).releases()).isEqualTo(1);
    OnDisk kept = result(next, 0);
    assertThat(kept.releases()).isZero();
  }

  @Test
  void failed_tries_count_under_another_nonce() {
    inHand.tryFailed(1);
    inHand.tryFailed(1);

    BundleInHand next = inHand.replaced(2, "another");
    next.tryFailed(1);

    assertThat(next.nextTry(0)).isEqualTo(1);
    assertThat(next.nextTry(1)).isEqualTo(4);
    assertThat(next.replaced(3, "a third").nextTry(1)).isEqualTo(4);
  }

  private OnDisk result(int position) {
    return result(inHand, position);
  }

  private static OnDisk result(BundleInHand inHand, int position) {
    OnDisk stdout = new OnDisk();
    Task task = inHand.task(position);
    inHand.result(
        position,
        TaskResult.notRun(task.ordinal(), task.id(), TaskStatus.FAILED, "", 0)
            .with(new Spools(stdout, null)));
    return stdout;
  }

  private static Bundle bundle() {
    BundleHeader header =
        new BundleHeader("r", "e", "r/e/0", "Q-r", Consistency.EXACTLY_ONCE, 1024, 0, 0, 0);
    return new Bundle(
        header,
        List.of(new Task(0, "1", Work.Noop.INSTANCE, 0), new Task(1, "2", Work.Noop.INSTANCE, 0)));
  }
}
