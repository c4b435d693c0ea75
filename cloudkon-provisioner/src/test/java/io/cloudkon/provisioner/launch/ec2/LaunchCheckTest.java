package io.cloudkon.provisioner.launch.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.aws.ec2.ClusterTags;
import io.cloudkon.core.aws.ec2.LaunchTemplates;
import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.ec2.Ec2Connection;
import io.cloudkon.core.testing.ec2.FakeEc2;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchCheckTest {
  private final FakeEc2 ec2 = new FakeEc2(new ManualTime());
  private final Ec2Connection connection = new Ec2Connection(ec2);
  private final List<String> warnings = new ArrayList<>();
  private final LaunchCheck check = new LaunchCheck(connection.service(), warnings::add);

  @AfterEach
  void close() {
    connection.close();
    ec2.close();
  }

  private static WantedLaunch wanted(String template, List<String> types, List<String> subnets) {
    return new WantedLaunch("Q", template, "1", types, subnets, PurchasePlan.SPOT);
  }

  private static WantedLaunch usual() {
    return wanted(FakeEc2.TEMPLATE_NAME, List.of("c7i.large"), List.of("subnet-a"));
  }

  private void refused(WantedLaunch wanted, String... says) {
    assertThatThrownBy(() -> check.check(wanted))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll(says)
        .hasMessageNotContaining("\n");
    assertThat(ec2.launched()).isZero();
  }

  @Test
  void launch_that_can_work_is_checked_without_a_warning_and_without_a_launch() {
    CheckedLaunch launch = check.check(usual());

    assertThat(launch.vcpus()).isEqualTo(Map.of("c7i.large", 2));
    assertThat(launch.template().version()).isEqualTo("1");
    assertThat(warnings).isEmpty();
    assertThat(ec2.launched()).isZero();
    assertThat(ec2.asked("RunInstances"))
        .hasSize(2)
        .allSatisfy(trial -> assertThat(trial.text("DryRun")).isEqualTo("true"));
  }

  @Test
  void default_version_that_is_not_the_newest_is_a_warning() {
    WantedLaunch any =
        new WantedLaunch(
            "Q",
            FakeEc2.TEMPLATE_NAME,
            LaunchTemplates.DEFAULT,
            List.of("c7i.large"),
            List.of("subnet-a"),
            PurchasePlan.SPOT);

    CheckedLaunch launch = check.check(any);

    assertThat(launch.template().version()).isEqualTo("1");
    assertThat(warnings)
        .containsExactly(
            "launch template workers: its default version 1 is used, and there is a newer one, 2;"
                + " --launch-template workers:latest uses that");
  }

  @Test
  void request_for_spot_that_is_denied_is_a_warning_that_names_the_permission() {
    ec2.policyOf("Q");

    CheckedLaunch launch = check.check(usual());

    assertThat(launch.types()).containsExactly("c7i.large");
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith(
            "Spot instances may be refused, and then on-demand instances are bought, at their"
                + " higher price: UnauthorizedOperation: No trial of c7i.large/subnet-a; allow")
        .contains("spot-instances-request/*");
  }

  @Test
  void request_for_spot_only_that_is_denied_is_a_warning_that_nothing_would_be_launched() {
    ec2.policyOf("Q");

    check.check(
        new WantedLaunch(
            "Q",
            FakeEc2.TEMPLATE,
            "1",
            List.of("c7i.large"),
            List.of("subnet-a"),
            PurchasePlan.SPOT_ONLY));

    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("Spot instances may be refused, and then nothing is launched: Unauthorized");
  }

  @Test
  void trial_has_the_tags_of_a_launch() {
    ec2.policyOf("Q");

    check.check(usual());

    assertThat(ec2.asked("RunInstances"))
        .allSatisfy(trial ->
            assertThat(trial.tags("instance"))
                .containsOnlyKeys(ClusterTags.CLUSTER, ClusterTags.LAUNCH));
    ec2.policyOf("Other");
    refused(usual(), "nothing can be launched: UnauthorizedOperation");
  }

  @ParameterizedTest
  @CsvSource({"m7i.large/subnet-a", "c7i.large/subnet-b"})
  void one_type_or_subnet_that_cannot_be_launched_is_told_at_once(String bad) {
    ec2.refuse(Pool.parse(bad), Purchase.ON_DEMAND, "UnauthorizedOperation");

    refused(
        wanted(
            FakeEc2.TEMPLATE, List.of("c7i.large", "m7i.large"), List.of("subnet-a", "subnet-b")),
        "no instance of " + bad + " can be launched: UnauthorizedOperation");
  }

  @Test
  void pool_that_is_short_at_the_start_is_no_reason_not_to_start() {
    Pool pool = new Pool("c7i.large", "subnet-a");
    ec2.refuse(pool, Purchase.ON_DEMAND, "InsufficientInstanceCapacity");
    ec2.refuse(pool, Purchase.SPOT, "SpotMaxPriceTooLow");

    assertThat(check.check(usual()).types()).containsExactly("c7i.large");
  }

  @Test
  void types_are_the_templates_where_none_is_named() {
    assertThat(check.check(wanted(FakeEc2.TEMPLATE, List.of(), List.of())).types())
        .containsExactly("c7i.large");
    ec2.template("lt-2", "bare", "", "terminate metadata-tags");
    refused(wanted("bare", List.of(), List.of()), "bare", "--instance-types");
  }

  @Test
  void pools_are_each_type_in_each_subnet_with_the_cheapest_slot_first() {
    List<String> types = List.of("m7i.large", "c7i.xlarge", "c7i.large");
    CheckedLaunch launch =
        check.check(wanted(FakeEc2.TEMPLATE, types, List.of("subnet-a", "subnet-b")));

    Map<String, Double> usd = Map.of("m7i.large", 0.3, "c7i.xlarge", 0.2, "c7i.large", 0.4);
    List<Pool> pools = launch.config(usd::get).pools();

    assertThat(pools.stream().map(Pool::toString))
        .containsExactly(
            "c7i.xlarge/subnet-a",
            "c7i.xlarge/subnet-b",
            "m7i.large/subnet-a",
            "m7i.large/subnet-b",
            "c7i.large/subnet-a",
            "c7i.large/subnet-b");
    assertThat(launch.fewestVcpus()).hasValue(2);
  }

  @Test
  void types_stay_in_the_given_order_if_the_price_of_one_is_not_known() {
    List<String> types = List.of("m7i.large", "c7i.xlarge", "c7i.large");
    CheckedLaunch launch = check.check(wanted(FakeEc2.TEMPLATE, types, List.of("subnet-a")));

    Map<String, Double> usd = Map.of("c7i.xlarge", 0.1, "c7i.large", 0.2);
    List<Pool> pools = launch.config(type -> usd.getOrDefault(type, Double.NaN)).pools();

    assertThat(pools).extracting(Pool::type).containsExactlyElementsOf(types);
  }

  @Test
  void template_that_does_not_exist_is_named_with_its_region() {
    refused(
        wanted("nobodys", List.of("c7i.large"), List.of()),
        "--launch-template nobodys",
        "eu-west-1",
        "no such launch template");
    refused(
        new WantedLaunch("Q", FakeEc2.TEMPLATE, "7", List.of(), List.of(), PurchasePlan.SPOT),
        "version 7");
  }

  @Test
  void type_that_does_not_exist_is_named() {
    refused(
        wanted(FakeEc2.TEMPLATE, List.of("c7i.large", "c9x.huge"), List.of()),
        "--instance-types c9x.huge",
        "no such type");
  }

  @Test
  void subnet_that_does_not_exist_is_named() {
    refused(
        wanted(FakeEc2.TEMPLATE, List.of("c7i.large"), List.of("subnet-x")),
        "--subnets subnet-x",
        "no such subnet");
  }

  @Test
  void two_subnets_of_one_zone_are_refused_as_no_fleet_may_have_them() {
    ec2.subnet("subnet-c", 250, "zone-a");

    refused(
        wanted(FakeEc2.TEMPLATE, List.of("c7i.large"), List.of("subnet-a", "subnet-b", "subnet-c")),
        "--subnets subnet-a,subnet-c: both are in zone zone-a, and EC2 refuses a fleet with two"
            + " subnets of a zone; name one subnet per zone");
  }

  @Test
  void subnet_that_is_named_twice_counts_once() {
    List<String> twice = List.of("subnet-a", "subnet-a");

    CheckedLaunch launch = check.check(wanted(FakeEc2.TEMPLATE, List.of("c7i.large"), twice));

    assertThat(launch.config(type -> 1).pools()).containsExactly(new Pool("c7i.large", "subnet-a"));
    assertThat(warnings).isEmpty();
  }

  /**
   * Often by the cluster's own instances, which a provisioner that starts again must look after.
   */
  @Test
  void subnet_that_is_full_is_a_warning() {
    ec2.subnet("subnet-full", 0, "zone-c");

    CheckedLaunch launch =
        check.check(
            wanted(FakeEc2.TEMPLATE, List.of("c7i.large"), List.of("subnet-a", "subnet-full")));

    assertThat(launch.types()).containsExactly("c7i.large");

    assertThat(warnings).singleElement().asString().contains("subnet-full", "no free addresses");
  }

  @Test
  void permission_that_is_missing_is_named_with_its_resource() {
    ec2.deny(
        "RunInstances",
        403,
        "UnauthorizedOperation",
        "You are not authorized to perform this operation. User: arn:aws:iam::1:user/x is not"
            + " authorized to perform: iam:PassRole on resource: arn:aws:iam::1:role/worker because"
            + " no identity-based policy allows it");

    refused(usual(), "UnauthorizedOperation", "allow iam:PassRole on arn:aws:iam::1:role/worker");
  }

  @Test
  void template_that_may_not_be_looked_at_is_refused_with_the_action() {
    ec2.deny(
        "DescribeLaunchTemplateVersions", 403, "UnauthorizedOperation", "You are not authorized.");

    refused(usual(), "ec2:DescribeLaunchTemplateVersions on launch template 'workers' was denied");
  }

  @Test
  void types_and_subnets_that_may_not_be_looked_at_are_a_warning_each() {
    ec2.deny("DescribeInstanceTypes", 403, "UnauthorizedOperation", "You are not authorized.");
    ec2.deny("DescribeSubnets", 403, "UnauthorizedOperation", "You are not authorized.");

    CheckedLaunch launch = check.check(usual());

    // as the price list has it
    assertThat(launch.vcpus()).isEqualTo(Map.of("c7i.large", 2));
    assertThat(warnings)
        .hasSize(2)
        .anyMatch(warning -> warning.contains("ec2:DescribeInstanceTypes"))
        .anyMatch(warning -> warning.contains("ec2:DescribeSubnets"));
  }

  @Test
  void template_that_keeps_stopped_instances_or_hides_tags_is_warned_of() {
    ec2.template("lt-2", "careless", "c7i.large", "");

    CheckedLaunch launch = check.check(wanted("careless", List.of(), List.of()));

    assertThat(launch.template().endsOnShutdown()).isFalse();
    assertThat(warnings)
        .hasSize(2)
        .anyMatch(warning -> warning.contains("InstanceInitiatedShutdownBehavior=terminate"))
        .anyMatch(warning -> warning.contains("InstanceMetadataTags=enabled"));
  }

  @Test
  void template_that_tags_spot_requests_is_refused_where_on_demand_may_be_bought() {
    ec2.template("lt-2", "tagging", "c7i.large", "terminate metadata-tags spot-tags");

    refused(wanted("tagging", List.of(), List.of()), "tagging", "spot-instances-request");
    WantedLaunch spotOnly =
        new WantedLaunch("Q", "tagging", "$Default", List.of(), List.of(), PurchasePlan.SPOT_ONLY);
    assertThat(check.check(spotOnly).types()).containsExactly("c7i.large");
  }

  @Test
  void missing_role_for_spot_is_told_with_the_command_that_makes_it() {
    ec2.deny(
        "RunInstances",
        403,
        "AuthFailure.ServiceLinkedRoleCreationNotPermitted",
        "The provided credentials do not have permission to create the service-linked role.");

    refused(usual(), "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com");
  }

  @Test
  void shortage_at_the_start_is_no_reason_not_to_start() {
    ec2.deny("RunInstances", 500, "InsufficientInstanceCapacity", "no room");

    assertThat(check.check(usual()).types()).containsExactly("c7i.large");
  }
}
