package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.port.RefusedException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
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
    return new RunIndex(dynamo, "Q-runs");
  }

  @Test
  void table_without_the_index_is_told_from_one_without_runs() {
    assertThat(answering(400, "ValidationException").notEnded()).isEmpty();
  }

  @Test
  void query_that_a_policy_does_not_allow_is_refused() {
    RunIndex index = answering(400, "AccessDeniedException");

    assertThatThrownBy(index::notEnded)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("dynamodb:Query");
  }
}
