package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.time.SystemTime;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/** DynamoDB Local answers otherwise than AWS when a table has no such index: with HTTP 500. */
class RunIndexTest {
  private static RunIndex answering(int status, String code) {
    AwsErrorDetails details =
        AwsErrorDetails.builder().errorCode(code).errorMessage("no index").build();
    DynamoDbClient dynamo =
        (DynamoDbClient)
            Proxy.newProxyInstance(
                DynamoDbClient.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (proxy, method, arguments) -> {
                  throw DynamoDbException.builder()
                      .statusCode(status)
                      .awsErrorDetails(details)
                      .build();
                });
    return new RunIndex(dynamo, "Q-runs", new SystemTime());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ValidationException", "AccessDeniedException"})
  void index_that_is_not_there_or_not_allowed_yet_is_told_from_one_without_runs(String code) {
    assertThat(answering(400, code).notEnded()).isEmpty();
  }

  @Test
  void other_failures_are_failures() {
    RunIndex index = answering(400, "ThrottlingException");

    assertThatThrownBy(index::notEnded).isInstanceOf(TransientServiceException.class);
  }
}
