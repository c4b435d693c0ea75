package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.IdleSeat;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.RemainingWork;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.port.WorkerEntry;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

final class AwsSetupIT {
  private static final String BUCKET = "cloudkon-000000000000-us-east-1";

  private final SystemTime time = new SystemTime();
  private final AwsCloud cloud = Emulated.connect(time, HttpDecorator.NONE);
  private final String name = Emulated.clusterName();

  @AfterEach
  void remove() {
    cloud.setup().removeAll(name);
    cloud.close();
  }

  /** That of a cluster that no stack made, and that has no machines. */
  private List<String> teardown(String cluster) {
    return cloud.setup().teardown(cluster, null, () -> {});
  }

  private RunEntry run(RunEntry.State state, long leaseEnd) {
    return new RunEntry(
        "run",
        "epoch",
        state,
        Consistency.EXACTLY_ONCE,
        "reply",
        "client",
        "host",
        leaseEnd,
        "",
        1,
        0,
        Map.of(),
        RemainingWork.UNKNOWN,
        time.serviceMillis(),
        time.serviceMillis());
  }

  private WorkerEntry worker(long updated) {
    return new WorkerEntry(
        "w1",
        "host",
        WorkerOrigin.BY_HAND,
        WorkerTakes.ALL,
        "worker",
        "",
        4,
        0,
        0.5,
        1,
        2,
        3,
        updated,
        updated);
  }

  @Test
  void setup_creates_every_queue_and_table() {
    AwsSetup.Resources made = cloud.setup().setup(name);
    assertThat(made.bucket()).contains(BUCKET);
    assertThat(made.queuesAndTables())
        .containsExactlyInAnyOrder(
            name,
            Names.hpc(name),
            Names.ranks(name),
            Names.dead(name),
            Names.claims(name),
            Names.workers(name),
            Names.runs(name),
            Names.ledger(name),
            Names.decisions(name));

    assertThatCode(() -> cloud.probe(name)).doesNotThrowAnyException();
    var dynamo = cloud.clients().dynamo();
    for (String table : new String[] {Names.claims(name), Names.decisions(name)}) {
      assertThat(dynamo.describeTable(b -> b.tableName(table)).table().tableStatus())
          .isEqualTo(TableStatus.ACTIVE);
      var ttl = dynamo.describeTimeToLive(b -> b.tableName(table)).timeToLiveDescription();
      assertThat(ttl.attributeName()).isEqualTo("ttl");
      assertThat(ttl.timeToLiveStatus()).isIn(TimeToLiveStatus.ENABLED, TimeToLiveStatus.ENABLING);
    }
  }

  @Test
  void setup_again_changes_nothing_and_keeps_what_is_there() {
    cloud.setup().setup(name);
    Cluster cluster = cloud.cluster(name);
    assertThat(cluster.runs().create(run(RunEntry.State.OPEN, 0))).isTrue();

    cloud.setup().setup(name);

    assertThat(cluster.runs().read("run")).isPresent();
  }

  @Test
  void setup_adds_the_index_to_a_table_of_runs_that_was_made_without_it() {
    cloud.setup().setup(name);
    DynamoAdmin tables = new DynamoAdmin(cloud.clients().dynamo());
    String table = Names.runs(name);
    tables.delete(table);
    tables.awaitGone(table);
    tables.create(table);
    tables.awaitUsable(table);
    assertThat(indexes(table)).isEmpty();
    RunStore runs = cloud.cluster(name).runs();
    RunEntry open = run(RunEntry.State.OPEN, time.serviceMillis() + 60_000);
    assertThat(runs.create(open)).isTrue();

    cloud.setup().setup(name);

    assertThat(indexes(table)).containsExactly("notEnded");
    await() // DynamoDB Local fails until the index is filled
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(runs.notEnded()).containsExactly(open));
    RunEntry end = open.with(RunEntry.State.ENDED, 0, 1, 1, Map.of(), open.updatedMillis() + 1);
    assertThat(runs.update(end)).isTrue();
  }

  private List<String> indexes(String table) {
    return cloud
        .clients()
        .dynamo()
        .describeTable(b -> b.tableName(table))
        .table()
        .globalSecondaryIndexes()
        .stream()
        .map(GlobalSecondaryIndexDescription::indexName)
        .toList();
  }

  @Test
  void setup_mends_a_queue_that_was_made_by_hand() {
    var sqs = cloud.clients().sqs();
    String url =
        sqs.createQueue(b ->
                b.queueName(name)
                    .attributesWithStrings(Map.of("ReceiveMessageWaitTimeSeconds", "1")))
            .queueUrl();

    cloud.setup().setup(name);

    Map<String, String> attributes =
        sqs.getQueueAttributes(b -> b.queueUrl(url).attributeNamesWithStrings("All"))
            .attributesAsStrings();
    assertThat(attributes).containsEntry("ReceiveMessageWaitTimeSeconds", "20");
    assertThat(attributes.getOrDefault("RedrivePolicy", "")).isEmpty();
  }

  @Test
  void teardown_removes_everything_and_orphan_response_queues() {
    cloud.setup().setup(name);
    String orphan = Names.response(name, "0123456789ab");
    cloud.cluster(name).responses().create(orphan);

    assertThat(teardown(name))
        .hasSize(11)
        .contains(name, Names.ranks(name), orphan, Names.decisions(name));

    assertThat(cloud.cluster(name).responses().list()).isEmpty();
    assertThatThrownBy(() -> cloud.probe(name)).isInstanceOf(MissingResourceException.class);
  }

  @Test
  void teardown_of_nothing_removes_nothing() {
    assertThat(teardown(name)).isEmpty();
  }

  @Test
  void teardown_of_a_cluster_leaves_others_whose_names_begin_alike() {
    String other = name + "-2";
    cloud.setup().setup(name);
    cloud.setup().setup(other);

    teardown(name);

    assertThatCode(() -> cloud.probe(other)).doesNotThrowAnyException();
    cloud.setup().removeAll(other);
  }

  @Test
  void teardown_leaves_queues_that_no_client_made_though_they_begin_like_response_queues() {
    cloud.setup().setup(name);
    String foreign = Names.response(name, "dlq");
    String url = cloud.clients().sqs().createQueue(b -> b.queueName(foreign)).queueUrl();

    assertThat(teardown(name)).doesNotContain(foreign);

    assertThat(cloud.cluster(name).responses().list()).containsExactly(foreign);
    cloud.clients().sqs().deleteQueue(b -> b.queueUrl(url));
  }

  @ParameterizedTest
  @ValueSource(longs = {60_000, -60_000})
  void teardown_is_refused_while_a_run_is_open_whether_its_client_lives_or_not(long leaseLeft) {
    cloud.setup().setup(name);
    RunEntry open = run(RunEntry.State.OPEN, time.serviceMillis() + leaseLeft);
    assertThat(cloud.cluster(name).runs().create(open)).isTrue();

    assertThatThrownBy(() -> teardown(name))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("run run is open")
        .hasMessageContaining("cloudkon cancel -s " + name + " run");

    assertThatCode(() -> cloud.probe(name)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OPEN")
  void teardown_goes_on_where_runs_are_over_and_workers_died(RunEntry.State state) {
    cloud.setup().setup(name);
    RunEntry over = run(state, time.serviceMillis() - 60_000);
    assertThat(cloud.cluster(name).runs().create(over)).isTrue();
    cloud.cluster(name).workers().put(worker(time.serviceMillis() - 60_000));

    assertThat(teardown(name)).hasSizeGreaterThanOrEqualTo(9);
  }

  @Test
  void teardown_is_refused_while_a_worker_lives() {
    cloud.setup().setup(name);
    cloud.cluster(name).workers().put(worker(time.serviceMillis() - 5_000));

    assertThatThrownBy(() -> teardown(name))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("live workers: 1, including w1");
  }

  private ProvisionerEntry provisioner(long leaseEnd) {
    return new ProvisionerEntry(
        "p1",
        "host-7, process 4711",
        leaseEnd,
        new ProvisionerEntry.Settings("process", 2, 4, 2, WorkerTakes.ALL),
        1,
        1,
        ProvisionerEntry.Fleet.UNSEEN,
        time.serviceMillis());
  }

  @Test
  void teardown_is_refused_while_a_provisioner_is_at_work_which_it_names() {
    cloud.setup().setup(name);
    Cluster cluster = cloud.cluster(name);
    long now = time.serviceMillis();
    assertThat(cluster.decisions().take(provisioner(now + 15_000), Optional.empty())).isTrue();
    cluster.workers().put(worker(now));

    assertThatThrownBy(() -> teardown(name))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("a provisioner is active, host-7, process 4711; stop it first");

    assertThatCode(() -> cloud.probe(name)).doesNotThrowAnyException();
    assertThat(cluster.decisions().provisioner()).isPresent();
  }

  @Test
  void teardown_takes_what_a_provisioner_left_with_it_and_a_new_cluster_knows_nothing_of_it() {
    cloud.setup().setup(name);
    Cluster cluster = cloud.cluster(name);
    long now = time.serviceMillis();
    assertThat(cluster.decisions().take(provisioner(now - 1), Optional.empty())).isTrue();
    assertThat(cluster.decisions().sit(new IdleSeat(0, "w1", now + 60_000), now)).isTrue();

    assertThat(teardown(name)).contains(Names.decisions(name));

    cloud.setup().setup(name);
    assertThat(cluster.decisions().provisioner()).isEmpty();
    assertThat(cluster.decisions().seats()).isEmpty();
  }

  private void tag(String key, String stack) {
    var sqs = cloud.clients().sqs();
    String url = sqs.getQueueUrl(b -> b.queueName(name)).queueUrl();
    sqs.tagQueue(b -> b.queueUrl(url).tags(Map.of("cloudkon:cluster", name, key, stack)));
  }

  @Test
  void teardown_is_refused_for_what_a_stack_made_which_it_names() {
    cloud.setup().setup(name);
    assertThat(cloud.setup().stack(name)).isEmpty();
    tag("cloudkon:stack", "stack-7");

    cloud.setup().setup(name);

    assertThat(cloud.setup().stack(name)).contains("stack-7");
    assertThatThrownBy(() -> teardown(name))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("belongs to stack 'stack-7'")
        .hasMessageContaining("cloudkon teardown -s %s --stack stack-7".formatted(name));
    assertThatThrownBy(() -> cloud.setup().teardown(name, "stack-8", () -> {}))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--stack stack-8: cluster '%s' belongs to".formatted(name));
    assertThatCode(() -> cloud.probe(name)).doesNotThrowAnyException();
  }

  @Test
  void teardown_ends_the_instances_of_a_stack_before_it_asks_to_delete_the_stack() {
    cloud.setup().setup(name);
    tag("cloudkon:stack", "stack-7");
    List<String> done = new ArrayList<>();

    assertThatThrownBy(() -> cloud.setup().teardown(name, null, () -> done.add("instances")))
        .hasMessageContaining("belongs to stack 'stack-7'");

    assertThat(done).containsExactly("instances");
    assertThatCode(() -> cloud.probe(name)).doesNotThrowAnyException();
  }

  @Test
  void teardown_removes_what_a_deleted_stack_left_behind() {
    cloud.setup().setup(name);
    tag("cloudkon:stack", "stack-7");

    assertThat(cloud.setup().teardown(name, "stack-7", () -> {})).contains(name, Names.runs(name));
    assertThat(cloud.setup().teardown(name, "stack-7", () -> {})).isEmpty();
  }

  @Test
  void teardown_is_refused_for_a_protected_table_before_anything_is_gone() {
    cloud.setup().setup(name);
    var dynamo = cloud.clients().dynamo();
    String table = Names.ledger(name);
    dynamo.updateTable(b -> b.tableName(table).deletionProtectionEnabled(true));

    assertThatThrownBy(() -> teardown(name))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("table '%s' is protected from deletion".formatted(table));

    assertThatCode(() -> cloud.probe(name)).doesNotThrowAnyException();
    dynamo.updateTable(b -> b.tableName(table).deletionProtectionEnabled(false));
  }

  @Test
  void name_that_is_illegal_is_refused() {
    assertThatThrownBy(() -> cloud.setup().setup("a b")).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> teardown("")).isInstanceOf(UsageException.class);
  }
}
