package io.cloudkon.core.memory.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.memory.QueueHabits;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MisbehaviourTest {
  private static final Duration VISIBILITY = Duration.ofSeconds(10);

  private final ManualTime time = new ManualTime();

  private static OutgoingMessage message(String text) {
    return new OutgoingMessage(Map.of(), text.getBytes(UTF_8));
  }

  /**
   * Sends so many messages, receives and deletes until nothing is left; a line for everything that
   * happens.
   */
  private static List<String> work(Misbehaviour misbehaviour, int messages)
      throws InterruptedException {
    ManualTime time = new ManualTime();
    UnreliableCloud cloud = new UnreliableCloud(time, misbehaviour);
    Cluster unused = cloud.setup("Q");
    RequestQueue queue = cloud.cluster("Q").requests();
    List<String> log = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      boolean sent = false;
      while (!sent) {
        try {
          sent = queue.send(List.of(message("" + i))).isEmpty();
        } catch (TransientServiceException e) {
          log.add(e.getMessage());
        }
      }
    }
    for (int idle = 0; idle < 30; idle++) {
      try {
        List<ReceivedMessage> received = queue.receive(10, Duration.ZERO, VISIBILITY);
        for (ReceivedMessage m : received) {
          log.add("got " + new String(m.payload(), UTF_8));
          idle = 0;
        }
        if (!received.isEmpty()) {
          log.add("" + queue.delete(received.stream().map(ReceivedMessage::handle).toList()));
        }
      } catch (TransientServiceException e) {
        log.add(e.getMessage());
      }
      time.advance(Duration.ofSeconds(1));
    }
    return log;
  }

  private static Map<String, Integer> received(List<String> log) {
    Map<String, Integer> times = new HashMap<>();
    log.stream()
        .filter(line -> line.startsWith("got "))
        .forEach(line -> times.merge(line.substring(4), 1, Integer::sum));
    return times;
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  @Test
  void none_gives_every_message_once_and_in_order() throws InterruptedException {
    List<String> log = work(Misbehaviour.none(), 100);

    assertThat(log.stream().filter(line -> line.startsWith("got ")).map(line -> line.substring(4)))
        .containsExactlyElementsOf(numbers(100));
    assertThat(Misbehaviour.none().isReliable()).isTrue();
  }

  @Test
  void every_message_twice_gives_every_message_twice() throws InterruptedException {
    assertThat(received(work(Misbehaviour.everyMessageTwice(), 100)))
        .hasSize(100)
        .allSatisfy((text, times) -> assertThat(times).isEqualTo(2));
  }

  @Test
  void every_message_replayed_gives_every_message_again_after_its_delete()
      throws InterruptedException {
    assertThat(received(work(Misbehaviour.everyMessageReplayed(), 100)))
        .hasSize(100)
        .allSatisfy((text, times) -> assertThat(times).isEqualTo(2));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void storm_loses_nothing_and_is_the_same_for_the_same_seed(long seed)
      throws InterruptedException {
    List<String> first = work(Misbehaviour.storm(seed), 200);

    assertThat(received(first).keySet()).containsExactlyInAnyOrderElementsOf(numbers(200));
    assertThat(received(first).values().stream().mapToInt(i -> i).sum()).isGreaterThan(220);
    assertThat(work(Misbehaviour.storm(seed), 200)).isEqualTo(first);
    assertThat(work(Misbehaviour.storm(seed + 100), 200)).isNotEqualTo(first);
  }

  @Test
  void storm_shows_every_fate() throws InterruptedException {
    UnreliableCloud cloud = new UnreliableCloud(time, Misbehaviour.storm(7));
    Cluster cluster = cloud.setup("Q");
    for (int i = 0; i < 400; i++) {
      try {
        var unused = cluster.requests().send(List.of(message("" + i)));
        var received = cluster.requests().receive(1, Duration.ZERO, VISIBILITY);
        if (!received.isEmpty()) {
          var ignored = cluster.requests().delete(List.of(received.getFirst().handle()));
        }
      } catch (TransientServiceException e) {
        assertThat(e).hasMessageContaining("on purpose");
      }
    }

    assertThat(Fate.values()).allMatch(fate -> cloud.faults("Q").count(Port.REQUESTS, fate) > 0);
  }

  @Test
  void ports_misbehave_independently_of_each_other() {
    List<Fate> alone = new ArrayList<>();
    List<Fate> among = new ArrayList<>();
    FaultPlan one = Misbehaviour.storm(3).plan(time);
    FaultPlan two = Misbehaviour.storm(3).plan(time);
    for (int i = 0; i < 100; i++) {
      alone.add(one.fate(Operation.CLAIM_WRITE));
      Fate unused = two.fate(Operation.REQUEST_SEND);
      among.add(two.fate(Operation.CLAIM_WRITE));
    }

    assertThat(among).isEqualTo(alone);
  }

  @Test
  void outage_fails_its_calls_from_its_begin_to_its_end() {
    Misbehaviour sqsDown =
        Misbehaviour.none()
            .withOutage(Duration.ofSeconds(5), Duration.ofSeconds(25), Operation.sqs());
    Cluster cluster = new UnreliableCloud(time, sqsDown).setup("Q");
    assertThat(sqsDown.isReliable()).isFalse();

    assertThat(cluster.requests().send(List.of(message("before")))).isEmpty();
    time.advance(Duration.ofSeconds(5));
    assertThatThrownBy(() -> cluster.requests().send(List.of(message("during"))))
        .isInstanceOf(TransientServiceException.class);
    assertThatThrownBy(() -> cluster.responses().list())
        .isInstanceOf(TransientServiceException.class);
    assertThat(cluster.runs().list()).isEmpty();
    time.advance(Duration.ofSeconds(20));
    assertThat(cluster.requests().depth().waiting()).isEqualTo(1);
  }

  @Test
  void services_share_the_operations_between_them() {
    EnumSet<Operation> all = EnumSet.copyOf(Operation.sqs());
    all.addAll(Operation.dynamodb());
    all.addAll(Operation.s3());

    assertThat(all).isEqualTo(EnumSet.allOf(Operation.class));
    assertThat(all)
        .hasSize(Operation.sqs().size() + Operation.dynamodb().size() + Operation.s3().size());
  }

  @Test
  void odds_that_can_not_be_are_refused() {
    Misbehaviour none = Misbehaviour.none();

    assertThatThrownBy(() -> none.with(Fate.PARTIAL, 0.1, Operation.CLAIM_WRITE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> none.with(Fate.THROTTLED, 1.1, Operation.CLAIM_WRITE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> none.with(Fate.THROTTLED, -0.1, Operation.CLAIM_WRITE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new QueueHabits(0, 0, false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void settings_are_kept_by_each_change_of_another() {
    QueueHabits habits = new QueueHabits(7, 3, true);
    Misbehaviour changed =
        Misbehaviour.none()
            .withHabits(habits)
            .withLateBy(9)
            .withOutage(Duration.ZERO, VISIBILITY, Operation.dynamodb())
            .with(Fate.THROTTLED, 0.5, Operation.RUN_READ)
            .withSeed(11);

    assertThat(changed.habits()).isEqualTo(habits);
    assertThat(changed.lateBy()).isEqualTo(9);
    assertThat(changed.outages()).hasSize(1);
    assertThat(changed.odds()).isEqualTo(Map.of(Operation.RUN_READ, Map.of(Fate.THROTTLED, 0.5)));
    assertThat(changed.seed()).isEqualTo(11);
  }
}
