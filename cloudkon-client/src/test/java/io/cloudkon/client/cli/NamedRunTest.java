package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import org.junit.jupiter.api.Test;

class NamedRunTest {

  @Test
  void run_of_a_named_cluster_needs_no_folder() {
    NamedRun run = NamedRun.of("nightly", "Q", "cancel");

    assertThat(run.id()).isEqualTo("nightly");
    assertThat(run.cluster()).isEqualTo("Q");
    assertThat(run.folder()).isEmpty();
    assertThat(run.resume()).contains("cloudkon client -s Q --resume nightly");
  }

  @Test
  void without_cluster_the_folder_must_be_here() {
    assertThatThrownBy(() -> NamedRun.of("nightly", null, "cancel"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "missing required option: '-s QUEUE', because no run 'nightly' has its folder here; see"
                + " cloudkon cancel --help");
  }

  @Test
  void cluster_local_is_none() {
    assertThatThrownBy(() -> NamedRun.of("nightly", "LOCAL", "wait"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no cluster LOCAL");
  }
}
