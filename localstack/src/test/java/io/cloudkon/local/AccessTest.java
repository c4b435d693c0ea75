package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
  private static final AccessKey KEY = AccessKey.random();
  private static final String SIGNED = "Authorization: " + SqsCalls.authorization(KEY);

  private static Optional<String> refusal(String target, String... headers) {
    RequestHead head =
        RequestHead.parse("POST %s HTTP/1.1\r\n".formatted(target) + String.join("\r\n", headers));
    return new Access(KEY).refusal(head::header, head.query());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:4566",
        "localhost:1",
        "LOCALHOST",
        "127.0.0.1",
        "10.7.0.1:80",
        "[::1]:9"
      })
  void request_to_an_address_with_the_key_comes_in(String host) {
    assertThat(refusal("/", "Host: " + host, SIGNED)).isEmpty();
  }

  @Test
  void key_may_stand_in_the_address() {
    assertThat(
            refusal(
                "/b/k?X-Amz-Credential=" + KEY.id() + "%2F2026%2Fs3&X-Amz-Date=1",
                "host: localhost"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:4566", "127.0.0.1.evil.example", ""})
  void host_with_another_name_is_refused(String host) {
    assertThat(refusal("/", "Host: " + host, SIGNED)).get().asString().contains("'" + host + "'");
  }

  @Test
  void request_without_a_host_is_refused() {
    assertThat(refusal("/", SIGNED)).isPresent();
  }

  @Test
  void page_of_the_web_is_refused_whatever_it_names() {
    assertThat(refusal("/", "Host: localhost", SIGNED, "Origin: http://localhost:3000"))
        .contains("The emulator does not answer web pages.");
    assertThat(refusal("/", "Host: localhost", SIGNED, "origin: null")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Nothing: 1",
        "Authorization: AWS4-HMAC-SHA256 Credential=local/2026/us-east-1/sqs/aws4_request",
        "Authorization: AWS4-HMAC-SHA256 Credential=/2026",
        "Authorization: Basic Zm9vOmJhcg=="
      })
  void other_credentials_or_none_are_refused_and_the_line_says_where_to_get_them(String header) {
    assertThat(refusal("/", "Host: localhost", header))
        .get()
        .asString()
        .contains("cloudkon local status");
  }

  @Test
  void part_of_the_key_is_not_enough() {
    String part = KEY.id().substring(0, KEY.id().length() - 1);
    assertThat(refusal("/?X-Amz-Credential=" + part + "/2026", "Host: localhost")).isPresent();
    assertThat(refusal("/?X-Amz-Credential=" + KEY.id() + "0/2026", "Host: localhost")).isPresent();
  }
}
