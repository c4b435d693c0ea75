package io.cloudkon.hpc.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MpiPortsTest {

  @Test
  void environment_has_the_range_as_each_library_writes_it() {
    MpiPorts ports = MpiPorts.parse("7100:7199");

    assertThat(ports.count()).isEqualTo(100);
    assertThat(ports.environment())
        .isEqualTo(
            Map.of(
                "MPIEXEC_PORT_RANGE", "7100:7199",
                "MPIR_CVAR_CH3_PORT_RANGE", "7100:7199",
                "UCX_TCP_PORT_RANGE", "7100-7199",
                "FI_TCP_PORT_LOW_RANGE", "7100",
                "FI_TCP_PORT_HIGH_RANGE", "7199",
                "FI_PROVIDER", "^sockets"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"7100", "7100-7199", "0:10", "7199:7100", "7100:65536", "a:b", ":", ""})
  void anything_else_is_refused_with_what_was_expected(String text) {
    assertThatThrownBy(() -> MpiPorts.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected LOW:HIGH within 1 and 65535, such as 7100:7199");
  }
}
