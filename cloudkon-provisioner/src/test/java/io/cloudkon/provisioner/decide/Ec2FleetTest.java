package io.cloudkon.provisioner.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.InstanceLauncher;
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

/** A provisioner on EC2 as the wire shows it, that wants five workers; time is turned by hand. */
class Ec2FleetTest {
  private static final int WANTED = 5;
  private static final Pool A = new Pool("c7i.large", "subnet-a");
  private static final Pool B = new Pool("c7i.large", "subnet-b");

  private @Nullable FakeEc2 fake;
  private @Nullable Ec2Connection connection;
  private final ProvisionerBed bed = new ProvisionerBed(WANTED, this::launcher);

  private InstanceLauncher launcher(ManualTime time) {
    fake = new FakeEc2(time);
    connection = new Ec2Connection(fake);
    return launcher(time, List.of(A, B));
  }

  private InstanceLauncher launcher(ManualTime time, List<Pool> from) {
    LaunchConfig config =
        new LaunchConfig("Q", FakeEc2.TEMPLATE_NAME, "$Default", from, PurchasePlan.SPOT);
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

  private List<Integer> granted() {
    return bed.decisions().stream().map(decision -> decision.instances().size()).toList();
  }

  @Test
  void spot_is_refused_everywhere_so_workers_are_bought_on_demand() {
    ec2().refuse(A, Purchase.SPOT, "InsufficientInstanceCapacity");
    ec2().refuse(B, Purchase.SPOT, "MaxSpotInstanceCountExceeded");
    bed.backlog();

    bed.steps(bed.provisioner("a"), 2);

    assertThat(ec2().instances()).hasSize(WANTED);
    assertThat(ec2().instances())
        .extracting(FakeInstance::purchase)
        .containsOnly(Purchase.ON_DEMAND);
    assertThat(granted()).containsExactly(0, WANTED);
    assertThat(bed.decisions()).extracting(Decision::token).doesNotHaveDuplicates();
  }

  @Test
  void two_of_five_are_granted_so_three_more_come_from_another_pool() {
    ec2().poolsTried(1);
    ec2().capacity(A, Purchase.SPOT, 2);
    bed.backlog();

    bed.steps(bed.provisioner("a"), 2);

    assertThat(granted()).containsExactly(2, 3);
    assertThat(ec2().instances()).extracting(FakeInstance::pool).containsExactly(A, A, B, B, B);
    Map<String, String> second = bed.decisions().getLast().request();
    assertThat(second).containsEntry("pools", B.toString()).containsEntry("purchase", "spot");
  }

  @Test
  void pool_that_refused_is_asked_again_after_three_minutes() {
    ec2().poolsTried(1);
    ec2().refuse(A, Purchase.SPOT, "InsufficientInstanceCapacity");
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 2);
    assertThat(ec2().instances()).extracting(FakeInstance::pool).containsOnly(B);
    ec2().accept(A, Purchase.SPOT);

    ec2().instances().forEach(one -> ec2().end(one.id()));
    bed.time.advance(Duration.ofMinutes(3));
    bed.steps(provisioner, 30);

    assertThat(ec2().instances()).hasSizeGreaterThan(WANTED);
    assertThat(ec2().instances().getLast().pool()).isEqualTo(A);
  }

  @Test
  void every_pool_refuses_so_the_provisioner_waits_and_says_why() {
    for (Pool pool : List.of(A, B)) {
      ec2().refuse(pool, Purchase.SPOT, "InsufficientInstanceCapacity");
      ec2().refuse(pool, Purchase.ON_DEMAND, "InsufficientInstanceCapacity");
    }
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");

    bed.steps(provisioner, 4);

    assertThat(ec2().asked("CreateFleet")).hasSize(2);
    assertThat(provisioner.fleet().reason()).contains("the launcher refused", "next try in");
  }

  @Test
  void answer_is_lost_so_there_are_five_in_all() {
    ec2().loseAnswers("CreateFleet", 5);
    bed.backlog();

    bed.steps(bed.provisioner("a"), 6);

    assertThat(ec2().launched()).isEqualTo(WANTED);
    assertThat(granted()).containsExactly(WANTED);
  }

  @Test
  void answer_is_lost_and_the_provisioner_dies_so_its_successor_gets_the_same_five() {
    ec2().loseAnswers("CreateFleet", 2);
    bed.backlog();
    bed.steps(bed.provisioner("dying"), 1);
    assertThat(ec2().launched()).isEqualTo(WANTED);

    ProvisionerService next = bed.provisioner("next");
    bed.steps(next, 1);
    bed.time.advance(Duration.ofSeconds(18));
    bed.steps(next, 3);

    assertThat(next.holds()).isTrue();
    assertThat(ec2().launched()).isEqualTo(WANTED);
    assertThat(granted()).containsExactly(WANTED);
  }

  @Test
  void throttled_for_a_minute_so_nothing_is_launched_twice() {
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 1);
    bed.backlog();
    ec2().throttle(Duration.ofMinutes(1));

    bed.steps(provisioner, 60);
    assertThat(ec2().launched()).isZero();
    bed.steps(provisioner, 10);

    assertThat(ec2().launched()).isEqualTo(WANTED);
  }

  @Test
  void throttled_after_the_intent_so_the_same_call_is_made_until_it_comes_through() {
    ec2().deny("CreateFleet", 503, "RequestLimitExceeded", "Request limit exceeded.");
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 60);
    assertThat(bed.decisions()).hasSize(1);

    ec2().allow("CreateFleet");
    bed.steps(provisioner, 2);

    assertThat(ec2().launched()).isEqualTo(WANTED);
    assertThat(granted()).containsExactly(WANTED);
  }

  @Test
  void type_that_does_not_exist_stops_the_provisioner_with_one_line() {
    ProvisionerBed odd =
        new ProvisionerBed(
            WANTED, time -> launcher(time, List.of(new Pool("c9x.huge", "subnet-a"))));
    odd.backlog();

    assertThatThrownBy(() -> odd.provisioner("a").run())
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("c9x.huge", "--instance-types")
        .hasMessageNotContaining("\n");

    assertThat(ec2().launched()).isZero();
  }

  @Test
  void type_that_does_not_exist_among_others_stops_nothing() {
    ProvisionerBed odd =
        new ProvisionerBed(
            WANTED, time -> launcher(time, List.of(new Pool("c9x.huge", "subnet-a"), A)));
    odd.backlog();
    ec2().capacity(A, Purchase.SPOT, 2);

    odd.steps(odd.provisioner("a"), 2);

    assertThat(ec2().launched()).isEqualTo(WANTED);
  }

  @Test
  void instances_that_never_register_are_ended_and_replaced() {
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 59);
    assertThat(ec2().launched()).isEqualTo(WANTED);

    bed.steps(provisioner, 60);

    assertThat(ec2().instances().subList(0, WANTED)).noneMatch(FakeInstance::exists);
    assertThat(ec2().launched()).isGreaterThan(WANTED);
    assertThat(ec2().existing()).isBetween(1, WANTED);
  }

  @Test
  void instances_that_are_listed_late_and_register_late_are_launched_once() {
    ec2().listDelay(Duration.ofSeconds(40));
    bed.backlog();
    ProvisionerService provisioner = bed.provisioner("a");
    bed.steps(provisioner, 50);

    bed.used.instances().forEach(bed::register);
    bed.steps(provisioner, 3);

    assertThat(ec2().launched()).isEqualTo(WANTED);
    assertThat(provisioner.fleet().live()).isEqualTo(WANTED);
    assertThat(bed.decisions()).extracting(Decision::state).containsExactly(Decision.State.CLOSED);
  }
}
