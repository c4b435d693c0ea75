package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;

final class ServiceEndpointTest {
  private static final String PROPERTY = "aws.endpointUrlS3";
  private static final URI LOOPBACK = URI.create("http://127.0.0.1:4566");
  private static final URI AWS = URI.create("https://vpce-1.sqs.eu-west-1.vpce.amazonaws.com");

  @BeforeEach
  @AfterEach
  void forget() {
    System.clearProperty(PROPERTY);
  }

  @Test
  void override_is_what_the_sdk_is_told() {
    System.setProperty(PROPERTY, "http://127.0.0.1:9090");

    assertThat(ServiceEndpoint.find("s3", Region.EU_WEST_1, LOOPBACK, LOOPBACK))
        .isEqualTo(new ServiceEndpoint(URI.create("http://127.0.0.1:9090"), null));
  }

  @Test
  void nothing_told_is_aws() {
    assertThat(ServiceEndpoint.find("s3", Region.EU_WEST_1, null, null))
        .isEqualTo(new ServiceEndpoint(null, null));
    assertThat(ServiceEndpoint.find("s3", Region.EU_WEST_1, AWS, AWS))
        .isEqualTo(new ServiceEndpoint(null, null));
  }

  @Test
  void endpoint_of_another_service_says_nothing_of_this_one() {
    System.setProperty(PROPERTY, "http://127.0.0.1:9090");

    assertThat(ServiceEndpoint.find("ec2", Region.EU_WEST_1, null, null).override()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:4566",
        "http://localhost:4566",
        "http://emulator.example.com",
        "https://localhost.localstack.cloud:4566",
        "https://amazonaws.com.example.com"
      })
  void other_services_elsewhere_keep_it_from_aws(String endpoint) {
    assertThat(ServiceEndpoint.find("s3", Region.EU_WEST_1, URI.create(endpoint), null).elsewhere())
        .isEqualTo("AWS_ENDPOINT_URL_SQS");
    assertThat(ServiceEndpoint.find("s3", Region.EU_WEST_1, null, URI.create(endpoint)).elsewhere())
        .isEqualTo("AWS_ENDPOINT_URL_DYNAMODB");
  }
}
