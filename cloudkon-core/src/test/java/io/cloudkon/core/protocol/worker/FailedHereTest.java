package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.time.Moment;
import org.junit.jupiter.api.Test;

class FailedHereTest {
  private static final String CHILD = "run/e/0/1";

  private final FailedHere failedHere = new FailedHere(false);

  private static Moment at(long millis) {
    return new Moment(millis, 0);
  }

  private void sent(boolean failed) {
    failedHere.sending("run/e/0", new BundleEffect.SendChild(1, Positions.of(0), failed), at(0));
  }

  @Test
  void bundle_of_tasks_that_failed_here_is_left_to_others_a_few_times() {
    sent(true);
    for (int i = 0; i < FailedHere.PUT_BACKS; i++) {
      assertThat(failedHere.leaves(CHILD, at(i))).isTrue();
      assertThat(failedHere.looksForOthers(at(i))).isTrue();
    }

    assertThat(failedHere.leaves(CHILD, at(10))).isFalse();
  }

  @Test
  void worker_whose_bundle_nobody_took_tries_again_itself_for_a_while() {
    sent(true);
    assertThat(failedHere.leaves(CHILD, at(FailedHere.AVOIDED))).isFalse();

    long until = FailedHere.AVOIDED + FailedHere.ALONE;
    assertThat(failedHere.looksForOthers(at(until - 1))).isFalse();
    assertThat(failedHere.looksForOthers(at(until))).isTrue();
  }

  @Test
  void what_else_was_handed_on_is_taken_as_it_comes() {
    sent(false);

    assertThat(failedHere.leaves(CHILD, at(0))).isFalse();
    assertThat(failedHere.leaves("run/e/7", at(0))).isFalse();
    assertThat(failedHere.looksForOthers(at(0))).isTrue();
  }

  @Test
  void the_only_worker_looks_for_nobody() {
    FailedHere alone = new FailedHere(true);

    assertThat(alone.looksForOthers(at(0))).isFalse();
    assertThat(alone.looksForOthers(at(Long.MAX_VALUE - 1))).isFalse();
  }
}
