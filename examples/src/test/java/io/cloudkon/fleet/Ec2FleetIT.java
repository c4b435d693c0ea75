package io.cloudkon.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.aws.ec2.ClusterTags;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.testing.FakeImds;
import io.cloudkon.core.testing.ec2.FakeEc2;
import io.cloudkon.core.testing.ec2.FakeInstance;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.faults.ClientProcess;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The processes of a cluster on EC2, where EC2 and the metadata services of its instances are fakes
 * at the wire: an instance is a worker's process with a metadata service of its own.
 */
class Ec2FleetIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int ENDED_ITSELF = 11;

  @TempDir private Path folder;
  private final TestCluster cluster = new TestCluster();
  private final FakeEc2 ec2 = new FakeEc2(new SystemTime());
  private final List<FakeImds> metadata = new CopyOnWriteArrayList<>();
  private final List<Running> workers = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (Running worker : workers) {
      worker.close();
    }
    metadata.forEach(FakeImds::close);
    ec2.close();
    cluster.close();
  }

  private Map<String, String> environment() {
    Map<String, String> all = new HashMap<>(cluster.environment());
    all.put("AWS_ENDPOINT_URL_EC2", ec2.endpoint().toString());
    return all;
  }

  private void boot(FakeInstance instance) {
    FakeImds imds =
        new FakeImds()
            .set("instance-id", instance.id())
            .set("instance-type", instance.pool().type())
            .set("instance-life-cycle", "spot")
            .set(
                "tags/instance/" + ClusterTags.LAUNCH,
                instance.tags().getOrDefault(ClusterTags.LAUNCH, ""));
    metadata.add(imds);
    Map<String, String> all = environment();
    all.put("AWS_EC2_METADATA_DISABLED", "false");
    all.put("AWS_EC2_METADATA_SERVICE_ENDPOINT", imds.endpoint().toString());
    List<String> arguments =
        List.of("-s", cluster.name(), "-t", "2", "--idle-timeout", "2s", "--billing-minimum", "0s");
    workers.add(Processes.start("cloudkon-worker", List.of(), arguments, all, folder));
  }

  private Running provisioner(String... options) {
    return provisionerOf(cluster.name(), options);
  }

  private Running provisionerOf(String name, String... options) {
    List<String> arguments =
        new ArrayList<>(List.of("-s", name, "--launcher", "ec2", "--interval", "1s"));
    arguments.addAll(List.of(options));
    return Processes.start("cloudkon-provisioner", List.of(), arguments, environment(), folder);
  }

  private Running teardown(String... options) {
    List<String> arguments = new ArrayList<>(List.of("teardown", "-s", cluster.name(), "--yes"));
    arguments.addAll(List.of(options));
    return Processes.start("cloudkon-client", List.of(), arguments, environment(), folder);
  }

  @Test
  void empty_cluster_launches_instances_for_its_work_which_end_themselves() throws Exception {
    ec2.onStart(this::boot);
    try (Running provisioner =
            provisioner("--launch-template", "workers", "--max", "2", "--target", "5s");
        ClientProcess client =
            ClientProcess.start(
                cluster,
                folder,
                Consistency.EXACTLY_ONCE,
                Collections.nCopies(60, "sleep 200ms"),
                Map.of())) {
      assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
      assertThat(ec2.launched()).isPositive();

      await().atMost(LIMIT).until(() -> ec2.existing() == 0);
      for (Running worker : workers) {
        assertThat(worker.awaitExit(LIMIT)).as(worker.stderr()).isEqualTo(ENDED_ITSELF);
        assertThat(worker.stderr()).contains("ends its instance, i-");
      }
      assertThat(cluster.ports().workers().list()).isEmpty();
      assertThat(provisioner.stdout()).isEmpty();
    }
  }

  @Test
  void teardown_names_instances_that_are_left_and_ends_them_when_it_is_told() throws Exception {
    try (Running provisioner =
        provisioner("--launch-template", "workers:2", "--max", "2", "--min", "2")) {
      await().atMost(LIMIT).until(() -> ec2.existing() == 2);
      await().atMost(LIMIT).until(() -> provisioner.stderr().contains("launched 2 workers"));
    }
    await()
        .atMost(LIMIT)
        .until(() ->
            cluster
                .ports()
                .decisions()
                .provisioner()
                .filter(entry -> entry.livesAt(System.currentTimeMillis()))
                .isEmpty());

    try (Running refused = teardown()) {
      assertThat(refused.awaitExit(LIMIT)).isEqualTo(3);
      assertThat(refused.stderr().lines()).hasSize(1);
      assertThat(refused.stderr())
          .contains("2 instances are left, i-00000001, i-00000002", "--instances");
    }
    assertThat(ec2.existing()).isEqualTo(2);
    try (Running done = teardown("--instances")) {
      assertThat(done.awaitExit(LIMIT)).as(done.stderr()).isZero();
      assertThat(done.stdout()).contains("cluster " + cluster.name() + " is gone");
    }
    assertThat(ec2.existing()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--launch-template nobodys, --launch-template nobodys",
    "--launch-template workers:7, version 7",
    "--launch-template workers:1 --instance-types c9x.huge, --instance-types c9x.huge",
    "--launch-template workers:1 --subnets subnet-x, --subnets subnet-x"
  })
  void instances_that_cannot_be_launched_are_refused_in_one_line(String options, String says)
      throws Exception {
    try (Running provisioner = provisioner(("--max 2 " + options).split(" "))) {
      assertThat(provisioner.awaitExit(LIMIT)).as(provisioner.stderr()).isEqualTo(2);
      assertThat(provisioner.stderr().lines()).hasSize(1);
      assertThat(provisioner.stderr()).startsWith("cloudkon provisioner: ").contains(says);
    }
    assertThat(ec2.launched()).isZero();
  }

  @Test
  void region_without_the_cluster_is_named_in_one_line() throws Exception {
    try (Running provisioner =
        provisionerOf("elsewhere", "--max", "2", "--launch-template", "workers")) {
      assertThat(provisioner.awaitExit(LIMIT)).as(provisioner.stderr()).isEqualTo(2);
      assertThat(provisioner.stderr().lines()).hasSize(1);
      assertThat(provisioner.stderr())
          .contains(" 'elsewhere' does not exist; ", "; this is region us-east-1");
    }
    assertThat(ec2.launched()).isZero();
  }

  @Test
  void permission_that_is_missing_is_named_with_its_resource() throws Exception {
    ec2.deny(
        "RunInstances",
        403,
        "UnauthorizedOperation",
        "You are not authorized to perform this operation. User: arn:aws:iam::1:user/x is not"
            + " authorized to perform: iam:PassRole on resource: arn:aws:iam::1:role/worker because"
            + " no identity-based policy allows it. Encoded authorization failure message: AbC");
    try (Running provisioner = provisioner("--max", "2", "--launch-template", "workers:1")) {
      assertThat(provisioner.awaitExit(LIMIT)).as(provisioner.stderr()).isEqualTo(2);
      assertThat(provisioner.stderr().lines()).hasSize(1);
      assertThat(provisioner.stderr())
          .contains("allow iam:PassRole on arn:aws:iam::1:role/worker")
          .doesNotContain("AbC");
    }
  }
}
