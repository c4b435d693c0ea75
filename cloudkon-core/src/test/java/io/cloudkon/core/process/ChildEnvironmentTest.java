package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildEnvironmentTest {

  @Test
  void options_and_clouds_of_the_user_reach_no_child() {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "CLOUDKON_OPT_LEASE", "9s",
                "AWS_PROFILE", "work",
                "AWS_REGION", "eu-west-1",
                "CLOUDKON_BUILD", "off",
                "PATH", "/bin"));

    ChildEnvironment.isolate(environment, Map.of("AWS_REGION", "us-east-1"));

    assertThat(environment)
        .containsOnly(
            Map.entry("CLOUDKON_BUILD", "off"),
            Map.entry("PATH", "/bin"),
            Map.entry("AWS_EC2_METADATA_DISABLED", "true"),
            Map.entry("AWS_REGION", "us-east-1"));
  }
}
