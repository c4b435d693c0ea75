package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

final class CalledOperationTest {

  private static SdkHttpRequest.Builder request(SdkHttpMethod method, String uri) {
    return SdkHttpRequest.builder().method(method).uri(URI.create(uri));
  }

  @Test
  void sqs_and_dynamodb_say_it_in_a_header() {
    assertThat(
            CalledOperation.of(
                request(SdkHttpMethod.POST, "http://h/")
                    .putHeader("X-Amz-Target", "AmazonSQS.SendMessageBatch")
                    .build(),
                () -> ""))
        .isEqualTo(new CalledOperation("sqs", "SendMessageBatch"));
    assertThat(
            CalledOperation.of(
                request(SdkHttpMethod.POST, "http://h/")
                    .putHeader("X-Amz-Target", "DynamoDB_20120810.UpdateItem")
                    .build(),
                () -> ""))
        .isEqualTo(new CalledOperation("dynamodb", "UpdateItem"));
  }

  @Test
  void ec2_says_it_in_a_form() {
    assertThat(
            CalledOperation.of(
                request(SdkHttpMethod.POST, "http://h/")
                    .putHeader("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
                    .build(),
                () -> "Version=2016-11-15&Action=CreateFleet&Type=instant"))
        .isEqualTo(new CalledOperation("ec2", "CreateFleet"));
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, http://h/bucket/Q/run/in/hash, PutObject",
    "PUT, http://bucket.h/Q/run/in/hash, PutObject",
    "GET, http://h/bucket/Q/run/in/hash, GetObject",
    "GET, http://h/bucket?list-type=2&prefix=Q%2F, ListObjectsV2",
    "GET, http://bucket.h/?list-type=2&prefix=Q%2F, ListObjectsV2",
    "POST, http://h/bucket?delete, DeleteObjects",
    "HEAD, http://h/bucket, HeadBucket",
    "PUT, http://h/bucket, CreateBucket",
    "PUT, http://bucket.h/, CreateBucket",
    "PUT, http://h/bucket?lifecycle, PutBucketLifecycleConfiguration",
    "GET, http://h/bucket?lifecycle, GetBucketLifecycleConfiguration",
    "PUT, http://h/bucket?publicAccessBlock, PutPublicAccessBlock",
    "DELETE, http://h/bucket, DeleteBucket"
  })
  void s3_is_known_by_method_and_address(SdkHttpMethod method, String uri, String name) {
    assertThat(CalledOperation.of(request(method, uri).build(), () -> ""))
        .isEqualTo(new CalledOperation("s3", name));
  }
}
