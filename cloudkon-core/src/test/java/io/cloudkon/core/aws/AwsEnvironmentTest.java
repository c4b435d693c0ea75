package io.cloudkon.core.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.cloudkon.core.error.UsageException;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.profiles.ProfileFile;

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
  void profile_without_credentials_says_why() {
    ProfileFile file =
        ProfileFile.builder()
            .type(ProfileFile.Type.CONFIGURATION)
            .content(
                new ByteArrayInputStream(
                    ("""
                    [profile keys]
                    aws_access_key_id = id
                    aws_secret_access_key = key
                    [profile empty]
                    region = eu-central-1
                    [profile signed-on]
                    sso_account_id = 1
                    sso_role_name = r
                    sso_region = eu-central-1
                    sso_start_url = https://example.org
                    """)
                        .getBytes(UTF_8)))
            .build();

    assertThat(AwsEnvironment.lack(file, "keys")).isEmpty();
    assertThat(AwsEnvironment.lack(file, "empty")).get(STRING).startsWith("; profile 'empty': ");
    assertThat(AwsEnvironment.lack(file, "other")).get(STRING).startsWith("; profile 'other': ");
    assertThat(AwsEnvironment.lack(file, "signed-on")).get(STRING).contains("sso");
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
