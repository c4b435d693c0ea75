package io.cloudkon.core.protocol.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Positions;
import org.junit.jupiter.api.Test;

class SickReleaseTest {
  private static final int TASKS = 4_096;

  private int failed;
  private int deepest;

  /** Five workers find each time that the first task cannot be started. */
  private void giveUp(String bundle, int tasks) {
    deepest = Math.max(deepest, BundleIds.depth(bundle));
    SickRelease sick = new SickRelease(bundle);
    sick.because(new BundleEvent.Sick(Positions.of(0), "its bucket refuses it", 30_000));
    sick.noted(5);
    Verdict verdict = sick.verdict(Positions.range(0, tasks), Positions.none(), true);
    failed += verdict.failed().size();
    int k = 1;
    for (Positions child : verdict.children()) {
      giveUp(BundleIds.child(bundle, k++), child.size());
    }
  }

  @Test
  void bundle_of_which_no_task_can_be_started_ends_and_nests_by_the_logarithm() {
    giveUp("run/e/0", TASKS);

    assertThat(failed).isEqualTo(TASKS);
    assertThat(deepest).isLessThanOrEqualTo(13);
  }
}
