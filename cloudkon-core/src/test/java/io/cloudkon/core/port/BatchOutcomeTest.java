package io.cloudkon.core.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchOutcomeTest {
  private static final List<String> BATCH = List.of("a", "b", "b");

  @Test
  void every_entry_is_accepted_or_failed_by_its_index_not_by_what_it_equals() {
    BatchFailure why = new BatchFailure(1, "full", false);

    BatchOutcome<String> outcome = BatchOutcome.of(BATCH, List.of(why));

    assertThat(outcome.accepted()).containsExactly("a", "b");
    assertThat(outcome.failed()).containsExactly(new BatchOutcome.Failed<>("b", why));
  }

  @Test
  void call_that_failed_as_a_whole_fails_every_entry_in_passing() {
    BatchOutcome<String> outcome = BatchOutcome.allFailed(BATCH, new IllegalStateException("off"));

    assertThat(outcome.accepted()).isEmpty();
    assertThat(outcome.failed()).hasSize(3).allMatch(one -> one.why().retryable());
    assertThat(outcome.failed().getLast().why().reason()).contains("off");
  }

  @Test
  void tell_tells_each_entry_once() {
    List<String> told = new ArrayList<>();

    BatchOutcome.of(BATCH, List.of(new BatchFailure(0, "full", true)))
        .tell(entry -> told.add("+" + entry), (entry, why) -> told.add("-" + entry + why.reason()));

    assertThat(told).containsExactly("+b", "+b", "-afull");
  }

  @Test
  void failure_of_an_entry_that_was_not_sent_is_an_error() {
    assertThatThrownBy(() -> BatchOutcome.of(BATCH, List.of(new BatchFailure(3, "full", true))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("entry 3 of a batch of 3");
  }

  @Test
  void call_that_is_not_allowed_is_not_tried_again_with_the_same_entries() {
    BatchOutcome<String> outcome =
        BatchOutcome.allFailed(
            BATCH, new RefusedException("sqs:SendMessage", "queue", "Q", "HTTP 403", null));

    assertThat(outcome.failed()).hasSize(BATCH.size()).noneMatch(one -> one.why().retryable());
  }
}
