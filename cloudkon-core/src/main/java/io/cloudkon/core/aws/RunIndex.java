package io.cloudkon.core.aws;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * Finds the runs that have not ended: by a sparse index that holds the ids of these alone, and then
 * by their items, read consistently. So it costs what they take, while a scan costs what all runs
 * of the last 15 days take. A run comes into the index a moment after it was created. Cancelled
 * runs stay in the index until they expire and hardly change, so most of them are taken from {@link
 * CancelledRuns}. Thread safe.
 *
 * @see <a
 *     href="https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general-sparse-indexes.html">Sparse
 *     indexes</a>
 */
final class RunIndex {
  private static final Logger LOG = LoggerFactory.getLogger(RunIndex.class);

  /** DynamoDB refuses more keys in one batch. */
  private static final int BATCH = 100;

  /** No such index, or it is still being filled, or a policy is older than the index. */
  private static final Set<String> REFUSED = Set.of("ValidationException", "AccessDeniedException");

  private final DynamoDbClient dynamo;
  private final String table;
  private final TimeSource time;
  private final CancelledRuns cancelled = new CancelledRuns();
  private volatile boolean told;

  RunIndex(DynamoDbClient dynamo, String table, TimeSource time) {
    this.dynamo = dynamo;
    this.table = table;
    this.time = time;
  }

  /** The runs that have neither ended nor expired; empty if there is no index that can be used. */
  Optional<List<RunEntry>> notEnded() {
    return ids()
        .map(ids -> {
          long now = time.serviceMillis();
          List<RunEntry> runs = new ArrayList<>(cancelled.remembered(ids, now));
          Set<String> known = runs.stream().map(RunEntry::run).collect(Collectors.toSet());
          List<String> unknown = ids.stream().filter(id -> !known.contains(id)).toList();
          for (int from = 0; from < unknown.size(); from += BATCH) {
            List<String> batch = unknown.subList(from, Math.min(unknown.size(), from + BATCH));
            Tables.batch(
                dynamo,
                table,
                batch,
                item -> {
                  if (RunItems.isKept(item, now)) {
                    RunEntry run = RunItems.decode(item);
                    cancelled.remember(run, now);
                    runs.add(run);
                  }
                });
          }
          runs.removeIf(run -> run.state() == RunEntry.State.ENDED);
          return runs;
        });
  }

  private Optional<List<String>> ids() {
    return AwsCall.table("Query", table)
        .make(() -> {
          try {
            return Optional.of(query());
          } catch (DynamoDbException e) {
            if (e.awsErrorDetails() == null || !REFUSED.contains(e.awsErrorDetails().errorCode())) {
              throw e;
            }
            tell(String.valueOf(e.awsErrorDetails().errorMessage()));
            return Optional.empty();
          }
        });
  }

  private List<String> query() {
    return dynamo
        .queryPaginator(b ->
            b.tableName(table)
                .indexName(RunItems.NOT_ENDED)
                .keyConditionExpression("#key=:one")
                .expressionAttributeNames(Map.of("#key", RunItems.NOT_ENDED))
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1")))
                .returnConsumedCapacity(Items.CAPACITY))
        .items()
        .stream()
        .map(item -> Items.text(item, Items.ID))
        .toList();
  }

  private void tell(String reason) {
    if (!told) {
      told = true;
      LOG.warn(
          "the index of runs that have not ended cannot be used, so table {} is read as a whole"
              + " each time; setup adds the index, and a stack's new template does, with its"
              + " policies ({})",
          table,
          reason);
    }
  }
}
