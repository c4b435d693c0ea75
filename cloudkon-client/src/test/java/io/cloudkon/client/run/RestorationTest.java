package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.Confirmed;
import io.cloudkon.client.report.JournalEntry.ProvisionallyLost;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine.Verdict;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a run stands, by its files: three bundles of four tasks. */
class RestorationTest {
  private static final RunOptions OPTIONS =
      new RunOptions(
          "r",
          Consistency.AT_MOST_ONCE,
          1024,
          2,
          0,
          0,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          LeaseSettings.DEFAULT);

  private final ManualTime time = new ManualTime();
  private final BitSet done = new BitSet();

  private Restoration read(JournalEntry... more) {
    Restoration restoration = new Restoration(OPTIONS, "e", done, time);
    for (int i = 0; i < 3; i++) {
      restoration.accept(new BundleRange(i, 4 * i, 4, 100L * i, 1 + 4L * i, time.wallMicros()));
    }
    List.of(more).forEach(restoration::accept);
    return restoration;
  }

  private Confirmed confirmed(Integer... sequences) {
    return new Confirmed(List.of(sequences), time.wallMicros() + 1, time.wallMicros() + 2);
  }

  private static List<Integer> numbers(List<SentBundle> bundles) {
    return bundles.stream().map(SentBundle::sequence).toList();
  }

  @Test
  void bundle_that_was_not_confirmed_is_sent_again_and_no_other() {
    ResumeState state = read(confirmed(1)).state();

    assertThat(numbers(state.unconfirmed())).containsExactly(0, 2);
    assertThat(state.outstanding()).containsOnlyKeys(0, 1, 2);
    assertThat(state.sentTasks()).isEqualTo(4);
    assertThat(state.completeness().tasks()).isEqualTo(12);
  }

  @Test
  void bundle_that_answered_was_sent_whatever_the_journal_says() {
    done.set(5);
    ResumeState state = read(confirmed(0), new ProvisionallyLost(List.of(9))).state();

    assertThat(state.unconfirmed()).isEmpty();
    assertThat(state.sentTasks()).isEqualTo(12);
    assertThat(state.completeness().provisionallyLost()).isEqualTo(1);
  }

  @Test
  void bundle_with_all_results_is_closed_confirmed_or_not() {
    done.set(4, 8);
    ResumeState state = read(confirmed(0)).state();

    assertThat(state.outstanding()).containsOnlyKeys(0, 2);
    assertThat(numbers(state.unconfirmed())).containsExactly(2);
    assertThat(state.sentTasks()).isEqualTo(8);
    assertThat(state.completeness().finished()).isEqualTo(4);
    assertThat(state.completeness().offer("r/e/1", 4, false)).isEqualTo(Verdict.DUPLICATE);
  }

  @Test
  void times_of_a_send_are_those_of_the_journal() {
    SentBundle bundle = read(confirmed(1)).state().outstanding().get(1);

    assertThat(bundle)
        .isEqualTo(
            new SentBundle(
                1,
                4,
                4,
                100,
                5,
                List.of(),
                0,
                time.wallMicros(),
                time.wallMicros() + 1,
                time.wallMicros() + 2));
  }

  @Test
  void lost_that_was_replaced_is_lost_no_more() {
    done.set(1);
    Restoration restoration = read(confirmed(0, 1, 2), new ProvisionallyLost(List.of(1, 2)));

    assertThat(restoration.state().completeness().provisionallyLost()).isEqualTo(1);
    assertThat(restoration.lost().stream()).containsExactly(2);
  }

  @Test
  void rest_of_the_workload_follows_the_last_bundle() {
    assertThat(read().state().last()).extracting(SentBundle::sequence).isEqualTo(2);
    Restoration nothing = new Restoration(OPTIONS, "e", done, time);
    assertThat(nothing.state().last()).isNull();
    assertThat(nothing.state().unconfirmed()).isEmpty();
  }

  @Test
  void bundle_that_does_not_follow_is_refused() {
    BundleRange gap = new BundleRange(4, 16, 4, 0, 1, 0);
    BundleRange overlap = new BundleRange(3, 11, 4, 0, 1, 0);

    assertThatThrownBy(() -> read(gap)).isInstanceOf(CloudKonException.class);
    assertThatThrownBy(() -> read(overlap))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("bundle 3 begins at task 11, expected bundle 3 at task 12");
  }

  @Test
  void something_stored_is_kept_in_mind() {
    assertThat(read().stored()).isFalse();
    assertThat(read(new JournalEntry.Stored()).stored()).isTrue();
  }

  @Test
  void job_is_a_job_again_whose_claim_is_read_where_tasks_have_none() {
    RunOptions atLeastOnce =
        new RunOptions(
            "r",
            Consistency.AT_LEAST_ONCE,
            1024,
            2,
            0,
            0,
            BundlerSettings.DEFAULT,
            CompletenessSettings.DEFAULT,
            LeaseSettings.DEFAULT);
    Restoration restoration = new Restoration(atLeastOnce, "e", done, time);
    restoration.accept(new BundleRange(0, 0, 4, 0, 1, time.wallMicros()));
    restoration.accept(new BundleRange(1, 4, 1, 100, 5, time.wallMicros(), 8));
    restoration.accept(confirmed(0, 1));
    ResumeState state = restoration.state();

    assertThat(state.outstanding().get(0).job()).isFalse();
    assertThat(state.outstanding().get(1).job()).isTrue();
    assertThat(state.completeness().allSent(time.now())).isEmpty();
    time.advance(Duration.ofMinutes(11));
    assertThat(state.completeness().lookForSilence(time.now()))
        .containsExactly(new CompletenessEffect.ReadClaims(List.of("r/e/1")));
  }
}
