package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AwsEnvironmentTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://sqs.us-east-1.amazonaws.com",
        "https://10.0.0.1:4566",
        "http://localhost:4566",
        "http://127.0.0.1:4566",
        "http://127.1.2.3",
        "http://[::1]:4566"
      })
  void endpoint_with_tls_or_on_loopback_is_allowed(String endpoint) {
    assertThatCode(() -> AwsEnvironment.check("SQS", URI.create(endpoint), Set.of()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://10.0.0.1:4566",
        "http://sqs.us-east-1.amazonaws.com",
        "http://localhost.example.com",
        "http://127.0.0.1.example.com",
        "http://[2001:db8::1]:4566"
      })
  void endpoint_of_plain_http_elsewhere_is_refused_unless_its_host_is_named(String endpoint) {
    URI uri = URI.create(endpoint);

    assertThatThrownBy(() -> AwsEnvironment.check("SQS", uri, Set.of("other")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("plain http")
        .hasMessageEndingWith("--insecure-endpoint " + uri.getHost());
    assertThatCode(() -> AwsEnvironment.check("SQS", uri, Set.of(uri.getHost())))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mailto:somebody", "http:///x", "nonsense"})
  void endpoint_without_a_host_is_refused(String endpoint) {
    assertThatThrownBy(() -> AwsEnvironment.check("SQS", URI.create(endpoint), Set.of()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("has no host");
  }

  @Test
  void endpoint_without_a_scheme_is_told_so() {
    assertThatThrownBy(() -> AwsEnvironment.check("SQS", URI.create("localhost:4566"), Set.of()))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "the endpoint 'localhost:4566' of SQS has no scheme; expected"
                + " http://localhost:4566 or https://localhost:4566");
  }
}
