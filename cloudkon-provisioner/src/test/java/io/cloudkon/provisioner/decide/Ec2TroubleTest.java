package io.cloudkon.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.aws.ec2.ClusterTags;
import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.ec2.Ec2Connection;
import io.cloudkon.core.testing.ec2.FakeEc2;
import io.cloudkon.core.testing.ec2.FakeInstance;
import io.cloudkon.provisioner.launch.ec2.Ec2Launcher;
import io.cloudkon.provisioner.launch.ec2.LaunchConfig;
import io.cloudkon.provisioner.launch.ec2.PurchasePlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A provisioner on EC2 where something stays wrong: it goes on with what can be done. */
class Ec2TroubleTest {
  private static final int WANTED = 5;
  private static final int BOOT_TIMEOUT_STEPS = 60;
  private static final String SHORT = "InsufficientInstanceCapacity";
  private static final Pool A = new Pool("c7i.large", "subnet-a");
  private static final Pool B = new Pool("c7i.large", "subnet-b");

  private @Nullable FakeEc2 fake;
  private @Nullable Ec2Connection connection;
  private final ProvisionerBed bed = new ProvisionerBed(WANTED, this::launcher);

  private InstanceLauncher launcher(ManualTime time) {
    fake = new FakeEc2(time);
    connection = new Ec2Connection(fake);
    LaunchConfig config =
        new LaunchConfig("Q", FakeEc2.TEMPLATE_NAME, "$Default", List.of(B, A), PurchasePlan.SPOT);
    return new Ec2Launcher(config, Objects.requireNonNull(connection).service(), time);
  }

  private FakeEc2 ec2() {
    return Objects.requireNonNull(fake);
  }

  @AfterEach
  void close() {
    Objects.requireNonNull(connection).close();
    ec2().close();
  }

  private void refuse(Pool pool, String code) {
    ec2().refuse(pool, Purchase.SPOT, code);
    ec2().refuse(pool, Purchase.ON_DEMAND, code);
  }

  private FakeInstance stray() {
    return ec2()
        .start(
            A, Purchase.ON_DEMAND, Map.of(ClusterTags.CLUSTER, "Q", ClusterTags.LAUNCH, "earlier"));
  }

  private void registerAll() {
    bed.used.instances().stream()
        .filter(LaunchedInstance::exists)
        .filter(one -> one.launch().startsWith("Q-"))
        .forEach(bed::register);
  }

  // ---- instances that cannot be ended

  @ParameterizedTest
  @CsvSource({"400, OperationNotPermitted", "403, UnauthorizedOperation"})
  void instance_that_cannot_be_ended_holds_no_launch_up_and_no_decision_open(
      int status, String code) {
    FakeInstance stubborn = stray();
    ec2().keepFromEnding(stubborn.id(), status, code);
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, BOOT_TIMEOUT_STEPS + 5);
    bed.backlog();

    bed.steps(provisioner, 2);
    registerAll();
    bed.steps(provisioner, 2);

    assertThat(ec2().launched()).isEqualTo(WANTED); // it counts toward the maximum
    assertThat(provisioner.fleet().live()).isEqualTo(WANTED - 1);
    assertThat(bed.decisions()).extracting(Decision::state).containsOnly(Decision.State.CLOSED);
    assertThat(stubborn.exists()).isTrue();
  }

  @Test
  void instances_that_cannot_be_ended_are_asked_for_every_half_minute() {
    ec2().keepFromEnding(stray().id(), 403, "UnauthorizedOperation");
    ProvisionerService provisioner = bed.provisioner("a");

    bed.steps(provisioner, BOOT_TIMEOUT_STEPS + 120);

    assertThat(ec2().asked("TerminateInstances")).hasSizeBetween(4, 5);
  }

  @Test
  void throttled_endings_hold_no_launch_up_and_are_made_later() {
    FakeInstance stray = stray();
    ec2().deny("TerminateInstances", 503, "RequestLimitExceeded", "Request limit exceeded.");
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, BOOT_TIMEOUT_STEPS + 5);
    bed.backlog();
    bed.steps(provisioner, 2);
    assertThat(ec2().launched()).isEqualTo(WANTED);

    ec2().allow("TerminateInstances");
    bed.steps(provisioner, 2);

    assertThat(stray.exists()).isFalse();
  }

  @Test
  void decision_whose_instances_could_not_be_ended_stays_open() {
    ec2().listDelay(Duration.ofDays(1)); // nothing but the decision says that they are there
    ec2().deny("TerminateInstances", 503, "RequestLimitExceeded", "Request limit exceeded.");
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");

    bed.steps(provisioner, BOOT_TIMEOUT_STEPS + 5);
    assertThat(bed.decisions().getFirst().open()).isTrue();
    ec2().allow("TerminateInstances");
    bed.steps(provisioner, 2);

    assertThat(bed.decisions().getFirst().open()).isFalse();
  }

  // ---- instances of somebody else

  @Test
  void instances_with_the_clusters_tag_that_nobody_launched_are_let_alone() {
    Map<String, String> tags = Map.of(ClusterTags.CLUSTER, "Q");
    FakeInstance worker = ec2().start(A, Purchase.ON_DEMAND, tags);
    FakeInstance provisionersOwn = ec2().start(A, Purchase.ON_DEMAND, tags);
    ProvisionerService provisioner = bed.provisioner("a");
    for (int i = 0; i < 2 * BOOT_TIMEOUT_STEPS; i++) {
      byHand(worker);
      bed.steps(provisioner, 1);
    }
    bed.backlog();
    byHand(worker);
    bed.steps(provisioner, 2);

    assertThat(worker.exists()).isTrue();
    assertThat(provisionersOwn.exists()).isTrue();
    // The worker counts toward the maximum, and the other instance does not.
    assertThat(ec2().existing()).isEqualTo(WANTED + 1);
  }

  private void byHand(FakeInstance machine) {
    bed.register("w-hand", new WorkerOrigin("", machine.id(), "c7i.large", ""));
  }

  // ---- pools that are wrong, beside pools that are short

  @Test
  void pool_that_is_not_permitted_stops_nothing_while_the_other_is_short() {
    ec2().poolsTried(1);
    refuse(B, "UnauthorizedOperation");
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 100);
    assertThat(ec2().launched()).isPositive();
    refuse(A, SHORT);

    for (int i = 0; i < 300; i++) {
      registerAll();
      if (i % 90 == 0) { // one of them is taken back, by when B may be asked again and A not yet
        ec2().instances().stream()
            .filter(FakeInstance::exists)
            .findFirst()
            .ifPresent(one -> ec2().end(one.id()));
      }
      bed.steps(provisioner, 1);
    }
    ec2().accept(A, Purchase.SPOT);
    bed.steps(provisioner, 200);

    assertThat(provisioner.holds()).isTrue();
    assertThat(ec2().existing()).isEqualTo(WANTED);
  }

  @Test
  void pool_that_is_not_permitted_makes_nobody_wait_longer_for_the_one_that_is_short() {
    refuse(B, "UnauthorizedOperation");
    refuse(A, SHORT);
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 3);
    assertThat(provisioner.fleet().reason()).contains(SHORT);
    ec2().accept(A, Purchase.SPOT);

    bed.steps(provisioner, 6);

    assertThat(ec2().launched()).isEqualTo(WANTED);
  }

  @Test
  void all_pools_that_are_not_permitted_stop_the_provisioner() {
    refuse(A, "UnauthorizedOperation");
    refuse(B, "UnauthorizedOperation");
    bed.backlog();

    assertThatThrownBy(() -> bed.provisioner("a").run())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("UnauthorizedOperation");
  }

  @Test
  void permission_that_is_lost_later_is_waited_for() {
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 2);
    ec2().deny("CreateFleet", 403, "UnauthorizedOperation", "You are not authorized.");
    ec2().end(ec2().instances().getFirst().id());
    bed.steps(provisioner, 30);
    registerAll();
    bed.steps(provisioner, 30);
    assertThat(provisioner.fleet().reason()).contains("UnauthorizedOperation", "next try in");

    ec2().allow("CreateFleet");
    for (int i = 0; i < 20; i++) {
      registerAll();
      bed.steps(provisioner, 60);
    }

    assertThat(ec2().existing()).isPositive();
    assertThat(provisioner.holds()).isTrue();
  }

  @Test
  void code_that_is_not_known_is_told_and_waited_out() {
    ec2().deny("CreateFleet", 400, "FleetUnheardOf", "Something new.");
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 5);
    assertThat(provisioner.fleet().reason()).contains("FleetUnheardOf", "next try in");
    assertThat(bed.decisions().getFirst().error()).contains("FleetUnheardOf: Something new.");

    ec2().allow("CreateFleet");
    bed.steps(provisioner, 65);

    assertThat(ec2().launched()).isEqualTo(WANTED);
  }

  // ---- launches that are made again

  private ProvisionerService afterOneThatDied() {
    ec2().loseAnswers("CreateFleet", 2);
    bed.backlog();
    bed.steps(bed.provisioner("dying"), 1);
    assertThat(ec2().launched()).isEqualTo(WANTED);
    ProvisionerService next = bed.provisioner("next");
    bed.steps(next, 1);
    bed.time.advance(Duration.ofSeconds(18));
    return next;
  }

  @ParameterizedTest
  @CsvSource({
    "400, ExpiredToken",
    "400, RequestExpired",
    "401, AuthFailure",
    "403, InvalidClientTokenId"
  })
  void launch_is_made_again_until_the_credentials_are_valid(int status, String code) {
    ProvisionerService next = afterOneThatDied();
    ec2().deny("CreateFleet", status, code, "The security token is not valid.");
    bed.steps(next, 3);
    assertThat(bed.decisions()).hasSize(1);
    assertThat(bed.decisions().getFirst().open()).isTrue();

    ec2().allow("CreateFleet");
    bed.steps(next, 3);

    assertThat(ec2().launched()).isEqualTo(WANTED);
    assertThat(bed.decisions().getFirst().instances()).hasSize(WANTED);
  }

  @ParameterizedTest
  @CsvSource({"403, UnauthorizedOperation", "400, IdempotentParameterMismatch"})
  void launch_that_is_refused_when_made_again_keeps_the_instances_it_had_brought(
      int status, String code) {
    ProvisionerService next = afterOneThatDied();
    ec2().deny("CreateFleet", status, code, "no");

    bed.steps(next, 3);

    assertThat(bed.decisions()).hasSize(1);
    assertThat(bed.decisions().getFirst().instances()).hasSize(WANTED);
    assertThat(bed.decisions().getFirst().state()).isEqualTo(Decision.State.LAUNCHED);
    assertThat(next.fleet().booting()).isEqualTo(WANTED);
  }

  @Test
  void launch_of_another_that_is_refused_holds_none_of_its_own_back() {
    bed.backlog();
    ProvisionerService dying = bed.provisioner("dying");
    ec2().deny("CreateFleet", 503, "RequestLimitExceeded", "Request limit exceeded.");
    bed.steps(dying, 1);
    bed.time.advance(Duration.ofSeconds(18));
    ec2().deny("CreateFleet", 400, "IdempotentParameterMismatch", "another version made it");
    ProvisionerService next = bed.provisioner("next");
    for (int i = 0; bed.decisions().getFirst().open() && i < 30; i++) {
      bed.steps(next, 1);
    }

    ec2().allow("CreateFleet");
    bed.steps(next, 2);

    assertThat(ec2().launched()).isEqualTo(WANTED);
  }
}
