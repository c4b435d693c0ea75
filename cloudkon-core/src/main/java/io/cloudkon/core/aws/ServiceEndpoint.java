package io.cloudkon.core.aws;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.endpoint.AwsClientEndpointProvider;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.regions.Region;

/**
 * The endpoint of a service whose client is created late: S3, EC2.
 *
 * @param override the endpoint, if it is not that of AWS
 * @param elsewhere the variable that directs another service away from AWS while this one is not
 *     directed; a user of an emulator must not reach the real service by accident. Null if there is
 *     none
 */
record ServiceEndpoint(@Nullable URI override, @Nullable String elsewhere) {
  private static final Pattern AWS = Pattern.compile(".*\\.(amazonaws\\.[a-z.]+|api\\.aws)");

  /**
   * The endpoint that the SDK will use, determined without loading its client.
   *
   * @param service the name of the service in endpoints: {@code s3}, {@code ec2}
   * @param sqs the override of SQS, if any
   * @param dynamo the override of DynamoDB, if any
   */
  static ServiceEndpoint find(
      String service, Region region, @Nullable URI sqs, @Nullable URI dynamo) {
    AwsClientEndpointProvider found =
        AwsClientEndpointProvider.builder()
            .serviceEndpointOverrideEnvironmentVariable(
                "AWS_ENDPOINT_URL_" + service.toUpperCase(Locale.ROOT))
            .serviceEndpointOverrideSystemProperty("aws.endpointUrl" + capitalised(service))
            .serviceProfileProperty(service)
            .profileFile(ProfileFile::defaultProfileFile)
            .profileName(ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow())
            .serviceEndpointPrefix(service)
            .defaultProtocol("https")
            .region(region)
            .build();
    if (found.isEndpointOverridden()) {
      return new ServiceEndpoint(found.clientEndpoint(), null);
    }
    if (isElsewhere(sqs)) {
      return new ServiceEndpoint(null, "AWS_ENDPOINT_URL_SQS");
    }
    return new ServiceEndpoint(null, isElsewhere(dynamo) ? "AWS_ENDPOINT_URL_DYNAMODB" : null);
  }

  private static String capitalised(String service) {
    return service.substring(0, 1).toUpperCase(Locale.ROOT) + service.substring(1);
  }

  private static boolean isElsewhere(@Nullable URI endpoint) {
    return endpoint != null
        && (endpoint.getHost() == null
            || !AWS.matcher(endpoint.getHost().toLowerCase(Locale.ROOT)).matches());
  }
}
