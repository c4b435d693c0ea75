package io.cloudkon.worker.reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplySenderTest {
  private final ManualTime time = new ManualTime();
  private final Pulse pulse = new Pulse(time, 2_000);
  private final Later later = new Later();
  private final List<WorkerEvent> events = new CopyOnWriteArrayList<>();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final Semaphore answers = new Semaphore(0);
  private final ReplyMessages messages =
      new ReplyMessages(new ResultBatch.WorkerId("w", 1, 0), run -> List.of(), time);
  private final ReplySender sender =
      new ReplySender(
          queue(),
          new ReplyRoutes(),
          messages,
          new ResultStore(new MemoryCloud(time).setup("Q").blobs(), messages, pulse),
          new LostQueues(time, Duration.ofMinutes(1), header -> true),
          events::add,
          later,
          new BackOff(1, 1, new Random(1)),
          pulse,
          new WorkerStats(),
          () -> 0);

  @AfterEach
  void close() throws InterruptedException {
    answers.release(100);
    sender.close();
    later.close();
  }

  @Test
  void results_that_wait_while_their_bundle_is_abandoned_are_not_sent() throws Exception {
    BundleInHand abandoned = bundle(2);
    send(bundle(0));
    await().until(() -> calls.get() == 1);
    send(bundle(1));
    await().until(() -> calls.get() == 2);
    send(abandoned);
    send(bundle(3));

    abandoned.abandon("its lease is over");
    answers.release(100);

    await().until(() -> events.size() == 3);
    assertThat(sent).containsExactlyInAnyOrder("r/e/0", "r/e/1", "r/e/3");
  }

  @Test
  void results_are_not_sent_after_a_pause_before_the_leases_were_looked_at() throws Exception {
    answers.release(100);
    BundleInHand over = bundle(0);
    time.advance(Duration.ofSeconds(20));
    send(over);
    send(bundle(1));

    over.abandon("its lease is over");
    pulse.beat(time.now());

    await().until(() -> events.size() == 1);
    assertThat(sent).containsExactly("r/e/1");
  }

  @Test
  void accepted_results_are_told_and_let_go_of() {
    answers.release(100);
    BundleInHand inHand = bundle(0);
    send(inHand);

    await().until(() -> events.size() == 1);
    assertThat(events.getFirst())
        .isEqualTo(
            new WorkerEvent.OfBundle(0, new BundleEvent.ResultsAccepted(Positions.range(0, 1))));
    assertThat(inHand.abandoned()).isFalse();
  }

  private void send(BundleInHand inHand) {
    Positions tasks = Positions.range(0, 1);
    sender.send(inHand, tasks, inHand.results(tasks));
  }

  private static BundleInHand bundle(int sequence) {
    BundleHeader header =
        new BundleHeader(
            "r",
            "e",
            BundleIds.of("r", "e", sequence),
            "q",
            Consistency.EXACTLY_ONCE,
            1024,
            0,
            0,
            0);
    Bundle bundle = new Bundle(header, List.of(new Task(0, "1", Work.Noop.INSTANCE, 0)));
    BundleInHand inHand = new BundleInHand(sequence, bundle, "handle", 1, "nonce", 0, 0);
    inHand.result(0, TaskResult.notRun(0, "1", TaskStatus.SUCCEEDED, "", 0));
    return inHand;
  }

  /** A queue that answers a send only when it is let. */
  private ResponseQueue queue() {
    return (ResponseQueue)
        Proxy.newProxyInstance(
            ResponseQueue.class.getClassLoader(),
            new Class<?>[] {ResponseQueue.class},
            (proxy, method, args) -> {
              calls.incrementAndGet();
              for (Object message : (List<?>) args[1]) {
                sent.add(bundleOf((OutgoingMessage) message));
              }
              answers.acquire();
              return List.of();
            });
  }

  private static String bundleOf(OutgoingMessage message) throws MalformedMessageException {
    return ResultCodec.decode(message.payload()).bundle();
  }
}
