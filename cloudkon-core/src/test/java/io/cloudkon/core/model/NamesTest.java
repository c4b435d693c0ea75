package io.cloudkon.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NamesTest {

  @Test
  void cluster_that_processes_share_is_not_named_as_a_client_names_its_own_process() {
    assertThat(Names.checkShared("local-1")).isEqualTo("local-1");
    assertThatThrownBy(() -> Names.checkShared(Names.LOCAL))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("there is no cluster LOCAL; give another name");
  }

  @Test
  void local_is_written_in_capitals() {
    assertThat(Names.checkCluster(Names.LOCAL)).isEqualTo("LOCAL");
    assertThatThrownBy(() -> Names.checkCluster("local"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("did you mean LOCAL, which is this process?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Q", "my-queue_1", "0", "a234567890123456789012345678901234567890"})
  void check_gives_legal_names_back(String name) {
    assertThat(Names.check("queue", name)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "a/b",
        "a.fifo",
        "é",
        "a\n",
        "\u0663",
        "a2345678901234567890123456789012345678901"
      })
  void check_refuses_other_names_by_what_they_name(String name) {
    assertThatThrownBy(() -> Names.check("run id", name))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("illegal run id '" + name + "'")
        .hasMessageContaining("40");
  }

  @Test
  void names_of_a_cluster_are_made_from_its_own() {
    assertThat(Names.hpc("Q")).isEqualTo("Q-hpc");
    assertThat(Names.ranks("Q")).isEqualTo("Q-ranks");
    assertThat(Names.dead("Q")).isEqualTo("Q-dead");
    assertThat(Names.response("Q", "c1")).isEqualTo("Q-response-c1");
    assertThat(Names.response("Q", "c1")).startsWith(Names.responsePrefix("Q"));
    assertThat(Names.claims("Q")).isEqualTo("Q-claims");
    assertThat(Names.workers("Q")).isEqualTo("Q-workers");
    assertThat(Names.runs("Q")).isEqualTo("Q-runs");
    assertThat(Names.ledger("Q")).isEqualTo("Q-ledger");
    assertThat(Names.decisions("Q")).isEqualTo("Q-decisions");
  }

  @Test
  void client_of_a_response_queue_is_the_one_that_it_was_made_for() {
    assertThat(Names.client(Names.response("Q", "0123456789ab"))).isEqualTo("0123456789ab");
    assertThat(Names.client(Names.response("my-Q_1", "c1"))).isEqualTo("c1");
  }

  @Test
  void queue_in_place_of_a_former_one_is_the_same_clients() {
    assertThat(Names.client(Names.response("Q", "0123456789ab-2"))).isEqualTo("0123456789ab");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Q", "Q-response-", "Q-response-a b", "-response-c", "Q-response-é"})
  void name_that_is_no_response_queues_has_no_client(String name) {
    assertThat(Names.client(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Q-hpc", "Q-ranks", "Q-dead", "Q-response-c1"})
  void check_cluster_refuses_names_of_another_clusters_queues(String name) {
    assertThatThrownBy(() -> Names.checkCluster(name))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("queue '%s' belongs to cluster 'Q'".formatted(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"incident-response", "-response"})
  void check_cluster_refuses_a_name_whose_queues_another_cluster_takes_for_its_own(String name) {
    assertThatThrownBy(() -> Names.checkCluster(name))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("queue '%s' cannot be a cluster".formatted(name))
        .hasMessageContaining("'%s-hpc'".formatted(name))
        .hasMessageContaining(
            "response queues of cluster '%s'".formatted(name.replace("-response", "")))
        .hasMessageContaining("does not end in -response");
    assertThat(Names.checkCluster("response")).isEqualTo("response");
    assertThat(Names.checkCluster("my-responses")).isEqualTo("my-responses");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Q-response-0123456789ab", "Q-response-0123456789ab-12"})
  void response_queue_that_a_client_made_is_told_by_its_form(String queue) {
    assertThat(Names.isClients("Q", queue)).isTrue();
    assertThat(Names.isClients("P", queue)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Q-response-dlq",
        "Q-response-hpc",
        "Q-response-response-0123456789ab",
        "Q-response-0123456789ab-dlq",
        "Q-response-0123456789ABC",
        "Q-response-"
      })
  void other_queues_that_begin_alike_are_no_clients(String queue) {
    assertThat(Names.isClients("Q", queue)).isFalse();
  }
}
