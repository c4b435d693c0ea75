package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Fairness;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Priority;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ClusterSettings;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.testing.ManualTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FairnessTest {
  private static final RunOptions OPTIONS =
      new RunOptions(
          "r",
          Consistency.EXACTLY_ONCE,
          1024,
          2,
          0,
          0,
          BundlerSettings.DEFAULT,
          CompletenessSettings.DEFAULT,
          LeaseSettings.DEFAULT);

  private final Cluster cluster = new MemoryCloud(new ManualTime()).setup("Q");

  private static Fairness asked(Priority priority) {
    return new Fairness(Optional.ofNullable(priority), false);
  }

  private void fair() {
    cluster.decisions().keep(new ClusterSettings(true));
  }

  @Test
  void client_of_a_fair_cluster_has_normal_priority_unless_it_asks() {
    fair();

    assertThat(new Fairness(Optional.empty(), false).in(cluster, OPTIONS).priority())
        .contains(Priority.NORMAL);
  }

  @ParameterizedTest
  @EnumSource(Priority.class)
  void client_of_a_fair_cluster_has_the_priority_that_it_asks_for(Priority priority) {
    fair();

    assertThat(asked(priority).in(cluster, OPTIONS)).isEqualTo(OPTIONS.with(priority));
  }

  /** It became normal, four times as much as low. */
  @Test
  void run_that_is_resumed_keeps_its_priority_unless_another_is_given() {
    Optional<Priority> low = Optional.of(Priority.LOW);
    assertThat(new Fairness(Optional.empty(), low, false).in(cluster, OPTIONS)).isEqualTo(OPTIONS);
    fair();

    assertThat(new Fairness(Optional.empty(), low, false).in(cluster, OPTIONS).priority())
        .isEqualTo(low);
    assertThat(new Fairness(Optional.of(Priority.HIGH), low, false).in(cluster, OPTIONS).priority())
        .contains(Priority.HIGH);
  }

  @Test
  void client_of_another_cluster_sends_everything_at_once() {
    assertThat(new Fairness(Optional.empty(), true).in(cluster, OPTIONS)).isEqualTo(OPTIONS);
    assertThat(OPTIONS.priority()).isEmpty();
  }

  @Test
  void priority_in_a_cluster_that_is_not_fair_is_refused_and_says_how_to_make_it_fair() {
    assertThatThrownBy(() -> asked(Priority.NORMAL).in(cluster, OPTIONS))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--priority normal would have no effect: cluster 'Q' is not fair, and its clients send"
                + " everything immediately; leave it out, or make the cluster fair with: cloudkon"
                + " setup -s Q --fair");
  }

  @Test
  void detach_in_a_fair_cluster_is_refused_and_says_why() {
    fair();

    assertThatThrownBy(() -> new Fairness(Optional.empty(), true).in(cluster, OPTIONS))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--detach cannot be combined with the fair cluster 'Q': a client there keeps only a"
                + " little work in the queue, and the rest would not be sent; leave it out, or end"
                + " fairness with: cloudkon setup -s Q --no-fair");
  }

  @Test
  void priority_under_local_is_refused() {
    assertThatThrownBy(asked(Priority.LOW)::checkLocal)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--priority cannot be combined with -s LOCAL");
    assertThatCode(new Fairness(Optional.empty(), true)::checkLocal).doesNotThrowAnyException();
  }

  @Test
  void cluster_without_a_table_of_decisions_is_not_fair() {
    Cluster missing = new MemoryCloud(new ManualTime()).cluster("Q");

    assertThat(new Fairness(Optional.empty(), false).in(missing, OPTIONS)).isEqualTo(OPTIONS);
  }

  private String setup(@Nullable Boolean asked) {
    SetupCommand.Sharing sharing = SetupCommand.share(cluster.decisions(), asked);
    assertThat(sharing.fair()).isEqualTo(cluster.decisions().settings().fair());
    return sharing.words();
  }

  @Test
  void setup_keeps_what_it_is_told_and_says_how_the_cluster_is_shared() {
    assertThat(setup(null)).startsWith("not fair");
    assertThat(setup(true))
        .isEqualTo(
            "fair: each client keeps at most 2 s of the fleet's work in the queue"
                + " (--priority); running clients keep the previous setting");
    assertThat(cluster.decisions().settings().fair()).isTrue();
    assertThat(setup(null))
        .isEqualTo(setup(true))
        .startsWith("fair")
        .doesNotContain("keep the previous setting");
    assertThat(setup(false)).startsWith("not fair");
    assertThat(cluster.decisions().settings().fair()).isFalse();
  }
}
