package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultSinkTest {
  private static final BundleTimes TIMES = BundleTimes.withoutWorker(0, 0, 0, 0);
  private static final TaskResult RESULT =
      TaskResult.notRun(0, "1", TaskStatus.CANCELLED, "for a test", 0);

  private final List<String> served = new ArrayList<>();

  private ResultSink sink(String name) {
    return new ResultSink() {
      @Override
      public void accept(
          BundleTimes times, String worker, int attempt, TaskResult result, long offset) {
        served.add(name);
        if (name.equals("broken")) {
          throw new IllegalStateException("planted");
        }
      }

      @Override
      public void flushAndSync() {
        served.add(name + " synced");
      }

      @Override
      public void close() {
        served.add(name + " closed");
      }
    };
  }

  @Test
  void program_has_its_result_before_the_file_does() {
    try (ResultSink both = sink("file").and(sink("program"))) {
      both.accept(TIMES, "w", 1, RESULT, 0);
      both.accept(TIMES, "w", 1, List.of(RESULT, RESULT), 0);
      both.flushAndSync();
    }

    assertThat(served)
        .containsExactly(
            "program",
            "file",
            "program",
            "program",
            "file",
            "file",
            "program synced",
            "file synced",
            "file closed");
  }

  @Test
  void result_is_kept_although_its_program_has_left() {
    ResultSink both = sink("file").and(sink("broken"));

    assertThatThrownBy(() -> both.accept(TIMES, "w", 1, List.of(RESULT), 0)).hasMessage("planted");
    assertThat(served).containsExactly("broken", "file");
  }
}
