package io.cloudkon.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsAddressTest {

  @ParameterizedTest
  @CsvSource({
    "9464, 127.0.0.1, 9464, 127.0.0.1:9464",
    "0, 127.0.0.1, 0, 127.0.0.1:0",
    "0.0.0.0:65535, 0.0.0.0, 65535, 0.0.0.0:65535",
    "node-7.internal:80, node-7.internal, 80, node-7.internal:80",
    "[::1]:9464, ::1, 9464, [::1]:9464",
  })
  void address_is_a_port_with_or_without_a_host(
      String text, String host, int port, String written) {
    MetricsAddress address = MetricsAddress.parse(text);

    assertThat(address).isEqualTo(new MetricsAddress(host, port));
    assertThat(address).hasToString(written);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "port", "65536", "-1", ":9464", "::1:9464", "host:", "a b:1"})
  void anything_else_is_refused_with_what_was_expected(String text) {
    assertThatThrownBy(() -> MetricsAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'%s' is not [HOST:]PORT; expected one such as 9464, 0.0.0.0:9464 or [::1]:9464", text);
  }
}
