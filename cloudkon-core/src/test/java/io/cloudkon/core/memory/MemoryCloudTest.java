package io.cloudkon.core.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MemoryCloudTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ManualTime time = new ManualTime();

  private MemoryCloud cloud(QueueHabits habits) {
    MemoryCloud cloud = new MemoryCloud(time, habits, 0);
    time.onAdvance(cloud::tick);
    return cloud;
  }

  private RequestQueue queue(QueueHabits habits) {
    return cloud(habits).setup("Q").requests();
  }

  private RequestQueue queue() {
    return queue(QueueHabits.orderly());
  }

  private static OutgoingMessage message(String text) {
    return new OutgoingMessage(Map.of(), text.getBytes(UTF_8));
  }

  private static void send(RequestQueue queue, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(queue.send(List.of(message("" + i)))).isEmpty();
    }
  }

  private static List<String> texts(List<ReceivedMessage> messages) {
    return messages.stream().map(m -> new String(m.payload(), UTF_8)).toList();
  }

  private static List<ReceivedMessage> receive(RequestQueue queue, int max, Duration visibility)
      throws InterruptedException {
    return queue.receive(max, Duration.ZERO, visibility);
  }

  private static List<String> drain(RequestQueue queue) throws InterruptedException {
    List<String> all = new ArrayList<>();
    for (var some = receive(queue, 10, LONG); !some.isEmpty(); some = receive(queue, 10, LONG)) {
      all.addAll(texts(some));
    }
    return all;
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  @Test
  void messages_come_in_order_and_what_is_put_back_goes_behind() throws InterruptedException {
    RequestQueue queue = queue();
    send(queue, 3);
    ReceivedMessage first = receive(queue, 1, LONG).getFirst();

    queue.changeVisibility(first.handle(), Duration.ZERO);

    assertThat(drain(queue)).containsExactly("1", "2", "0");
  }

  @Test
  void payload_is_not_copied() throws InterruptedException {
    RequestQueue queue = queue();
    OutgoingMessage sent = message("same");
    assertThat(queue.send(List.of(sent))).isEmpty();

    assertThat(receive(queue, 1, LONG).getFirst().payload()).isSameAs(sent.payload());
  }

  @Test
  void visibility_ends_at_its_moment_and_not_before() throws InterruptedException {
    RequestQueue queue = queue();
    send(queue, 1);
    assertThat(receive(queue, 1, Duration.ofMillis(1000))).hasSize(1);

    time.advanceMillis(999);
    assertThat(receive(queue, 1, LONG)).isEmpty();
    time.advanceMillis(1);
    assertThat(receive(queue, 1, LONG)).hasSize(1);
  }

  @Test
  void receive_that_waits_notices_that_time_was_turned() {
    RequestQueue queue = queue();
    FutureTask<List<ReceivedMessage>> receive =
        new FutureTask<>(() -> queue.receive(10, Duration.ofMinutes(5), LONG));
    Thread thread = Thread.ofVirtual().start(receive);
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    time.advance(Duration.ofMinutes(5));

    await().until(receive::isDone);
    assertThat(receive.resultNow()).isEmpty();
  }

  @Test
  void receive_that_waits_gets_what_becomes_visible_though_it_was_hidden_later() throws Exception {
    RequestQueue queue = queue();
    FutureTask<List<ReceivedMessage>> receive =
        new FutureTask<>(() -> queue.receive(1, Duration.ofMinutes(5), LONG));
    send(queue, 1);
    assertThat(receive(queue, 1, Duration.ofMinutes(1))).hasSize(1);
    Thread thread = Thread.ofVirtual().start(receive);
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    time.advance(Duration.ofMinutes(1));

    await().until(receive::isDone);
    assertThat(texts(receive.resultNow())).containsExactly("0");
  }

  @Test
  void receive_in_real_time_gets_what_another_received_and_dropped() throws Exception {
    RequestQueue queue = new MemoryCloud(new SystemTime()).setup("Q").requests();
    FutureTask<List<ReceivedMessage>> patient =
        new FutureTask<>(() -> queue.receive(1, Duration.ofSeconds(20), LONG));
    Thread unused = Thread.ofVirtual().start(patient);

    send(queue, 1);
    List<ReceivedMessage> taken = receive(queue, 1, Duration.ofMillis(50));

    await().until(patient::isDone);
    assertThat(texts(patient.resultNow())).containsExactly("0");
    assertThat(taken.size()).isLessThanOrEqualTo(1);
  }

  @Test
  void messages_older_than_14_days_are_gone() throws InterruptedException {
    RequestQueue queue = queue();
    send(queue, 1);
    time.advance(Duration.ofDays(13));
    send(queue, 1);
    time.advance(Duration.ofDays(1));

    assertThat(receive(queue, 10, LONG)).hasSize(1);
    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 1, 0));
  }

  @Test
  void visibility_past_12_hours_of_a_receive_does_nothing() throws InterruptedException {
    RequestQueue queue = queue();
    send(queue, 1);
    ReceivedMessage received = receive(queue, 1, Duration.ofHours(11)).getFirst();
    time.advance(Duration.ofHours(10));

    queue.changeVisibility(received.handle(), Duration.ofHours(3));
    time.advance(Duration.ofHours(1));

    assertThat(receive(queue, 1, LONG)).hasSize(1);
  }

  @Test
  void receive_at_the_in_flight_limit_gives_nothing_until_one_is_deleted() throws Exception {
    RequestQueue queue = queue(new QueueHabits(2, 0, false));
    send(queue, 3);
    List<ReceivedMessage> two = receive(queue, 10, LONG);
    assertThat(two).hasSize(2);
    assertThat(receive(queue, 10, LONG)).isEmpty();
    FutureTask<List<ReceivedMessage>> third =
        new FutureTask<>(() -> queue.receive(10, Duration.ofMinutes(5), LONG));
    Thread thread = Thread.ofVirtual().start(third);
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    assertThat(queue.delete(List.of(two.getFirst().handle()))).isEmpty();

    await().until(third::isDone);
    assertThat(texts(third.resultNow())).containsExactly("2");
  }

  @Test
  void outdated_handle_does_nothing() throws InterruptedException {
    RequestQueue queue = queue();
    send(queue, 1);
    ReceivedMessage first = receive(queue, 1, Duration.ZERO).getFirst();
    ReceivedMessage second = receive(queue, 1, LONG).getFirst();

    assertThat(queue.delete(List.of(first.handle()))).isEmpty();
    queue.changeVisibility(first.handle(), Duration.ZERO);

    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 1, 0));
    assertThat(queue.delete(List.of(second.handle()))).isEmpty();
    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 0, 0));
  }

  @Test
  void outdated_handle_works_where_habits_let_it() throws InterruptedException {
    RequestQueue queue = queue(new QueueHabits(100, 0, true));
    send(queue, 1);
    ReceivedMessage first = receive(queue, 1, Duration.ZERO).getFirst();
    assertThat(receive(queue, 1, LONG)).hasSize(1);

    assertThat(queue.delete(List.of(first.handle()))).isEmpty();

    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 0, 0));
  }

  @Test
  void handle_of_a_message_whose_visibility_ended_still_deletes_it() throws InterruptedException {
    RequestQueue queue = queue();
    send(queue, 1);
    ReceivedMessage received = receive(queue, 1, Duration.ofSeconds(1)).getFirst();
    time.advance(Duration.ofSeconds(2));

    assertThat(queue.delete(List.of(received.handle()))).isEmpty();

    assertThat(receive(queue, 1, LONG)).isEmpty();
  }

  @Test
  void text_that_is_no_handle_is_a_failure() {
    assertThat(queue().delete(List.of("1:1", "nonsense", "1:", ":1")))
        .extracting(BatchFailure::index)
        .containsExactly(1, 2, 3);
  }

  @Test
  void disorder_moves_messages_by_so_many_places_at_most() throws InterruptedException {
    RequestQueue queue = queue(new QueueHabits(1000, 5, false));
    send(queue, 200);

    List<String> received = drain(queue);

    assertThat(received).containsExactlyInAnyOrderElementsOf(numbers(200));
    assertThat(received).isNotEqualTo(numbers(200));
    assertThat(IntStream.range(0, 200))
        .allMatch(i -> Math.abs(Integer.parseInt(received.get(i)) - i) <= 5);
  }

  @Test
  void message_above_the_limit_is_refused_for_good_and_the_others_are_sent() {
    RequestQueue queue = queue();
    OutgoingMessage large = new OutgoingMessage(Map.of(), new byte[Limits.MESSAGE_BYTES]);

    List<BatchFailure> failures = queue.send(List.of(message("a"), large, message("b")));

    assertThat(failures)
        .singleElement()
        .matches(failure -> failure.index() == 1 && !failure.retryable());
    assertThat(queue.depth().waiting()).isEqualTo(2);
  }

  @Test
  void batch_above_the_limit_is_refused_whole() {
    RequestQueue queue = queue();
    OutgoingMessage half = new OutgoingMessage(Map.of(), new byte[Limits.MESSAGE_BYTES / 2]);

    assertThatThrownBy(() -> queue.send(List.of(half, half)))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("'Q'");
    assertThat(queue.depth().waiting()).isZero();
  }

  @Test
  void batch_of_none_or_eleven_is_a_mistake() {
    RequestQueue queue = queue();

    assertThatThrownBy(() -> queue.send(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> queue.delete(numbers(11)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> receive(queue, 11, LONG)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void teardown_fails_a_receive_that_waits() {
    MemoryCloud cloud = cloud(QueueHabits.orderly());
    RequestQueue queue = cloud.setup("Q").requests();
    FutureTask<List<ReceivedMessage>> receive =
        new FutureTask<>(() -> queue.receive(10, Duration.ofMinutes(5), LONG));
    Thread thread = Thread.ofVirtual().start(receive);
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    cloud.teardown("Q");

    await().until(receive::isDone);
    assertThat(receive.exceptionNow()).isInstanceOf(MissingResourceException.class);
  }

  @Test
  void clusters_of_one_cloud_are_apart() {
    MemoryCloud cloud = cloud(QueueHabits.orderly());
    Cluster one = cloud.setup("one");
    Cluster two = cloud.setup("two");

    send(one.requests(), 2);
    one.responses().create("one-response-a");

    assertThat(two.requests().depth().waiting()).isZero();
    assertThat(two.responses().list()).isEmpty();
    assertThat(cloud.cluster("one").requests().depth().waiting()).isEqualTo(2);
  }

  @Test
  void claims_go_when_their_ttl_has_passed() {
    Cluster cluster = cloud(QueueHabits.orderly()).setup("Q");
    long ttl = time.serviceMillis() / 1000 + 60;
    var unused =
        cluster
            .claims()
            .acquire(
                new Acquisition(
                    "r/e/0", Acquisition.Mode.FRESH, "w", "n", 1, 0, 0, Positions.none(), ttl));

    time.advance(Duration.ofSeconds(59));
    assertThat(cluster.claims().read(List.of("r/e/0"))).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    assertThat(cluster.claims().read(List.of("r/e/0"))).isEmpty();
  }

  /** A session under LOCAL has a claim for each bundle, and may go on for days. */
  @Test
  void claims_of_finished_bundles_are_dropped_on_request() {
    MemoryCloud cloud = cloud(QueueHabits.orderly());
    ClaimStore claims = cloud.setup("Q").claims();
    for (String id : List.of("done", "leased")) {
      long end = time.serviceMillis() + 15_000;
      var unused =
          claims.acquire(
              new Acquisition(
                  id,
                  Acquisition.Mode.FRESH,
                  "w",
                  "n",
                  end,
                  0,
                  0,
                  Positions.none(),
                  Long.MAX_VALUE / 1000));
    }
    ClaimWrite done =
        new ClaimWrite(
            "done",
            1,
            "n",
            1,
            ClaimState.LEASED,
            ClaimState.DONE,
            time.serviceMillis() + 15_000,
            0,
            Positions.none(),
            Positions.none(),
            new TreeMap<>(),
            Long.MAX_VALUE / 1000);
    assertThat(claims.write(done)).isInstanceOf(ClaimAnswer.Accepted.class);

    time.advance(Duration.ofSeconds(15 + 60));
    cloud.forgetFinished(Duration.ofSeconds(60));
    assertThat(claims.read(List.of("done", "leased"))).hasSize(2);

    time.advance(Duration.ofMillis(1));
    cloud.forgetFinished(Duration.ofSeconds(60));
    assertThat(claims.read(List.of("done", "leased"))).containsOnlyKeys("leased");
  }

  @Test
  void many_receivers_share_many_messages_and_lose_none() throws Exception {
    RequestQueue queue = new MemoryCloud(new SystemTime()).setup("Q").requests();
    int messages = 20_000;
    AtomicInteger left = new AtomicInteger(messages);
    Map<String, Integer> seen = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int r = 0; r < 8; r++) {
        var unused =
            threads.submit(() -> {
              while (left.get() > 0) {
                for (ReceivedMessage m : queue.receive(10, Duration.ofMillis(20), LONG)) {
                  seen.merge(new String(m.payload(), UTF_8), 1, Integer::sum);
                  left.decrementAndGet();
                  assertThat(queue.delete(List.of(m.handle()))).isEmpty();
                }
              }
              return true;
            });
      }
      for (int s = 0; s < messages; s += 10) {
        int from = s;
        assertThat(
                queue.send(
                    IntStream.range(from, from + 10).mapToObj(i -> message("" + i)).toList()))
            .isEmpty();
      }
    }
    assertThat(seen).hasSize(messages).allSatisfy((text, times) -> assertThat(times).isOne());
    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 0, 0));
  }
}
