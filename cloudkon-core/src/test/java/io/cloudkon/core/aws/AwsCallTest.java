package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.sqs.model.QueueDeletedRecentlyException;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

final class AwsCallTest {
  private static final AwsCall CALL = AwsCall.queue("SendMessageBatch", "Q");

  private static AwsServiceException answer(int status, String code) {
    return AwsServiceException.builder()
        .statusCode(status)
        .awsErrorDetails(
            AwsErrorDetails.builder().errorCode(code).errorMessage("because of that").build())
        .build();
  }

  private static CloudKonException explained(SdkException e) {
    CloudKonException explained = CALL.explain(e);
    assertThat(explained).hasCause(e);
    assertThat(explained.getMessage()).doesNotContain("\n");
    return explained;
  }

  @ParameterizedTest
  @CsvSource({
    "400, RequestThrottled",
    "400, ProvisionedThroughputExceededException",
    "400, ThrottlingException",
    "400, TransactionConflictException",
    "400, TransactionInProgressException",
    "400, RequestTimeout",
    "400, KMS.ThrottlingException",
    "409, OperationAborted",
    "408, Anything",
    "429, Anything",
    "500, InternalFailure",
    "503, ServiceUnavailable",
    "400, RequestTimeTooSkewed"
  })
  void throttled_or_failing_service_is_transient(int status, String code) {
    assertThat(explained(answer(status, code)))
        .isInstanceOf(TransientServiceException.class)
        .hasMessageStartingWith(
            "sqs.SendMessageBatch on queue 'Q' failed temporarily: HTTP " + status);
  }

  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied",
    "400, AccessDeniedException",
    "403, AnythingElse",
    "400, KMS.AccessDeniedException"
  })
  void denied_call_is_refused_and_names_action_and_resource(int status, String code) {
    CloudKonException refused = explained(answer(status, code));

    assertThat(refused)
        .hasMessage(
            "sqs:SendMessage on queue 'Q' was denied: HTTP %d %s because of that;"
                    .formatted(status, code)
                + " check the credentials, and that they allow sqs:SendMessage");
    assertThat(refused)
        .isInstanceOfSatisfying(
            RefusedException.class,
            e -> {
              assertThat(e.action()).isEqualTo("sqs:SendMessage");
              assertThat(e.resource()).isEqualTo("Q");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "400, UnrecognizedClientException",
    "403, SignatureDoesNotMatch",
    "403, InvalidClientTokenId",
    "403, InvalidAccessKeyId",
    "403, ExpiredToken",
    "400, ExpiredTokenException"
  })
  void credentials_that_are_none_any_more_are_transient(int status, String code) {
    assertThat(explained(answer(status, code)))
        .hasMessage(
            "sqs.SendMessageBatch on queue 'Q' was denied: HTTP %d %s because of that; check the credentials"
                .formatted(status, code))
        .isInstanceOfSatisfying(
            TransientServiceException.class, e -> assertThat(e.ofCredentials()).isTrue());
  }

  @Test
  void credentials_that_cannot_be_loaded_just_now_are_transient() {
    assertThat(explained(SdkClientException.create("Unable to load credentials from any provider")))
        .hasMessageContaining("could not be made: Unable to load credentials")
        .isInstanceOfSatisfying(
            TransientServiceException.class, e -> assertThat(e.ofCredentials()).isTrue());
  }

  @Test
  void denied_transaction_says_what_its_parts_need() {
    assertThat(
            AwsCall.table("TransactWriteItems", "Q-ledger")
                .explain(answer(400, "AccessDeniedException")))
        .hasMessageEndingWith(
            "that they allow dynamodb:PutItem, dynamodb:UpdateItem and dynamodb:DeleteItem");
  }

  @Test
  void refused_call_is_final() {
    assertThat(explained(answer(400, "ValidationException")))
        .isExactlyInstanceOf(CloudKonException.class)
        .hasMessageContaining("was refused: HTTP 400 ValidationException because of that");
  }

  @Test
  void answer_without_details_is_explained_too() {
    assertThat(explained(AwsServiceException.builder().statusCode(502).build()))
        .isInstanceOf(TransientServiceException.class);
    assertThat(explained(AwsServiceException.builder().statusCode(404).build()))
        .isExactlyInstanceOf(CloudKonException.class);
  }

  @Test
  void missing_queue_or_table_says_how_to_create_it() {
    assertThat(explained(QueueDoesNotExistException.builder().build()))
        .isInstanceOf(MissingResourceException.class)
        .hasMessage("queue 'Q' does not exist; create the cluster with: cloudkon setup -s Q");
    assertThat(
            AwsCall.table("GetItem", "Q-runs").explain(ResourceNotFoundException.builder().build()))
        .isInstanceOf(MissingResourceException.class)
        .hasMessage("table 'Q-runs' does not exist; create the cluster with: cloudkon setup -s Q");
  }

  @Test
  void missing_bucket_says_how_to_create_it() {
    Bucket ours =
        Bucket.byDefault()
            .in(() -> "https://sqs.eu-west-1.amazonaws.com/123456789012/Q", "eu-west-1");

    assertThat(AwsCall.bucket("PutObject", ours, "Q").explain(answer(404, "NoSuchBucket")))
        .isInstanceOf(MissingResourceException.class)
        .hasMessage(
            "bucket 'cloudkon-123456789012-eu-west-1' does not exist; create it with:"
                + " cloudkon setup -s Q");
    assertThat(
            AwsCall.bucket("PutObject", new Bucket("mine", "123456789012", "mine"), "Q")
                .explain(answer(404, "NoSuchBucket")))
        .isInstanceOf(MissingResourceException.class)
        .hasMessage(
            "bucket 'mine' does not exist; create it with: cloudkon setup -s Q --bucket mine");
  }

  @ParameterizedTest
  @CsvSource({
    "PutObject, s3:PutObject, /Q/*",
    "ListObjectsV2, s3:ListBucket, ''",
    "DeleteObjects, s3:DeleteObject, /Q/*"
  })
  void denied_call_on_the_bucket_names_the_permission_it_lacks(
      String operation, String permission, String place) {
    assertThat(
            AwsCall.bucket(operation, new Bucket("mine", "123456789012", "mine@123456789012"), "Q")
                .explain(answer(403, "AccessDenied")))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(permission + " on bucket 'mine" + place + "' was denied: ")
        .hasMessageEndingWith("and that they allow " + permission);
  }

  @Test
  void denied_bucket_of_which_only_the_name_was_given_may_be_another_accounts() {
    Bucket mine = new Bucket("mine", "123456789012", "mine");

    assertThat(AwsCall.bucket("GetObject", mine, "Q").explain(answer(403, "AccessDenied")))
        .hasMessageEndingWith(
            "and that they allow s3:GetObject; 'mine' must belong to account 123456789012, as the"
                + " queues do: give one of another account as --bucket mine@ACCOUNT");
    assertThat(
            AwsCall.bucket("GetObject", new Bucket("cloudkon-1-r", "1", null), "Q")
                .explain(answer(403, "AccessDenied")))
        .hasMessageEndingWith("and that they allow s3:GetObject");
  }

  @Test
  void queue_that_was_just_removed_says_to_wait() {
    assertThat(explained(QueueDeletedRecentlyException.builder().build()))
        .hasMessageContaining("removed less than a minute ago");
  }

  @Test
  void unanswered_call_is_transient() {
    assertThat(
            explained(
                SdkClientException.create("failed", new ConnectException("Connection refused"))))
        .isInstanceOf(TransientServiceException.class)
        .hasMessageEndingWith("got no answer: ConnectException: Connection refused");
    assertThat(explained(ApiCallTimeoutException.create(5)))
        .isInstanceOf(TransientServiceException.class);
  }

  @Test
  void call_that_cannot_be_made_is_final() {
    assertThat(explained(SdkClientException.create("no such host is legal")))
        .isExactlyInstanceOf(CloudKonException.class)
        .hasMessageContaining("could not be made: no such host is legal");
  }

  @Test
  void interrupted_call_leaves_the_thread_interrupted() {
    assertThat(explained(AbortedException.create("aborted")))
        .isInstanceOf(TransientServiceException.class)
        .hasMessageEndingWith("was interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
