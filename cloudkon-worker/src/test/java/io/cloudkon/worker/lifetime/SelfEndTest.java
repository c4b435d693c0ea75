package io.cloudkon.worker.lifetime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.aws.ec2.Instances;
import io.cloudkon.core.aws.ec2.Pool;
import io.cloudkon.core.aws.ec2.Purchase;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.ec2.Ec2Connection;
import io.cloudkon.core.testing.ec2.FakeEc2;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SelfEndTest {
  private static final String CALL = "TerminateInstances";

  private final ManualTime time = new ManualTime();
  private final FakeEc2 ec2 = new FakeEc2(time);
  private final Ec2Connection connection = new Ec2Connection(ec2);
  private final List<Duration> pauses = new ArrayList<>();
  private Runnable meanwhile = () -> {};

  private final SelfEnd end =
      new SelfEnd(
          new Instances(connection.service(), "Q")::terminate,
          pause -> {
            pauses.add(pause);
            time.advance(pause);
            meanwhile.run();
          });

  @AfterEach
  void close() {
    connection.close();
    ec2.close();
  }

  private String instance() {
    return ec2.start(new Pool("c7i.large", ""), Purchase.SPOT, Map.of()).id();
  }

  @Test
  void instance_is_ended_by_one_call() throws Exception {
    String own = instance();
    String other = instance();

    assertThat(end.end(own)).isTrue();

    assertThat(ec2.instances()).allMatch(one -> one.exists() == one.id().equals(other));
    assertThat(ec2.asked(CALL)).hasSize(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void call_that_is_denied_is_made_again_until_it_is_allowed() throws Exception {
    String own = instance();
    ec2.deny(CALL, 403, "UnauthorizedOperation", "You are not authorized.");
    meanwhile =
        () -> {
          if (pauses.size() == 3) {
            ec2.allow(CALL);
          }
        };

    assertThat(end.end(own)).isTrue();

    assertThat(ec2.existing()).isZero();
    assertThat(pauses).isEqualTo(SelfEnd.PAUSES.subList(0, 3));
  }

  @Test
  void call_whose_answer_is_lost_is_made_again() throws Exception {
    ec2.loseAnswers(CALL, 3);

    assertThat(end.end(instance())).isTrue();

    assertThat(ec2.existing()).isZero();
  }

  @Test
  void throttled_call_is_made_again() throws Exception {
    ec2.throttle(Duration.ofSeconds(20));

    assertThat(end.end(instance())).isTrue();

    assertThat(ec2.existing()).isZero();
  }

  @Test
  void instance_that_ec2_does_not_know_yet_is_named_again() throws Exception {
    ec2.listDelay(Duration.ofSeconds(10));

    assertThat(end.end(instance())).isTrue();

    assertThat(ec2.existing()).isZero();
  }

  @Test
  void call_that_stays_denied_is_given_up_after_a_minute() throws Exception {
    String own = instance();
    ec2.deny(CALL, 403, "UnauthorizedOperation", "You are not authorized.");

    assertThat(end.end(own)).isFalse();

    assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(ec2.existing()).isEqualTo(1);
  }
}
