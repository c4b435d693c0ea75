package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.ResultBatch.Calls;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CallSumTest {
  @Test
  void sum_adds_by_operation() {
    assertThat(
            CallCounter.sum(
                List.of(
                    List.of(new Calls("a", 1, 2)),
                    List.of(new Calls("a", 3, 4.5), new Calls("b", 1, 1)))))
        .containsExactly(new Calls("a", 4, 6.5), new Calls("b", 1, 1));
  }
}
