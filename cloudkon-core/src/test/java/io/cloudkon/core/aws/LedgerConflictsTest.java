package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** What the ledger makes of answers that an emulator never gives. */
final class LedgerConflictsTest {
  private static final Share GANG = Share.ofGang("g", "w", 2, "j", 100);
  private static final LedgerChange ADMIT = new LedgerChange.Admit("token", List.of(GANG), 0);

  /** A service that gives every write the same answer. */
  private record Answering(DynamoDbException answer) implements DynamoDbClient {
    @Override
    public String serviceName() {
      return "dynamodb";
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
      throw answer;
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
      throw answer;
    }

    @Override
    public DeleteItemResponse deleteItem(DeleteItemRequest request) {
      throw answer;
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  private static CapacityLedger ledger(DynamoDbException answer) {
    return new AwsCapacityLedger(new Answering(answer), "Q-ledger");
  }

  private static DynamoDbException named(DynamoDbException.Builder answer, String code) {
    return (DynamoDbException)
        answer
            .statusCode(400)
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
            .build();
  }

  private static CancellationReason reason(String code) {
    return CancellationReason.builder().code(code).build();
  }

  private static CancellationReason reason(Map<String, AttributeValue> item) {
    return CancellationReason.builder().code("ConditionalCheckFailed").item(item).build();
  }

  private static CapacityLedger cancelled(CancellationReason... reasons) {
    return ledger(
        named(
            TransactionCanceledException.builder().cancellationReasons(reasons),
            "TransactionCanceledException"));
  }

  private static CapacityLedger cancelled(String... codes) {
    return cancelled(
        Arrays.stream(codes).map(LedgerConflictsTest::reason).toArray(CancellationReason[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "None, TransactionConflict",
    "TransactionConflict, ConditionalCheckFailed",
    "ConditionalCheckFailed, TransactionConflict",
    "None, ThrottlingError",
    "ProvisionedThroughputExceeded, ThrottlingError"
  })
  void transaction_that_met_another_or_a_throttle_is_no_refusal(String first, String second) {
    assertThatThrownBy(() -> cancelled(first, second).change(ADMIT))
        .isInstanceOf(TransientServiceException.class)
        .hasMessageStartingWith(
            "dynamodb.TransactWriteItems on table 'Q-ledger' failed temporarily: cancelled for ");
  }

  @Test
  void transaction_is_refused_by_conditions_alone() {
    assertThat(cancelled("None", "ConditionalCheckFailed").change(ADMIT)).isFalse();
    assertThat(cancelled("ConditionalCheckFailed", "ConditionalCheckFailed").change(ADMIT))
        .isFalse();
  }

  @Test
  void transaction_whose_own_effect_stands_there_was_carried_out() {
    Share others = Share.ofGang("g", "v", 2, "j", 100);

    assertThat(cancelled(reason(LedgerItems.encode(GANG)), reason(Map.of())).change(ADMIT))
        .isTrue();
    assertThat(cancelled(reason(LedgerItems.encode(others)), reason("None")).change(ADMIT))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ValidationError", "ItemCollectionSizeLimitExceeded", "AccessDenied"})
  void transaction_that_can_never_be_carried_out_is_an_error(String code) {
    assertThatThrownBy(() -> cancelled("ConditionalCheckFailed", code).change(ADMIT))
        .isExactlyInstanceOf(CloudKonException.class)
        .hasMessageContaining("was refused: cancelled for ")
        .hasMessageContaining(code);
  }

  @Test
  void transaction_that_names_no_reason_is_an_error() {
    assertThatThrownBy(() -> cancelled(new String[0]).change(ADMIT))
        .isExactlyInstanceOf(CloudKonException.class);
  }

  @Test
  void same_transaction_under_way_is_transient() {
    CapacityLedger ledger =
        ledger(named(TransactionInProgressException.builder(), "TransactionInProgressException"));

    assertThatThrownBy(() -> ledger.change(ADMIT)).isInstanceOf(TransientServiceException.class);
  }

  @Test
  void single_writes_that_meet_a_transaction_are_transient() {
    CapacityLedger ledger =
        ledger(named(TransactionConflictException.builder(), "TransactionConflictException"));
    Stream<Runnable> writes =
        Stream.of(
            () -> ledger.renew(GANG),
            () -> ledger.renewReservation("j", "w", 100),
            () -> ledger.keep("j", "w", 0, 1),
            () -> ledger.put(new Waiting("j", 2, 1, "w", 100)),
            () -> ledger.removeWaiting("j", "w"));

    assertThat(writes)
        .allSatisfy(
            write -> assertThatThrownBy(write::run).isInstanceOf(TransientServiceException.class));
  }
}
