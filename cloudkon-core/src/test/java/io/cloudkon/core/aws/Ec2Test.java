package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkSystemSetting;

class Ec2Test {
  private static final String ENDPOINT =
      SdkSystemSetting.AWS_EC2_METADATA_SERVICE_ENDPOINT.property();
  private static final String DISABLED = SdkSystemSetting.AWS_EC2_METADATA_DISABLED.property();

  private String before;

  @BeforeEach
  void remember() {
    before = System.getProperty(DISABLED);
    System.setProperty(DISABLED, "false");
  }

  @AfterEach
  void forget() {
    System.clearProperty(ENDPOINT);
    if (before == null) {
      System.clearProperty(DISABLED);
    } else {
      System.setProperty(DISABLED, before);
    }
  }

  @Test
  void metadata_service_is_where_the_user_says() {
    System.setProperty(ENDPOINT, "http://127.0.0.1:1338/");

    assertThat(Ec2.metadataService()).contains(URI.create("http://127.0.0.1:1338/"));
  }

  @Test
  void metadata_service_that_is_switched_off_is_not_asked() {
    System.setProperty(ENDPOINT, "http://127.0.0.1:1338/");
    System.setProperty(DISABLED, "True");

    assertThat(Ec2.metadataService()).isEmpty();
  }

  @Test
  void metadata_service_with_an_empty_address_is_as_if_none_was_named() {
    boolean here = Ec2.here();
    System.setProperty(ENDPOINT, "");

    assertThat(Ec2.here()).isEqualTo(here);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:1338", "ftp://host", "http://", "not an address"})
  void address_that_is_none_is_refused(String odd) {
    System.setProperty(ENDPOINT, odd);

    assertThatThrownBy(Ec2::metadataService)
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("AWS_EC2_METADATA_SERVICE_ENDPOINT", odd, "http://169.254");
  }
}
