package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.acknowledge.Acknowledger;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import io.cloudkon.worker.reply.LostQueues;
import io.cloudkon.worker.reply.ReplyMessages;
import io.cloudkon.worker.reply.ReplyRoutes;
import io.cloudkon.worker.reply.ReplySender;
import io.cloudkon.worker.reply.ResultStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bundles of a run whose results once could go nowhere: queue gone, and no bucket. */
class UndeliverableRunsTest {
  private static final String RUN = "r";

  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final AtomicReference<RuntimeException> sendFails = new AtomicReference<>();
  private final ResponseQueue responses =
      Intercepted.responses(
              cluster,
              (method, arguments, call) -> {
                RuntimeException planted = sendFails.get();
                if (method.equals("send") && planted != null) {
                  throw planted;
                }
                return call.make();
              })
          .responses();
  private final AtomicReference<BlobStore> bucket = new AtomicReference<>(NoBlobs.store());
  private final ReplyRoutes routes = new ReplyRoutes();
  private final RunStates states = new RunStates(cluster.runs(), routes, time);
  private final LostQueues lost =
      new LostQueues(time, Duration.ZERO, header -> states.read(header.run(), true));
  private final Later later = new Later();
  private final BackOff backOff = new BackOff(1, 1, new Random(1));
  private final Acknowledger acknowledger = new Acknowledger(cluster.requests(), later, backOff);
  private final AtomicLong inFlight = new AtomicLong();
  private final AtomicLong stores = new AtomicLong();
  private final ReceivePace pace = new ReceivePace();
  private final UndeliverableRuns deadEnds =
      new UndeliverableRuns(
          lost,
          routes,
          states,
          responses,
          new ReplyMessages(new ResultBatch.WorkerId("w", 1, 0), r -> List.of(), time),
          blobs(),
          acknowledger,
          new HidingBudget(inFlight::get, time),
          pace,
          Runnable::run);

  @BeforeEach
  void results_of_a_bundle_go_nowhere() throws Exception {
    Bundles.open(cluster, RUN);
    assertThat(send(RUN))
        .isEqualTo(
            new WorkerEvent.OfBundle(
                0, new BundleEvent.Undeliverable(Positions.of(0), 10 * 60_000)));
  }

  /** What becomes of the results of the run's first bundle. */
  private WorkerEvent send(String run) throws InterruptedException {
    ReplyMessages messages =
        new ReplyMessages(new ResultBatch.WorkerId("w", 1, 0), r -> List.of(), time);
    List<WorkerEvent> events = new CopyOnWriteArrayList<>();
    Pulse pulse = new Pulse(time, 2_000);
    ResultStore store = new ResultStore(blobs(), messages, pulse);
    try (ReplySender sender =
        new ReplySender(
            responses,
            routes,
            messages,
            store,
            lost,
            events::add,
            later,
            backOff,
            pulse,
            new WorkerStats(),
            () -> 0)) {
      BundleInHand first = Bundles.inHand(run, 0, "handle");
      assertThat(deadEnds.takes(first, true)).isFalse();
      sender.send(
          first, Positions.of(0), List.of(TaskResult.notRun(0, "1", TaskStatus.SUCCEEDED, "", 0)));
      await().until(() -> !events.isEmpty());
    }
    return events.getFirst();
  }

  @AfterEach
  void close() throws InterruptedException {
    acknowledger.close();
    later.close();
  }

  /** The second bundle arrives; says whether somebody else takes care of it. */
  private boolean taken() throws InterruptedException {
    return taken(RUN, false);
  }

  private boolean taken(String run, boolean crowded) throws InterruptedException {
    cluster.requests().send(List.of(BundleMessages.of(Bundles.bundle(run, 1))));
    ReceivedMessage message =
        cluster.requests().receive(1, Duration.ZERO, Duration.ofSeconds(15)).getFirst();
    return deadEnds.takes(Bundles.inHand(run, 1, message.handle()), crowded);
  }

  private boolean visible() {
    return cluster.requests().depth().waiting() == 1;
  }

  @Test
  void next_bundle_is_hidden_for_ten_minutes() throws Exception {
    assertThat(taken()).isTrue();

    time.advance(Duration.ofSeconds(599));
    assertThat(visible()).isFalse();
    time.advance(Duration.ofSeconds(2));
    assertThat(visible()).isTrue();
  }

  @Test
  void bundle_is_left_to_the_next_receive_once_there_is_a_bucket() throws Exception {
    bucket.set(cluster.blobs());

    assertThat(taken()).isTrue();

    assertThat(visible()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand(RUN, 1, "handle"), false)).isFalse();
    assertThat(cluster.blobs().list(RUN + "/")).hasSize(1);
    assertThat(cluster.blobs().list(BlobKeys.out(RUN, RUN))).isEmpty();
  }

  @Test
  void bundle_is_left_to_the_next_receive_once_the_queue_is_back() throws Exception {
    cluster.responses().create(Bundles.queue(RUN));

    assertThat(taken()).isTrue();

    assertThat(visible()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand(RUN, 1, "handle"), false)).isFalse();
  }

  @Test
  void bundle_is_left_to_the_next_receive_once_a_queue_with_a_disabled_key_accepts_again()
      throws Exception {
    String run = "encrypted";
    Bundles.open(cluster, run);
    cluster.responses().create(Bundles.queue(run));
    sendFails.set(new CloudKonException("sqs.SendMessageBatch was refused: KMS.Disabled"));
    assertThat(send(run))
        .isEqualTo(
            new WorkerEvent.OfBundle(
                0, new BundleEvent.Undeliverable(Positions.of(0), 10 * 60_000)));
    assertThat(taken(run, false)).isTrue();
    assertThat(visible()).isFalse();
    sendFails.set(null);

    assertThat(taken(run, false)).isTrue();

    assertThat(visible()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand(run, 1, "handle"), false)).isFalse();
  }

  @Test
  void bundle_is_left_to_the_next_receive_once_the_client_has_another_queue() throws Exception {
    RunEntry entry = cluster.runs().read(RUN).orElseThrow();
    assertThat(cluster.runs().update(entry.answeredAt(Bundles.queue("new"), time.serviceMillis())))
        .isTrue();
    time.advance(Duration.ofSeconds(5));

    assertThat(taken()).isTrue();

    assertThat(visible()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand(RUN, 1, "handle"), false)).isFalse();
  }

  @Test
  void bundle_of_a_run_that_is_over_is_left_to_the_next_receive_which_deletes_it()
      throws Exception {
    cluster.runs().cancel(RUN, time.serviceMillis());
    time.advance(Duration.ofSeconds(5));

    assertThat(taken()).isTrue();

    assertThat(visible()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand(RUN, 1, "handle"), false)).isFalse();
  }

  @Test
  void bundle_whose_queue_is_gone_waits_its_turn_where_there_is_a_crowd() throws Exception {
    // A run that nobody knows is over, and nothing is stored for it.
    assertThat(send("unknown"))
        .isEqualTo(new WorkerEvent.OfBundle(0, new BundleEvent.ResultsFailed(Positions.of(0))));

    assertThat(taken("unknown", false)).isFalse();
    assertThat(taken("unknown", true)).isTrue();

    time.advance(Duration.ofSeconds(9));
    assertThat(visible()).isFalse();
    time.advance(Duration.ofSeconds(2));
    assertThat(visible()).isTrue();
  }

  @Test
  void bundle_is_shown_at_once_where_half_of_the_messages_in_flight_are_taken() throws Exception {
    inFlight.set(60_000);

    assertThat(taken()).isTrue();

    assertThat(visible()).isTrue();
  }

  @Test
  void many_bundles_cost_no_test_each_and_slow_the_receives_down() throws Exception {
    assertThat(pace.next()).as("a bundle was begun").isZero();
    stores.set(0);
    for (int i = 0; i < 500; i++) {
      assertThat(taken()).isTrue();
    }
    assertThat(stores).as("one for each that may be hidden, and one more").hasValueLessThan(32);

    assertThat(pace.next()).isEqualTo(200);
    assertThat(pace.next()).isZero();
    assertThat(taken()).isTrue();
    assertThat(taken()).isTrue();
    assertThat(pace.next()).isEqualTo(40);

    Bundles.open(cluster, "other");
    assertThat(taken()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand("other", 0, "handle"), false)).isFalse();
    assertThat(pace.next()).isZero();
  }

  @Test
  void way_out_is_found_although_nothing_may_be_hidden() throws Exception {
    inFlight.set(60_000);
    assertThat(taken()).isTrue();
    bucket.set(cluster.blobs());
    assertThat(taken()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand(RUN, 1, "handle"), false)).isTrue();

    time.advance(Duration.ofSeconds(5));
    assertThat(taken()).isTrue();
    assertThat(deadEnds.takes(Bundles.inHand(RUN, 1, "handle"), false)).isFalse();
  }

  @Test
  void bundles_of_other_runs_are_let_through() {
    Bundles.open(cluster, "other");

    assertThat(deadEnds.takes(Bundles.inHand("other", 0, "handle"), false)).isFalse();
  }

  private BlobStore blobs() {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, args) -> {
              stores.incrementAndGet();
              try {
                return method.invoke(bucket.get(), args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
