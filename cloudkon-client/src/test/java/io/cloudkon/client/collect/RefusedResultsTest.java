package io.cloudkon.client.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a client waits for what a policy refuses, and what it says then. */
class RefusedResultsTest {
  private final ManualTime time = new ManualTime();

  private static ResultBatch stored(String key) {
    return new ResultBatch(
            "r",
            "e",
            "r/e/0",
            new ResultBatch.WorkerId("w", 1, 0),
            1,
            "a-nonce",
            new ResultBatch.BundleStamps(1, 2, 3, 4, 5),
            List.of(),
            List.of(),
            "")
        .storedUnder(key);
  }

  @Test
  void stored_result_is_given_up_after_a_minute_of_refusals() {
    RefusedResults results = new RefusedResults(time);
    assertThat(results.lasts("key")).isFalse();
    time.advance(Duration.ofSeconds(59));
    assertThat(results.lasts("key")).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(results.lasts("key")).isTrue();
  }

  @Test
  void task_of_a_stored_result_stands_in_its_key() {
    String key = BlobKeys.out("r", "r/e/0", "a-nonce", 7);
    assertThat(RefusedResults.task(stored(key))).hasValue(7);
    assertThat(RefusedResults.task(stored(key + "-2"))).hasValue(7);
    assertThat(RefusedResults.task(stored("r/out/r/e/0/other-7"))).isEmpty();
  }
}
