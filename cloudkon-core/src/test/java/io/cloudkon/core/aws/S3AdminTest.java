package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetBucketLifecycleConfigurationRequest;
import software.amazon.awssdk.services.s3.model.GetBucketLifecycleConfigurationResponse;
import software.amazon.awssdk.services.s3.model.GetBucketPolicyRequest;
import software.amazon.awssdk.services.s3.model.GetBucketPolicyResponse;
import software.amazon.awssdk.services.s3.model.PutBucketLifecycleConfigurationRequest;
import software.amazon.awssdk.services.s3.model.PutBucketLifecycleConfigurationResponse;
import software.amazon.awssdk.services.s3.model.PutBucketPolicyRequest;
import software.amazon.awssdk.services.s3.model.PutBucketPolicyResponse;
import software.amazon.awssdk.services.s3.model.PutPublicAccessBlockRequest;
import software.amazon.awssdk.services.s3.model.PutPublicAccessBlockResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

final class S3AdminTest {
  private final List<PutBucketPolicyRequest> policies = new ArrayList<>();
  private final AtomicInteger blocks = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private String policy = "";
  private final S3Client s3 =
      new S3Client() {
        @Override
        public PutBucketPolicyResponse putBucketPolicy(
            Consumer<PutBucketPolicyRequest.Builder> request) {
          policies.add(PutBucketPolicyRequest.builder().applyMutation(request).build());
          return PutBucketPolicyResponse.builder().build();
        }

        @Override
        public GetBucketPolicyResponse getBucketPolicy(
            Consumer<GetBucketPolicyRequest.Builder> request) {
          looks.incrementAndGet();
          if (policy.isEmpty()) {
            throw refusal("NoSuchBucketPolicy");
          }
          return GetBucketPolicyResponse.builder().policy(policy).build();
        }

        @Override
        public PutPublicAccessBlockResponse putPublicAccessBlock(
            Consumer<PutPublicAccessBlockRequest.Builder> request) {
          blocks.incrementAndGet();
          return PutPublicAccessBlockResponse.builder().build();
        }

        @Override
        public GetBucketLifecycleConfigurationResponse getBucketLifecycleConfiguration(
            Consumer<GetBucketLifecycleConfigurationRequest.Builder> request) {
          throw refusal("NoSuchLifecycleConfiguration");
        }

        @Override
        public PutBucketLifecycleConfigurationResponse putBucketLifecycleConfiguration(
            Consumer<PutBucketLifecycleConfigurationRequest.Builder> request) {
          return PutBucketLifecycleConfigurationResponse.builder().build();
        }

        @Override
        public String serviceName() {
          return "s3";
        }

        @Override
        public void close() {}
      };

  @ParameterizedTest
  @CsvSource({"eu-west-1, aws", "cn-north-1, aws-cn", "us-gov-west-1, aws-us-gov"})
  void bucket_refuses_whoever_does_not_speak_tls(String region, String partition) throws Exception {
    new S3Admin(s3, new Bucket("mine", "123456789012", null), "Q", region).tlsOnly();

    assertThat(policies)
        .singleElement()
        .satisfies(put -> {
          assertThat(put.bucket()).isEqualTo("mine");
          assertThat(put.expectedBucketOwner()).isEqualTo("123456789012");
          JsonNode statement = new ObjectMapper().readTree(put.policy()).at("/Statement/0");
          assertThat(statement.at("/Effect").asText()).isEqualTo("Deny");
          assertThat(statement.at("/Principal").asText()).isEqualTo("*");
          assertThat(statement.at("/Action").asText()).isEqualTo("s3:*");
          assertThat(statement.at("/Resource/0").asText())
              .isEqualTo("arn:" + partition + ":s3:::mine");
          assertThat(statement.at("/Resource/1").asText())
              .isEqualTo("arn:" + partition + ":s3:::mine/*");
          assertThat(statement.at("/Condition/Bool").get("aws:SecureTransport").asText())
              .isEqualTo("false");
        });
  }

  private S3Admin admin() {
    return new S3Admin(s3, new Bucket("mine", "123456789012", null), "Q", "eu-west-1");
  }

  @Test
  void default_bucket_whose_setup_ended_before_its_policy_gets_it_from_the_next() {
    BucketSetup.configure(admin(), false, true, true);

    assertThat(policies).hasSize(1);
    assertThat(blocks).hasValue(1);
  }

  @Test
  void policy_that_somebody_gave_the_default_bucket_is_kept() {
    policy = "{}";

    BucketSetup.configure(admin(), false, true, true);

    assertThat(policies).isEmpty();
    assertThat(blocks).hasValue(0);
  }

  @Test
  void bucket_that_a_user_provides_is_not_looked_at() {
    BucketSetup.configure(admin(), false, false, true);

    assertThat(policies).isEmpty();
    assertThat(looks).hasValue(0);
  }

  @Test
  void emulator_without_tls_is_told_nothing_of_it() {
    assertThat(lazy("https://s3.example.org").isEncrypted()).isTrue();
    assertThat(lazy("http://127.0.0.1:4566").isEncrypted()).isFalse();
    assertThat(new LazyS3(new ServiceEndpoint(null, null), S3AdminTest::none).isEncrypted())
        .isTrue();
  }

  private static AwsServiceException refusal(String code) {
    return S3Exception.builder()
        .statusCode(404)
        .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).errorMessage(code).build())
        .build();
  }

  private static LazyS3 lazy(String endpoint) {
    return new LazyS3(new ServiceEndpoint(java.net.URI.create(endpoint), null), S3AdminTest::none);
  }

  private static S3Connection none() {
    throw new AssertionError("not asked for");
  }
}
