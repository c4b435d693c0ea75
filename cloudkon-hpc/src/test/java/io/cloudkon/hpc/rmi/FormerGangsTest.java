package io.cloudkon.hpc.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FormerGangsTest {
  private final FormerGangs<Integer> gangs = new FormerGangs<>();

  @Test
  void last_gangs_are_known_and_older_ones_forgotten() {
    gangs.add("unknown", null);
    for (int i = 1; i <= 100; i++) {
      gangs.add("gang-" + i, i);
    }

    assertThat(gangs.get("unknown")).isNull();
    assertThat(gangs.get("gang-36")).isNull();
    assertThat(gangs.get("gang-37")).isEqualTo(37);
    assertThat(gangs.get("gang-100")).isEqualTo(100);
  }
}
