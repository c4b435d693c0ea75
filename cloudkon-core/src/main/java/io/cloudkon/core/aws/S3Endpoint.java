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
 * Where S3 is looked for.
 *
 * @param override if not at AWS
 * @param elsewhere the variable by which another service is not at AWS while S3 is: who works with
 *     an emulator must not reach the real S3 by accident; null if there is none
 */
record S3Endpoint(@Nullable URI override, @Nullable String elsewhere) {
  private static final Pattern AWS = Pattern.compile(".*\\.(amazonaws\\.[a-z.]+|api\\.aws)");

  /**
   * As the SDK will find it, told without loading its S3 client.
   *
   * @param sqs the override of SQS, if any
   * @param dynamo likewise
   */
  static S3Endpoint find(Region region, @Nullable URI sqs, @Nullable URI dynamo) {
    AwsClientEndpointProvider found =
        AwsClientEndpointProvider.builder()
            .serviceEndpointOverrideEnvironmentVariable("AWS_ENDPOINT_URL_S3")
            .serviceEndpointOverrideSystemProperty("aws.endpointUrlS3")
            .serviceProfileProperty("s3")
            .profileFile(ProfileFile::defaultProfileFile)
            .profileName(ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow())
            .serviceEndpointPrefix("s3")
            .defaultProtocol("https")
            .region(region)
            .build();
    if (found.isEndpointOverridden()) {
      return new S3Endpoint(found.clientEndpoint(), null);
    }
    if (isElsewhere(sqs)) {
      return new S3Endpoint(null, "AWS_ENDPOINT_URL_SQS");
    }
    return new S3Endpoint(null, isElsewhere(dynamo) ? "AWS_ENDPOINT_URL_DYNAMODB" : null);
  }

  private static boolean isElsewhere(@Nullable URI endpoint) {
    return endpoint != null
        && (endpoint.getHost() == null
            || !AWS.matcher(endpoint.getHost().toLowerCase(Locale.ROOT)).matches());
  }
}
