package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.regions.Region;

final class S3EndpointTest {
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

    assertThat(S3Endpoint.find(Region.EU_WEST_1, LOOPBACK, LOOPBACK))
        .isEqualTo(new S3Endpoint(URI.create("http://127.0.0.1:9090"), null));
  }

  @Test
  void nothing_told_is_aws() {
    assertThat(S3Endpoint.find(Region.EU_WEST_1, null, null)).isEqualTo(new S3Endpoint(null, null));
    assertThat(S3Endpoint.find(Region.EU_WEST_1, AWS, AWS)).isEqualTo(new S3Endpoint(null, null));
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
    assertThat(S3Endpoint.find(Region.EU_WEST_1, URI.create(endpoint), null).elsewhere())
        .isEqualTo("AWS_ENDPOINT_URL_SQS");
    assertThat(S3Endpoint.find(Region.EU_WEST_1, null, URI.create(endpoint)).elsewhere())
        .isEqualTo("AWS_ENDPOINT_URL_DYNAMODB");
  }
}
