package io.cloudkon.client.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.plan.Observation.Volume;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExtrapolationTest {
  @Test
  void begin_and_end_are_counted_once_and_the_rest_grows() {
    // 5 s and 10 s for all of it
    assertThat(Extrapolation.line(8, 0.5, 15, 10)).isEqualTo(85);
    assertThat(Extrapolation.line(1, 0.5, 15, 10)).isEqualTo(15);
  }

  @Test
  void chance_makes_nothing_shrink_and_no_begin_negative() {
    assertThat(Extrapolation.line(8, 0.5, 15, 16)).isEqualTo(15);
    assertThat(Extrapolation.line(8, 0.5, 15, 1)).isEqualTo(120);
  }

  @Test
  void calls_are_carried_on_by_operation_and_shares_stay() {
    Observation whole =
        new Observation(
            15, Map.of("a", new Volume(20, 30), "b", new Volume(4, 4)), 8, 6, 4, 0.5, 3);
    Observation less = new Observation(10, Map.of("a", new Volume(10, 15)), 4, 3, 2, 0.1, 1);

    Observation all = Extrapolation.to(3, 0.5, whole, less);

    assertThat(all.makespanSeconds()).isEqualTo(35);
    assertThat(all.calls()).containsEntry("a", new Volume(60, 90));
    assertThat(all.calls()).containsEntry("b", new Volume(12, 12));
    assertThat(all.sends()).isEqualTo(24);
    assertThat(all.sendSeconds()).isEqualTo(18);
    assertThat(all.collectSeconds()).isEqualTo(12);
    assertThat(all.throttled()).isEqualTo(0.5);
    assertThat(all.refusedReceives()).isEqualTo(3);
  }
}
