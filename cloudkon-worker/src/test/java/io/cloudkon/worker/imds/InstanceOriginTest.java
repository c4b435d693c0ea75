package io.cloudkon.worker.imds;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.WorkerOrigin;
import io.cloudkon.core.testing.FakeImds;
import io.cloudkon.core.testing.FakeImds.Mood;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InstanceOriginTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final FakeImds imds =
      new FakeImds()
          .set("instance-id", "i-1")
          .set("instance-type", "c7i.large")
          .set("instance-life-cycle", "spot");
  private final MetadataService service = new MetadataService(imds.endpoint(), LONG);

  @AfterEach
  void close() {
    service.close();
    imds.close();
  }

  @Test
  void instance_tells_where_its_worker_comes_from() throws Exception {
    imds.set("tags/instance/cloudkon:launch", "launch-7");
    InstanceOrigin origin = new InstanceOrigin(WorkerOrigin.BY_HAND, service);

    assertThat(origin.complete(LONG)).isTrue();

    assertThat(origin.get()).isEqualTo(new WorkerOrigin("launch-7", "i-1", "c7i.large", "spot"));
  }

  @Test
  void instance_whose_tags_are_not_in_its_metadata_was_launched_by_hand() throws Exception {
    InstanceOrigin origin = new InstanceOrigin(WorkerOrigin.BY_HAND, service);

    assertThat(origin.complete(LONG)).isTrue();

    assertThat(origin.get().launched()).isFalse();
    assertThat(origin.complete(LONG)).isTrue();
    assertThat(imds.asked()).as("asked once").hasSize(5);
  }

  @Test
  void environment_wins_and_what_it_says_is_not_asked_for() throws Exception {
    imds.set("tags/instance/cloudkon:launch", "launch-7");
    InstanceOrigin origin =
        new InstanceOrigin(new WorkerOrigin("mine", "", "process", ""), service);

    assertThat(origin.complete(LONG)).isTrue();

    assertThat(origin.get()).isEqualTo(new WorkerOrigin("mine", "i-1", "process", "spot"));
    assertThat(imds.asked()).hasSize(3);
  }

  @Test
  void instance_ends_with_its_worker_only_if_its_own_tags_say_that_it_was_launched()
      throws Exception {
    InstanceOrigin byHand = new InstanceOrigin(WorkerOrigin.BY_HAND, service);
    assertThat(byHand.complete(LONG)).isTrue();
    assertThat(byHand.launchedInstance()).isEmpty();

    imds.set("tags/instance/cloudkon:launch", "launch-7");
    InstanceOrigin launched = new InstanceOrigin(WorkerOrigin.BY_HAND, service);
    assertThat(launched.launchedInstance()).isEmpty();
    assertThat(launched.complete(LONG)).isTrue();
    assertThat(launched.launchedInstance()).contains("i-1");

    InstanceOrigin process =
        new InstanceOrigin(new WorkerOrigin("Q-1.1", "Q-1.1.1", "process", ""), service);
    assertThat(process.complete(LONG)).isTrue();
    assertThat(process.launchedInstance()).isEmpty();
  }

  @Test
  void service_that_hangs_holds_nobody_up_and_is_asked_again_later() throws Exception {
    imds.is(Mood.HANGS);
    InstanceOrigin origin = new InstanceOrigin(new WorkerOrigin("mine", "", "", ""), service);
    assertThat(origin.complete(Duration.ofMillis(200))).isFalse();
    assertThat(origin.get()).isEqualTo(new WorkerOrigin("mine", "", "", ""));

    imds.is(Mood.WELL);

    assertThat(origin.complete(LONG)).isTrue();
    assertThat(origin.get()).isEqualTo(new WorkerOrigin("mine", "i-1", "c7i.large", "spot"));
  }
}
