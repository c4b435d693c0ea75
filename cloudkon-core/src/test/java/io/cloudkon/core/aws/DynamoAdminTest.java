package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;

/** The passing states of a table, through which an emulator's tables are in no time. */
final class DynamoAdminTest {
  private final OneTable table = new OneTable();
  private final DynamoAdmin admin = new DynamoAdmin(table);

  /** A table that goes through states, one at each look; it is gone after the last one. */
  private static final class OneTable implements DynamoDbClient {
    final Deque<TableStatus> states = new ArrayDeque<>();
    final Deque<TimeToLiveStatus> expiry = new ArrayDeque<>();
    final List<GlobalSecondaryIndexDescription> indexes = new ArrayList<>();
    int created;

    @Override
    public CreateTableResponse createTable(CreateTableRequest request) {
      if (!states.isEmpty()) {
        throw ResourceInUseException.builder().message("there is one").build();
      }
      created++;
      return CreateTableResponse.builder().build();
    }

    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest request) {
      if (states.isEmpty()) {
        throw ResourceNotFoundException.builder().message("there is none").build();
      }
      return DescribeTableResponse.builder()
          .table(
              TableDescription.builder()
                  .tableStatus(states.remove())
                  .globalSecondaryIndexes(indexes)
                  .build())
          .build();
    }

    @Override
    public DescribeTimeToLiveResponse describeTimeToLive(DescribeTimeToLiveRequest request) {
      TimeToLiveStatus status = expiry.remove();
      return DescribeTimeToLiveResponse.builder()
          .timeToLiveDescription(b -> b.timeToLiveStatus(status))
          .build();
    }

    @Override
    public UpdateTimeToLiveResponse updateTimeToLive(UpdateTimeToLiveRequest request) {
      throw DynamoDbException.builder()
          .statusCode(400)
          .awsErrorDetails(
              AwsErrorDetails.builder()
                  .errorCode("ValidationException")
                  .errorMessage("TimeToLive is already enabled")
                  .build())
          .build();
    }

    @Override
    public String serviceName() {
      return "dynamodb";
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ENABLED", "ENABLING"})
  void expiry_that_another_setup_or_a_lost_answer_has_enabled_is_accepted(TimeToLiveStatus then) {
    table.states.add(TableStatus.ACTIVE);
    table.expiry.addAll(List.of(TimeToLiveStatus.DISABLED, then));

    admin.awaitUsable("Q-claims");

    assertThat(table.expiry).isEmpty();
  }

  @Test
  void expiry_that_is_refused_for_another_reason_fails() {
    table.states.add(TableStatus.ACTIVE);
    table.expiry.addAll(List.of(TimeToLiveStatus.DISABLED, TimeToLiveStatus.DISABLING));

    assertThatThrownBy(() -> admin.awaitUsable("Q-claims"))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("UpdateTimeToLive on table 'Q-claims' was refused");
  }

  @Test
  void table_that_is_being_deleted_is_created_once_it_is_gone() {
    table.states.addAll(List.of(TableStatus.DELETING, TableStatus.DELETING));

    admin.create("Q-claims");

    assertThat(table.created).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"ACTIVE", "CREATING", "UPDATING"})
  void table_that_stands_is_kept(TableStatus state) {
    table.states.addAll(List.of(state, state));

    admin.create("Q-claims");

    assertThat(table.created).isZero();
  }

  @Test
  void table_whose_index_is_being_built_can_be_used() {
    table.states.addAll(List.of(TableStatus.CREATING, TableStatus.UPDATING));
    table.expiry.add(TimeToLiveStatus.ENABLED);

    admin.awaitUsable("Q-runs");

    assertThat(table.states).isEmpty();
  }

  @Test
  void table_is_changing_while_it_or_its_index_is_created_or_changed() {
    table.states.addAll(
        List.of(
            TableStatus.CREATING, TableStatus.UPDATING, TableStatus.ACTIVE, TableStatus.DELETING));
    assertThat(admin.isChanging("Q-runs")).isTrue();
    assertThat(admin.isChanging("Q-runs")).isTrue();
    assertThat(admin.isChanging("Q-runs")).isFalse();
    assertThat(admin.isChanging("Q-runs")).as("is removed by itself").isFalse();
    assertThat(admin.isChanging("Q-runs")).as("is gone").isFalse();

    table.states.add(TableStatus.ACTIVE);
    table.indexes.add(
        GlobalSecondaryIndexDescription.builder().indexStatus(IndexStatus.CREATING).build());
    assertThat(admin.isChanging("Q-runs")).as("its index is being filled").isTrue();
  }
}
