package io.cloudkon.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTest {
  private final Timeline timeline = new Timeline();

  @Test
  void line_says_when_who_and_what() {
    List<String> lines = new ArrayList<>();
    Trace trace = new Trace(timeline, lines::add);
    timeline.in(1_234_567, () -> trace.say("w1", "runs %d tasks of %s", 3, "r0/e/1"));
    timeline.in(1_234_567, () -> trace.say("w1", "is 100% done"));

    timeline.step();
    timeline.step();

    assertThat(trace.on()).isTrue();
    assertThat(lines)
        .containsExactly(
            "      1234.567 ms  w1       runs 3 tasks of r0/e/1",
            "      1234.567 ms  w1       is 100% done");
  }

  @Test
  void trace_that_nobody_reads_puts_nothing_together() {
    Trace trace = new Trace(timeline, null);
    Object unprintable =
        new Object() {
          @Override
          public String toString() {
            throw new AssertionError("was put together");
          }
        };

    trace.say("w1", "has %s", unprintable);

    assertThat(trace.on()).isFalse();
  }
}
