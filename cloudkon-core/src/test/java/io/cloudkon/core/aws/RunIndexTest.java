package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.time.SystemTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.paginators.QueryIterable;

/** DynamoDB Local answers otherwise than AWS when a table has no such index: with HTTP 500. */
class RunIndexTest {
  private static final String TABLE = "Q-runs";
  private static final QueryRequest QUERY = QueryRequest.builder().tableName(TABLE).build();

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
    return new RunIndex(dynamo, TABLE, new SystemTime());
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

  /** A table of runs with an index; counts the items that are read. */
  private static final class Runs {
    final Map<String, RunEntry> entries = new LinkedHashMap<>();
    final List<String> read = new ArrayList<>();

    DynamoDbClient client() {
      return (DynamoDbClient)
          Proxy.newProxyInstance(
              DynamoDbClient.class.getClassLoader(),
              new Class<?>[] {DynamoDbClient.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "queryPaginator" -> new QueryIterable((DynamoDbClient) proxy, QUERY);
                    case "query" -> query();
                    case "batchGetItem" -> batch((BatchGetItemRequest) arguments[0]);
                    default -> throw new AssertionError(method);
                  });
    }

    private QueryResponse query() {
      return QueryResponse.builder()
          .items(entries.keySet().stream().map(Items::key).toList())
          .build();
    }

    private BatchGetItemResponse batch(BatchGetItemRequest request) {
      List<String> ids =
          request.requestItems().get(TABLE).keys().stream()
              .map(key -> Items.text(key, Items.ID))
              .toList();
      read.addAll(ids);
      return BatchGetItemResponse.builder()
          .responses(
              Map.of(
                  TABLE,
                  ids.stream()
                      .map(entries::get)
                      .map(run -> RunItems.encode(run, run.updatedMillis()))
                      .toList()))
          .build();
    }

    void put(String run, RunEntry.State state, long updated) {
      entries.put(
          run,
          new RunEntry(
              run,
              "epoch",
              state,
              Consistency.EXACTLY_ONCE,
              "queue",
              "client",
              "host",
              0,
              "",
              1,
              1,
              Map.of(),
              RemainingWork.UNKNOWN,
              updated,
              updated));
    }
  }

  private final ManualTime time = new ManualTime();
  private final Runs runs = new Runs();
  private final RunIndex index = new RunIndex(runs.client(), TABLE, time);

  /** Looks once; the ids of the items that were read. */
  private List<String> look() {
    runs.read.clear();
    assertThat(index.notEnded())
        .hasValueSatisfying(
            found -> assertThat(found).containsExactlyInAnyOrderElementsOf(runs.entries.values()));
    return runs.read;
  }

  @Test
  void cancelled_run_that_is_quiet_for_ten_minutes_is_read_every_ten_minutes_only() {
    runs.put("open", RunEntry.State.OPEN, time.serviceMillis());
    runs.put("cancelled", RunEntry.State.CANCELLED, time.serviceMillis());
    time.advance(Duration.ofMinutes(10).minusMillis(1));
    assertThat(look()).containsExactly("open", "cancelled");
    time.advanceMillis(1);
    assertThat(look()).containsExactly("open", "cancelled");

    time.advanceMillis(5_000);
    assertThat(look()).containsExactly("open");
    time.advance(Duration.ofMinutes(10).minusMillis(5_001));
    assertThat(look()).containsExactly("open");
    time.advanceMillis(1);
    assertThat(look()).containsExactly("open", "cancelled");
  }

  @Test
  void cancelled_run_that_a_client_settles_is_seen_as_it_is() {
    runs.put("run", RunEntry.State.CANCELLED, time.serviceMillis());
    time.advance(Duration.ofMinutes(10));
    assertThat(look()).containsExactly("run");
    time.advance(Duration.ofMinutes(10));
    runs.put("run", RunEntry.State.CANCELLED, time.serviceMillis() - 1_000);

    assertThat(look()).containsExactly("run");
    assertThat(look()).as("it may change again").containsExactly("run");
  }

  @Test
  void cancelled_run_that_has_left_the_index_is_forgotten() {
    runs.put("run", RunEntry.State.CANCELLED, time.serviceMillis());
    time.advance(Duration.ofMinutes(10));
    assertThat(look()).containsExactly("run");
    runs.entries.clear();

    assertThat(look()).isEmpty();
  }
}
