package io.cloudkon.core.testing;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the SDK takes from variables and, before those, from system properties. */
public final class SdkSettings {
  /** The variables that lead away from AWS. */
  static final List<String> ENDPOINTS =
      List.of(
          "AWS_ENDPOINT_URL",
          "AWS_ENDPOINT_URL_SQS",
          "AWS_ENDPOINT_URL_DYNAMODB",
          "AWS_ENDPOINT_URL_S3",
          "AWS_ENDPOINT_URL_EC2");

  private static final Map<String, String> PROPERTIES =
      Map.of(
          "AWS_ENDPOINT_URL", "aws.endpointUrl",
          "AWS_ENDPOINT_URL_SQS", "aws.endpointUrlSqs",
          "AWS_ENDPOINT_URL_DYNAMODB", "aws.endpointUrlDynamoDb",
          "AWS_ENDPOINT_URL_S3", "aws.endpointUrlS3",
          "AWS_ENDPOINT_URL_EC2", "aws.endpointUrlEc2",
          "AWS_REGION", "aws.region",
          "AWS_ACCESS_KEY_ID", "aws.accessKeyId",
          "AWS_SECRET_ACCESS_KEY", "aws.secretAccessKey");

  private SdkSettings() {}

  /** What the environment says, or else the system property that means the same. */
  static Optional<String> value(String variable) {
    return Optional.ofNullable(System.getenv(variable))
        .or(() -> Optional.ofNullable(System.getProperty(PROPERTIES.get(variable))))
        .filter(value -> !value.isBlank());
  }

  /** The hosts that these variables point at. */
  public static Set<String> hosts(Map<String, String> variables) {
    return ENDPOINTS.stream()
        .filter(variables::containsKey)
        .map(variable -> URI.create(variables.get(variable)).getHost())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Points the SDK in this JVM where these variables would: a running JVM's environment cannot be
   * changed, and its system properties say the same.
   */
  public static void apply(Map<String, String> variables) {
    PROPERTIES.forEach((variable, property) -> {
      if (variables.containsKey(variable)) {
        System.setProperty(property, variables.get(variable));
      } else {
        System.clearProperty(property);
      }
    });
  }
}
