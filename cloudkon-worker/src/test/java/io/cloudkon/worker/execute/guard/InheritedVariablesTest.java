package io.cloudkon.worker.execute.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InheritedVariablesTest {
  private static final InheritedVariables CLUSTER = InheritedVariables.withoutCredentials(Set.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_SECURITY_TOKEN",
        "AWS_PROFILE",
        "AWS_CONFIG_FILE",
        "AWS_SHARED_CREDENTIALS_FILE",
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
        "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN",
        "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "AWS_ROLE_ARN",
        "AWS_ROLE_SESSION_NAME",
        "AWS_EC2_METADATA_SERVICE_ENDPOINT",
        "AWS_OF_TIMES_TO_COME"
      })
  void what_may_lead_to_credentials_is_withheld_unless_it_is_named(String name) {
    assertThat(CLUSTER.passes(name)).isFalse();
    assertThat(InheritedVariables.withoutCredentials(Set.of(name)).passes(name)).isTrue();
    assertThat(InheritedVariables.WHOLE.passes(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
        "AWS_ENDPOINT_URL",
        "AWS_ENDPOINT_URL_S3",
        "AWS_EC2_METADATA_DISABLED",
        "PATH",
        "HOME",
        "LAWS_OF_PHYSICS"
      })
  void region_endpoints_and_everything_else_pass(String name) {
    assertThat(CLUSTER.passes(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "A=B"})
  void name_that_no_variable_has_is_refused(String name) {
    assertThatThrownBy(() -> InheritedVariables.withoutCredentials(Set.of(name)))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--env-pass '%s': expected the name of a variable, as AWS_PROFILE".formatted(name));
  }

  @Test
  void nothing_is_withheld_by_the_default_rule() {
    assertThat(StartRule.AS_THE_WORKER.inherited()).isEqualTo(System.getenv());
  }
}
