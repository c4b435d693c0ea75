package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
  private static Planner planner(
      String workers,
      String instance,
      @Nullable Double hourly,
      @Nullable Integer slots,
      @Nullable Duration latency,
      @Nullable Duration goal,
      String... durations) {
    return new Planner(
        "tasks.txt",
        workers,
        List.of(durations),
        null,
        instance,
        hourly,
        slots,
        2,
        BundlerSettings.DEFAULT,
        Consistency.EXACTLY_ONCE,
        ClaimScope.BUNDLE,
        latency,
        Duration.ofSeconds(60),
        goal,
        1);
  }

  private static void refused(Planner planner, String message) {
    assertThatThrownBy(planner::check)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("expected");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1,10,100", " 10 , 1 ", "16384", "5,5"})
  void list_of_fleets_is_taken(String workers) {
    assertThatCode(planner(workers, "t3.micro", null, null, null, null)::check)
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "1,0", "-1", "1,,2", "1;2", "ten", "16385", "99999999999", "1."})
  void list_with_anything_else_is_refused(String workers) {
    refused(
        planner(workers, "t3.micro", null, null, null, null), "--workers %s:".formatted(workers));
  }

  @Test
  void what_is_out_of_its_bounds_is_refused() {
    refused(planner("1", "t3.micro", -1.0, null, null, null), "--hourly -1.0");
    refused(planner("1", "t3.micro", Double.NaN, null, null, null), "--hourly NaN");
    refused(planner("1", "t3.micro", null, 0, null, null), "--slots 0");
    refused(planner("1", "t3.micro", null, null, Duration.ZERO, null), "--latency");
    refused(planner("1", "t3.micro", null, null, Duration.ofSeconds(11), null), "--latency");
    refused(planner("1", "t3.micro", null, null, null, Duration.ZERO), "--goal");
    refused(planner("1", "t0.none", null, null, null, null), "--instance t0.none");
    refused(planner("1", "t3.micro", null, null, null, null, "soon"), "--duration");
  }
}
