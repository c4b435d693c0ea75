package io.cloudkon.core.aws.ec2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import io.cloudkon.core.port.WorkerTakes;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.ec2.Ec2Connection;
import io.cloudkon.core.testing.ec2.FakeEc2;
import io.cloudkon.core.testing.ec2.FakeInstance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeftInstancesTest {
  private final ManualTime time = new ManualTime();
  private final FakeEc2 ec2 = new FakeEc2(time);
  private final Ec2Connection connection = new Ec2Connection(ec2);
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final LeftInstances left =
      new LeftInstances(cluster, connection.service(), time, time::advance);

  @AfterEach
  void close() {
    connection.close();
    ec2.close();
  }

  private FakeInstance instance(String ofCluster) {
    return ec2.start(
        new Pool("c7i.large", ""),
        Purchase.SPOT,
        Map.of(ClusterTags.CLUSTER, ofCluster, ClusterTags.LAUNCH, "T-1"));
  }

  private FakeInstance byHand() {
    return ec2.start(
        new Pool("c7i.large", ""), Purchase.ON_DEMAND, Map.of(ClusterTags.CLUSTER, "Q"));
  }

  private ProvisionerEntry entry(String launcher, String holder) {
    long now = time.serviceMillis();
    return new ProvisionerEntry(
        holder,
        "host",
        now + 15_000,
        new ProvisionerEntry.Settings(launcher, 0, 3, 2, WorkerTakes.ALL),
        1,
        1,
        ProvisionerEntry.Fleet.UNSEEN,
        now);
  }

  private void decided(Map<String, String> request) {
    long now = time.serviceMillis();
    Decision decision =
        new Decision(
            1, "a", now, 1, "T-1", "", "", request, Decision.State.INTENDED, List.of(), "", now);
    assertThat(cluster.decisions().intend(decision)).isTrue();
  }

  @Test
  void cluster_without_a_provisioner_on_ec2_has_none_and_ec2_is_not_asked() {
    assertThat(left.mayExist()).isFalse();
    assertThat(cluster.decisions().take(entry("process", "a"), Optional.empty())).isTrue();
    decided(Map.of("command", "true"));

    assertThat(left.mayExist()).isFalse();
    assertThat(ec2.asked("DescribeInstances")).isEmpty();
  }

  @Test
  void cluster_whose_provisioner_launches_on_ec2_may_have_some() {
    assertThat(cluster.decisions().take(entry("ec2", "a"), Optional.empty())).isTrue();

    assertThat(left.mayExist()).isTrue();
  }

  @Test
  void cluster_whose_earlier_provisioner_launched_on_ec2_may_have_some() {
    assertThat(cluster.decisions().take(entry("process", "a"), Optional.empty())).isTrue();
    decided(Map.of(Ec2Launches.TEMPLATE, "lt-1"));

    assertThat(left.mayExist()).isTrue();
  }

  private void refuse() {
    left.refuse(null);
  }

  @Test
  void way_to_end_them_repeats_the_stack_that_was_named() {
    instance("Q");

    assertThatThrownBy(() -> left.refuse("stack-7"))
        .hasMessageEndingWith("cloudkon teardown -s Q --instances --stack stack-7");
  }

  @Test
  void instances_that_are_left_are_named() {
    assertThatCode(this::refuse).doesNotThrowAnyException();
    String one = instance("Q").id();
    String other = instance("Q").id();
    instance("R");

    assertThatThrownBy(this::refuse)
        .isInstanceOf(CloudKonException.class)
        .hasMessageContainingAll(
            "2 instances are left, " + one + ", " + other, "cloudkon teardown -s Q --instances");
  }

  @Test
  void instances_that_are_left_are_ended_and_no_others() {
    String one = instance("Q").id();
    String others = instance("R").id();

    assertThat(left.end()).containsExactly(one);

    assertThat(ec2.instances())
        .allMatch(machine -> machine.exists() == machine.id().equals(others));
    assertThatCode(this::refuse).doesNotThrowAnyException();
  }

  @Test
  void instances_that_may_not_be_ended_are_no_silence() {
    instance("Q");
    ec2.deny("TerminateInstances", 403, "UnauthorizedOperation", "You are not authorized.");

    assertThatThrownBy(left::end)
        .isInstanceOf(DeniedException.class)
        .hasMessageContaining("ec2:TerminateInstances");
  }

  @Test
  void instance_that_nobody_launched_is_named_and_nothing_is_ended() {
    String launched = instance("Q").id();
    String hand = byHand().id();

    for (ThrowingCallable asked : List.<ThrowingCallable>of(this::refuse, left::end)) {
      assertThatThrownBy(asked)
          .isInstanceOf(CloudKonException.class)
          .hasMessageContainingAll("no provisioner launched " + hand, ClusterTags.CLUSTER);
    }
    assertThat(ec2.existing()).isEqualTo(2);
    ec2.end(hand);

    assertThat(left.end()).containsExactly(launched);
  }

  private void intended() {
    assertThat(cluster.decisions().take(entry("ec2", "a"), Optional.empty())).isTrue();
    decided(Map.of(Ec2Launches.TEMPLATE, "lt-1"));
  }

  private void granted(String id) {
    intended();
    Decision decision = cluster.decisions().decisions(1, 1).getFirst();
    Decision launched = decision.launched(List.of(id), "", time.serviceMillis());
    assertThat(cluster.decisions().update(launched)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void instance_that_is_not_listed_yet_is_waited_for(boolean answered) {
    ec2.listDelay(Duration.ofSeconds(40));
    FakeInstance fresh = instance("Q");
    if (answered) {
      granted(fresh.id());
    } else {
      intended();
    }

    assertThat(left.end()).containsExactly(fresh.id());

    assertThat(fresh.exists()).isFalse();
  }

  @Test
  void instance_that_is_not_listed_yet_is_a_reason_to_refuse() {
    ec2.listDelay(Duration.ofSeconds(40));
    FakeInstance fresh = instance("Q");
    granted(fresh.id());

    assertThatThrownBy(this::refuse).hasMessageContaining(fresh.id());
  }

  @Test
  void intent_that_was_never_carried_out_is_waited_for_a_minute_at_most() {
    intended();
    long began = time.serviceMillis();

    assertThat(left.end()).isEmpty();

    assertThat(time.serviceMillis() - began).isBetween(58_000L, 62_000L);
  }

  @Test
  void launch_of_long_ago_is_not_waited_for() {
    granted("i-0000beef");
    time.advance(Duration.ofHours(2));
    long began = time.serviceMillis();

    assertThat(left.end()).isEmpty();

    assertThat(time.serviceMillis()).isEqualTo(began);
  }

  @Test
  void instances_that_do_not_end_are_told_after_five_minutes() {
    ec2.endTime(Duration.ofMinutes(6));
    instance("Q");

    assertThatThrownBy(left::end).hasMessageContaining("have not ended within 5 min");
  }
}
