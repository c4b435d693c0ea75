package io.cloudkon.provisioner.launch.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.aws.ec2.ClusterTags;
import io.cloudkon.core.aws.ec2.DeniedException;
import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.contract.InstanceLauncherContract;
import io.cloudkon.core.port.InstanceLauncher;
import io.cloudkon.core.port.InstanceLauncher.Failure;
import io.cloudkon.core.port.InstanceLauncher.Launch;
import io.cloudkon.core.port.LaunchedInstance;
import io.cloudkon.core.port.LaunchedInstance.State;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.ec2.Ec2Connection;
import io.cloudkon.core.testing.ec2.Ec2Query;
import io.cloudkon.core.testing.ec2.FakeEc2;
import io.cloudkon.core.testing.ec2.FakeInstance;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Ec2LauncherTest extends InstanceLauncherContract {
  private static final Pool A = new Pool("c7i.large", "subnet-a");
  private static final Pool B = new Pool("c7i.large", "subnet-b");

  private final ManualTime time = new ManualTime();
  private final FakeEc2 ec2 = new FakeEc2(time);
  private final Ec2Connection cloud = new Ec2Connection(ec2);
  private final Ec2Launcher launcher = launcher(PurchasePlan.SPOT);

  private Ec2Launcher launcher(PurchasePlan purchase) {
    LaunchConfig config =
        new LaunchConfig("Q", FakeEc2.TEMPLATE_NAME, "$Default", List.of(A, B), purchase);
    return new Ec2Launcher(config, cloud.service(), time);
  }

  @AfterEach
  void close() {
    cloud.close();
    ec2.close();
  }

  @Override
  protected Fixture newFixture() {
    return new Fixture() {
      @Override
      public InstanceLauncher launcher() {
        return launcher;
      }

      @Override
      public InstanceLauncher successor() {
        return Ec2LauncherTest.this.launcher(PurchasePlan.SPOT);
      }

      @Override
      public int starts() {
        return ec2.launched();
      }

      @Override
      public void room(int most) {
        ec2.room(most);
      }

      @Override
      public void await(BooleanSupplier condition) {
        time.advance(Duration.ofMinutes(1));
        assertThat(condition.getAsBoolean()).isTrue();
      }

      @Override
      public void settle(Duration by) {
        time.advance(by);
      }

      @Override
      public void close() {}
    };
  }

  private Launch launch(String token, int count) {
    return launcher.launch(token, count, launcher.request());
  }

  @Test
  void instances_and_fleet_are_tagged_at_launch_with_cluster_and_token() {
    launch("T-1", 2);

    Map<String, String> tags = Map.of(ClusterTags.CLUSTER, "Q", ClusterTags.LAUNCH, "T-1");
    assertThat(ec2.instances()).extracting(FakeInstance::tags).containsOnly(tags);
    assertThat(ec2.asked("CreateFleet"))
        .singleElement()
        .satisfies(fleet -> {
          assertThat(fleet.tags("fleet")).isEqualTo(tags);
          assertThat(fleet.text("ClientToken")).isEqualTo("T-1");
          assertThat(fleet.text("SpotOptions.AllocationStrategy"))
              .isEqualTo("price-capacity-optimized");
        });
  }

  @Test
  void instances_of_other_clusters_are_not_listed() {
    Ec2Launcher other =
        new Ec2Launcher(
            new LaunchConfig("Other", FakeEc2.TEMPLATE, "1", List.of(A), PurchasePlan.ON_DEMAND),
            cloud.service(),
            time);
    other.launch("O-1", 1, other.request());

    assertThat(launcher.instances()).isEmpty();
    assertThat(other.instances())
        .singleElement()
        .satisfies(one -> {
          assertThat(one.lifeCycle()).isEqualTo("on-demand");
          assertThat(one.type()).isEqualTo("c7i.large");
          assertThat(one.launch()).isEqualTo("O-1");
        });
  }

  @Test
  void request_holds_the_templates_version_as_a_number() {
    assertThat(launcher.request())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "cluster", "Q",
                "launch-template", FakeEc2.TEMPLATE,
                "version", "1",
                "purchase", "spot",
                "pools", "c7i.large/subnet-a c7i.large/subnet-b"));
    LaunchConfig latest =
        new LaunchConfig("Q", FakeEc2.TEMPLATE, "$Latest", List.of(A), PurchasePlan.SPOT);
    assertThat(new Ec2Launcher(latest, cloud.service(), time).request())
        .containsEntry("version", "2");
  }

  @Test
  void launch_that_is_not_listed_yet_is_known_by_its_answer_and_listed_later() {
    ec2.listDelay(Duration.ofSeconds(30));

    List<LaunchedInstance> granted = launch("T-1", 2).instances();

    assertThat(launcher.instances()).isEmpty();
    time.advance(Duration.ofSeconds(30));
    assertThat(launcher.instances())
        .extracting(LaunchedInstance::id)
        .containsExactlyElementsOf(granted.stream().map(LaunchedInstance::id).toList());
  }

  @Test
  void instance_that_ec2_does_not_know_yet_does_not_keep_others_from_being_ended() {
    List<String> known = launch("T-1", 3).instances().stream().map(LaunchedInstance::id).toList();
    ec2.listDelay(Duration.ofSeconds(30));
    String fresh = launch("T-2", 1).instances().getFirst().id();

    launcher.terminate(List.of(known.get(0), fresh, known.get(1), "nobody", known.get(2)));

    assertThat(ec2.instances()).allMatch(one -> one.exists() == one.id().equals(fresh));
    time.advance(Duration.ofSeconds(30));
    launcher.terminate(List.of(fresh));
    assertThat(ec2.existing()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"400, OperationNotPermitted", "403, UnauthorizedOperation"})
  void instance_that_may_not_be_ended_keeps_no_other_from_being_ended(int status, String code) {
    List<String> all = launch("T-1", 7).instances().stream().map(LaunchedInstance::id).toList();
    ec2.keepFromEnding(all.get(2), status, code);
    ec2.keepFromEnding(all.get(5), status, code);

    assertThatThrownBy(() -> launcher.terminate(all))
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining(
            "ec2:TerminateInstances on instance '%s, %s'".formatted(all.get(2), all.get(5)));

    assertThat(ec2.instances())
        .filteredOn(FakeInstance::exists)
        .extracting(FakeInstance::id)
        .containsExactly(all.get(2), all.get(5));
  }

  @Test
  void instance_comes_up_late_and_passes_through_its_states() {
    ec2.bootTime(Duration.ofMinutes(4));
    ec2.endTime(Duration.ofSeconds(20));
    String id = launch("T-1", 1).instances().getFirst().id();
    assertThat(launcher.instances())
        .extracting(LaunchedInstance::state)
        .containsOnly(State.PENDING);
    time.advance(Duration.ofMinutes(4));
    assertThat(launcher.instances())
        .extracting(LaunchedInstance::state)
        .containsOnly(State.RUNNING);

    launcher.terminate(List.of(id));
    assertThat(launcher.instances()).extracting(LaunchedInstance::state).containsOnly(State.ENDING);
    time.advance(Duration.ofSeconds(20));
    assertThat(launcher.instances()).extracting(LaunchedInstance::state).containsOnly(State.ENDED);
    assertThat(launcher.explanation(id)).contains("User initiated shutdown");
  }

  @Test
  void listing_of_several_pages_is_read_to_its_end() {
    ec2.pageSize(2);
    launch("T-1", 5);

    assertThat(launcher.instances()).hasSize(5);
    assertThat(ec2.asked("DescribeInstances")).hasSize(3);
  }

  @Test
  void lost_answer_has_happened_and_the_same_call_gives_it() {
    Map<String, String> request = launcher.request();
    ec2.loseAnswers("CreateFleet", 2); // the SDK tries twice by itself

    assertThatThrownBy(() -> launcher.launch("T-1", 5, request))
        .isInstanceOf(TransientServiceException.class);

    assertThat(ec2.launched()).isEqualTo(5);
    assertThat(launcher.launch("T-1", 5, request).instances()).hasSize(5);
    assertThat(ec2.launched()).isEqualTo(5);
  }

  @Test
  void answer_of_a_gateway_says_nothing_about_the_launch() {
    ec2.answersAreLostByGateway();
    lost_answer_has_happened_and_the_same_call_gives_it();
  }

  @Test
  void throttled_call_is_to_be_made_again() {
    Map<String, String> request = launcher.request();
    ec2.throttle(Duration.ofMinutes(1));

    assertThatThrownBy(() -> launcher.launch("T-1", 1, request))
        .isInstanceOf(TransientServiceException.class)
        .hasMessageContaining("RequestLimitExceeded");
    assertThatThrownBy(launcher::instances).isInstanceOf(TransientServiceException.class);
    assertThatThrownBy(() -> launcher.terminate(List.of("i-00000001")))
        .isInstanceOf(TransientServiceException.class);
  }

  @Test
  void pool_that_refuses_is_left_out_for_three_minutes() {
    ec2.refuse(A, Purchase.SPOT, "InsufficientInstanceCapacity");
    ec2.poolsTried(1);

    Launch first = launch("T-1", 1);
    assertThat(first.instances()).isEmpty();
    assertThat(first.elsewhere()).isTrue();

    assertThat(launcher.request()).containsEntry("pools", "c7i.large/subnet-b");
    assertThat(launch("T-2", 1).instances()).hasSize(1);
    time.advance(RefusedPools.REMEMBERED.minusMillis(1));
    assertThat(launcher.request()).containsEntry("pools", "c7i.large/subnet-b");
    time.advanceMillis(1);
    assertThat(launcher.request()).containsEntry("pools", "c7i.large/subnet-a c7i.large/subnet-b");
  }

  private void refuseSpot() {
    ec2.refuse(A, Purchase.SPOT, "UnfulfillableCapacity");
    ec2.refuse(B, Purchase.SPOT, "MaxSpotInstanceCountExceeded");
  }

  @Test
  void spot_that_every_pool_refuses_is_bought_on_demand() {
    refuseSpot();

    assertThat(launch("T-1", 2).elsewhere()).isTrue();
    Launch second = launch("T-2", 2);

    assertThat(second.instances())
        .extracting(LaunchedInstance::lifeCycle)
        .containsOnly("on-demand");
    Ec2Query fleet = ec2.asked("CreateFleet").getLast();
    assertThat(fleet.text("OnDemandOptions.AllocationStrategy")).isEqualTo("prioritized");
  }

  @Test
  void spot_only_is_not_bought_on_demand() {
    refuseSpot();
    Ec2Launcher spotOnly = launcher(PurchasePlan.SPOT_ONLY);

    Launch refused = spotOnly.launch("T-1", 2, spotOnly.request());

    assertThat(refused.elsewhere()).isFalse();
    assertThat(spotOnly.request()).containsEntry("purchase", "spot");
  }

  @Test
  void quota_of_one_pool_leaves_the_others_to_ask() {
    ec2.refuse(A, Purchase.ON_DEMAND, "VcpuLimitExceeded");
    ec2.poolsTried(1);
    Ec2Launcher onDemand = launcher(PurchasePlan.ON_DEMAND);

    Launch refused = onDemand.launch("T-1", 1, onDemand.request());

    assertThat(refused.elsewhere()).isTrue();
    assertThat(refused.failures())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.kind()).isEqualTo(Failure.Kind.QUOTA);
          assertThat(failure.message()).contains("Service Quotas");
        });
  }

  @Test
  void denial_names_action_and_resource_without_the_encoded_blob() {
    ec2.deny(
        "CreateFleet",
        403,
        "UnauthorizedOperation",
        "You are not authorized to perform this operation. User: arn:aws:iam::1:user/x is not"
            + " authorized to perform: ec2:RunInstances on resource:"
            + " arn:aws:ec2:eu-west-1:1:instance/* because no identity-based policy allows it."
            + " Encoded authorization failure message: AbCdEf");

    Launch denied = launch("T-1", 1);

    assertThat(denied.elsewhere()).isFalse();
    assertThat(denied.failures())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFIGURATION);
          assertThat(failure.message())
              .doesNotContain("AbCdEf")
              .endsWith(
                  "allow ec2:RunInstances on arn:aws:ec2:eu-west-1:1:instance/* in the policy of"
                      + " these credentials");
        });
  }

  @Test
  void missing_role_for_spot_is_told_with_the_command_that_makes_it() {
    ec2.deny(
        "CreateFleet",
        403,
        "AuthFailure.ServiceLinkedRoleCreationNotPermitted",
        "The provided credentials do not have permission to create the service-linked role for EC2"
            + " Spot Instances.");

    assertThat(launch("T-1", 1).failures())
        .singleElement()
        .satisfies(failure ->
            assertThat(failure.message())
                .contains(
                    "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com"));
  }

  @Test
  void shortage_that_comes_as_a_servers_error_is_a_shortage() {
    ec2.deny("CreateFleet", 500, "InsufficientInstanceCapacity", "no room");

    Launch refused = launch("T-1", 1);

    assertThat(refused.failures()).extracting(Failure::kind).containsExactly(Failure.Kind.CAPACITY);
    assertThat(refused.elsewhere()).isTrue();
  }

  @Test
  void termination_that_is_denied_is_said() {
    ec2.deny("TerminateInstances", 403, "UnauthorizedOperation", "You are not authorized.");

    assertThatThrownBy(() -> launcher.terminate(List.of("i-00000001")))
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("ec2:TerminateInstances on instance 'i-00000001' was denied");
  }

  /** Where the subnets could not be checked at the start. */
  @Test
  void fleet_with_two_subnets_of_one_zone_is_refused_with_the_option() {
    ec2.subnet("subnet-b", 250, "zone-a");

    assertThat(launch("T-1", 1).failures())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.kind()).isEqualTo(Failure.Kind.CONFIGURATION);
          assertThat(failure.message())
              .isEqualTo(
                  "The fleet configuration contains duplicate instance pools; check --subnets, of"
                      + " which there may be one per zone, and --instance-types");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "/subnet-a", "c7i.large/subnet-a  c7i.large/subnet-b"})
  void decision_whose_pools_cannot_be_read_is_refused_without_a_call(String pools) {
    Map<String, String> damaged = new HashMap<>(launcher.request());
    damaged.put("pools", pools);

    assertThat(launcher.serves(launcher.request())).isTrue();
    assertThat(launcher.serves(damaged)).isFalse();
    assertThat(launcher.launch("T-1", 1, damaged).failures())
        .extracting(Failure::code)
        .containsExactly("other-launcher");
    assertThat(ec2.asked("CreateFleet")).isEmpty();
  }

  @Test
  void decision_of_another_launcher_is_refused_without_a_call() {
    assertThat(launcher.launch("T-1", 1, Map.of("command", "true")).failures())
        .extracting(Failure::code)
        .containsExactly("other-launcher");
    assertThat(ec2.asked("CreateFleet")).isEmpty();
  }
}
