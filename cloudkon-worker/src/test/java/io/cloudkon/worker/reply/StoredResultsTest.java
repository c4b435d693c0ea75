package io.cloudkon.worker.reply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.ResponseQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.testing.Refusing;
import io.cloudkon.worker.monitor.WorkerStats;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Later;
import io.cloudkon.worker.pipeline.Pulse;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results that go through the blob store: too large for a message, or left without a queue. */
class StoredResultsTest {
  private static final String QUEUE = Names.response("Q", "c");
  private static final int MIB = 1024 * 1024;

  private final ManualTime time = new ManualTime();
  private final MemoryCloud cloud = new MemoryCloud(time);
  private final Cluster cluster = cloud.setup("Q");
  private final Pulse pulse = new Pulse(time, 2_000);
  private final Later later = new Later();
  private final List<WorkerEvent> events = new CopyOnWriteArrayList<>();
  private final Refusing policy = new Refusing(cluster);
  private final AtomicReference<Predicate<ResultBatch>> senderFault =
      new AtomicReference<>(batch -> false);
  private final AtomicReference<RuntimeException> sendFails = new AtomicReference<>();
  private final AtomicReference<RuntimeException> putFails = new AtomicReference<>();
  private final AtomicReference<CountDownLatch> hold = new AtomicReference<>(new CountDownLatch(0));
  private final AtomicInteger puts = new AtomicInteger();
  private final AtomicInteger holding = new AtomicInteger();
  private final AtomicReference<Boolean> open = new AtomicReference<>(true);
  private final ReplyRoutes routes = new ReplyRoutes();
  private final ReplyMessages messages =
      new ReplyMessages(new ResultBatch.WorkerId("w", 1, 0), run -> List.of(), time);
  private final LostQueues lost = new LostQueues(time, Duration.ofMinutes(1), header -> open.get());
  private final ReplySender sender =
      new ReplySender(
          responses(),
          routes,
          messages,
          new ResultStore(blobs(), messages, pulse),
          lost,
          events::add,
          later,
          new BackOff(1, 1, new Random(1)),
          pulse,
          new WorkerStats(),
          () -> 0);

  /** The response queues, which may be refused, or find fault with what is sent. */
  private ResponseQueue responses() {
    ResponseQueue real = policy.cluster().responses();
    return (ResponseQueue)
        Proxy.newProxyInstance(
            ResponseQueue.class.getClassLoader(),
            new Class<?>[] {ResponseQueue.class},
            (_, method, arguments) -> {
              RuntimeException planted = sendFails.get();
              if (method.getName().equals("send") && planted != null) {
                throw planted;
              }
              if (method.getName().equals("send")) {
                List<?> sent = (List<?>) arguments[1];
                List<BatchFailure> refused = refused(sent);
                if (!refused.isEmpty()) {
                  List<OutgoingMessage> others = new ArrayList<>();
                  for (int i = 0; i < sent.size(); i++) {
                    int index = i;
                    if (refused.stream().noneMatch(failure -> failure.index() == index)) {
                      others.add((OutgoingMessage) sent.get(i));
                    }
                  }
                  if (!others.isEmpty()) {
                    assertThat(real.send(QUEUE, others)).isEmpty();
                  }
                  return refused;
                }
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<BatchFailure> refused(List<?> messages) {
    return IntStream.range(0, messages.size())
        .filter(i -> senderFault.get().test(decoded((OutgoingMessage) messages.get(i))))
        .mapToObj(i -> new BatchFailure(i, "InvalidMessageContents", false))
        .toList();
  }

  private static ResultBatch decoded(OutgoingMessage message) {
    try {
      return ResultCodec.decode(message.payload());
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void close() throws InterruptedException {
    sender.close();
    later.close();
  }

  @Test
  void result_too_large_for_a_message_is_stored_before_the_message_that_names_it()
      throws Exception {
    cluster.responses().create(QUEUE);
    BundleInHand inHand = bundle(result(0, 3 * MIB), result(1, 10));

    send(inHand);

    await().until(() -> events.size() == 2);
    assertThat(accepted()).containsExactlyInAnyOrder(Positions.of(0), Positions.of(1));
    List<ResultBatch> received = receive();
    ResultBatch named =
        received.stream().filter(b -> !b.stored().isEmpty()).findFirst().orElseThrow();
    assertThat(named.results()).isEmpty();
    assertThat(named.stored()).isEqualTo(BlobKeys.out("r", "r/e/0", "nonce", 0));
    ResultBatch stored =
        ResultCodec.decodeStored(cluster.blobs().get(named.stored()).orElseThrow());
    assertThat(stored.results().getFirst().stdout()).hasSize(3 * MIB);
    assertThat(stored.bundle()).isEqualTo("r/e/0");
  }

  @Test
  void result_that_is_stored_is_not_stored_again_when_its_message_fails() throws Exception {
    BundleInHand inHand = bundle(result(0, 3 * MIB));
    send(inHand);
    await().until(() -> events.size() == 1);
    assertThat(events.getFirst())
        .isEqualTo(
            new WorkerEvent.OfBundle(0, new BundleEvent.ResultsFailed(Positions.range(0, 1))));
    cluster.responses().create(QUEUE);

    send(inHand);

    await().until(() -> events.size() == 2);
    assertThat(accepted()).containsExactly(Positions.of(0));
    assertThat(puts).hasValue(1);
  }

  @Test
  void failure_in_passing_is_told_and_another_try_gets_another_key() throws Exception {
    cluster.responses().create(QUEUE);
    putFails.set(new TransientServiceException("planted", null));
    BundleInHand inHand = bundle(result(0, 3 * MIB));
    send(inHand);
    await().until(() -> events.size() == 1);
    putFails.set(null);

    send(inHand);

    await().until(() -> events.size() == 2);
    assertThat(accepted()).hasSize(1);
    assertThat(receive().getFirst().stored()).isEqualTo("r/out/r/e/0/nonce-0-1");
  }

  @Test
  void without_a_bucket_a_result_is_cut_to_what_fits_and_tells_its_lengths() throws Exception {
    cluster.responses().create(QUEUE);
    putFails.set(MissingResourceException.bucket("b", "-s Q", null));
    BundleInHand inHand = bundle(result(0, 3 * MIB));

    send(inHand);

    await().until(() -> events.size() == 1);
    assertThat(accepted()).hasSize(1);
    TaskResult cut = receive().getFirst().results().getFirst();
    assertThat(cut.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(cut.exitCode()).isEqualTo(3);
    assertThat(cut.stdout().length).isBetween(900_000, 3 * MIB - 1);
    assertThat(cut.stdoutBytes()).isEqualTo(3 * MIB);
    assertThat(cut.stderr()).hasSize(5);
  }

  @Test
  void result_that_lies_on_disk_is_stored_from_there_and_released(@TempDir Path folder)
      throws Exception {
    cluster.responses().create(QUEUE);
    OnDisk onDisk = new OnDisk(folder, new byte[3 * MIB]);
    BundleInHand inHand = bundle(spooled(onDisk));

    send(inHand);

    await().until(() -> accepted().size() == 1);
    ResultBatch stored =
        ResultCodec.decodeStored(cluster.blobs().get(receive().getFirst().stored()).orElseThrow());
    assertThat(stored.results().getFirst().stdout()).hasSize(3 * MIB);
    assertThat(stored.results().getFirst().stdoutBytes()).isEqualTo(5L * MIB);
    assertThat(folder).isEmptyDirectory();
    assertThat(onDisk.released).isTrue();
  }

  @Test
  void small_result_that_lies_on_disk_goes_into_its_message(@TempDir Path folder) throws Exception {
    cluster.responses().create(QUEUE);
    send(bundle(spooled(new OnDisk(folder, new byte[100_000]))));

    await().until(() -> accepted().size() == 1);
    assertThat(receive().getFirst().results().getFirst().stdout()).hasSize(100_000);
    assertThat(puts).hasValue(0);
  }

  @Test
  void full_disk_cuts_a_result_to_what_a_message_holds(@TempDir Path folder) throws Exception {
    cluster.responses().create(QUEUE);
    send(bundle(spooled(new OnDisk(folder.resolve("gone"), new byte[3 * MIB]))));

    await().until(() -> accepted().size() == 1);
    TaskResult cut = receive().getFirst().results().getFirst();
    assertThat(cut.stdout().length).isBetween(900_000, MIB);
    assertThat(cut.stdoutBytes()).isEqualTo(5L * MIB);
  }

  private static TaskResult spooled(OnDisk stdout) {
    return new TaskResult(
            0,
            "1",
            TaskStatus.SUCCEEDED,
            0,
            new byte[0],
            5L * MIB,
            new byte[0],
            0,
            new byte[0],
            0,
            "",
            1,
            2,
            1)
        .with(new Spools(stdout, null));
  }

  /** As if it lay there. */
  private static final class OnDisk implements Spooled {
    private final Path folder;
    private final byte[] bytes;
    private volatile boolean released;

    OnDisk(Path folder, byte[] bytes) {
      this.folder = folder;
      this.bytes = bytes;
    }

    @Override
    public int length() {
      return bytes.length;
    }

    @Override
    public ByteBuffer bytes() {
      return ByteBuffer.wrap(bytes);
    }

    @Override
    public Path folder() {
      return folder;
    }

    @Override
    public void release() {
      released = true;
    }
  }

  @Test
  void results_whose_bundle_is_abandoned_are_neither_stored_nor_sent() throws Exception {
    cluster.responses().create(QUEUE);
    BundleInHand inHand = bundle(result(0, 3 * MIB));
    inHand.abandon("its lease is over");

    send(inHand);
    sender.close();

    assertThat(puts).hasValue(0);
    assertThat(events).isEmpty();
  }

  @Test
  void small_results_do_not_wait_for_the_large_ones_of_others() {
    cluster.responses().create(QUEUE);
    hold.set(new CountDownLatch(1));
    for (int i = 0; i < 8; i++) {
      send(bundle(result(0, 2 * MIB)));
    }
    send(bundle(result(0, 1)));
    await().until(() -> events.size() == 1);
    assertThat(puts).hasValue(0);

    hold.get().countDown();

    await().until(() -> accepted().size() == 9);
    assertThat(puts).hasValue(8);
  }

  @Test
  void results_whose_queue_stays_gone_are_stored_and_count_as_accepted() throws Exception {
    TaskResult[] results =
        IntStream.range(0, 50).mapToObj(i -> result(i, 10_000)).toArray(TaskResult[]::new);
    BundleInHand inHand = bundle(results);
    send(inHand);
    await().until(() -> answered() == 50);
    assertThat(accepted()).isEmpty();

    turn(Duration.ofSeconds(59));
    send(inHand);
    await().until(() -> answered() == 100);
    assertThat(accepted()).isEmpty();
    assertThat(puts).hasValue(0);

    turn(Duration.ofSeconds(1));
    send(inHand);
    await().until(() -> answered() == 150);
    assertThat(accepted().stream().mapToInt(Positions::size).sum()).isEqualTo(50);
    List<TaskResult> stored = new ArrayList<>();
    for (String key : cluster.blobs().list(BlobKeys.out("r", "r/e/0"))) {
      stored.addAll(ResultCodec.decodeStored(cluster.blobs().get(key).orElseThrow()).results());
    }
    assertThat(stored.stream().map(TaskResult::ordinal))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 50).boxed().toList());
  }

  @Test
  void queue_that_was_missing_for_a_moment_an_hour_ago_has_the_whole_reply_timeout() {
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> answered() == 1);
    turn(Duration.ofHours(1));

    send(inHand);

    await().until(() -> answered() == 2);
    assertThat(accepted()).isEmpty();
    turn(Duration.ofMinutes(1));
    send(inHand);
    await().until(() -> answered() == 3);
    assertThat(accepted()).containsExactly(Positions.of(0));
  }

  @Test
  void results_that_can_go_nowhere_are_told_so_after_the_reply_timeout_and_not_before() {
    putFails.set(MissingResourceException.bucket("b", "-s Q", null));
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> events.size() == 1);
    turn(Duration.ofSeconds(59));
    send(inHand);
    await().until(() -> events.size() == 2);
    assertThat(undeliverable()).isEmpty();

    turn(Duration.ofSeconds(1));
    send(inHand);

    await().until(() -> events.size() == 3);
    assertThat(undeliverable())
        .containsExactly(new BundleEvent.Undeliverable(Positions.of(0), 600_000));
  }

  @Test
  void results_whose_queue_may_not_be_sent_to_are_stored_after_the_reply_timeout() {
    cluster.responses().create(QUEUE);
    policy.refuse("responses.send", "sqs:SendMessage", QUEUE);
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> events.size() == 1);
    assertThat(accepted()).isEmpty();

    turn(Duration.ofMinutes(1));
    send(inHand);

    await().until(() -> accepted().size() == 1);
    assertThat(cluster.blobs().list(BlobKeys.out("r", "r/e/0"))).hasSize(1);
  }

  @Test
  void results_whose_sending_fails_for_good_are_stored_after_the_reply_timeout() throws Exception {
    cluster.responses().create(QUEUE);
    sendFails.set(new CloudKonException("sqs.SendMessageBatch was refused: KMS.Disabled"));
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> answered() == 1);
    assertThat(accepted()).isEmpty();

    turn(Duration.ofMinutes(1));
    send(inHand);

    await().until(() -> answered() == 2);
    assertThat(accepted()).containsExactly(Positions.of(0));
    assertThat(cluster.blobs().list(BlobKeys.out("r", "r/e/0"))).hasSize(1);
  }

  /** Sends again every minute, for so long. */
  private void sendInVainFor(Duration time, BundleInHand inHand) {
    int before = answered();
    for (int minute = 1; minute <= time.toMinutes(); minute++) {
      turn(Duration.ofMinutes(1));
      send(inHand);
      int all = before + minute;
      await().until(() -> answered() == all);
    }
  }

  @Test
  void results_whose_queue_does_not_answer_are_stored_after_five_minutes() {
    sendFails.set(new TransientServiceException("no answer", null));
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> answered() == 1);
    sendInVainFor(Duration.ofMinutes(4), inHand);
    assertThat(accepted()).isEmpty();

    sendInVainFor(Duration.ofMinutes(1), inHand);

    assertThat(accepted()).containsExactly(Positions.of(0));
    assertThat(cluster.blobs().list(BlobKeys.out("r", "r/e/0"))).hasSize(1);
  }

  @Test
  void send_that_fails_an_hour_after_another_is_no_silence() {
    sendFails.set(new TransientServiceException("no answer", null));
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> answered() == 1);
    turn(Duration.ofHours(1));

    send(inHand);

    await().until(() -> answered() == 2);
    assertThat(accepted()).isEmpty();
  }

  @Test
  void results_without_a_claim_by_which_they_are_found_wait_for_their_queue() {
    sendFails.set(new TransientServiceException("no answer", null));
    BundleInHand inHand = bundle(Consistency.AT_LEAST_ONCE, result(0, 10));
    send(inHand);
    await().until(() -> answered() == 1);

    sendInVainFor(Duration.ofMinutes(10), inHand);

    assertThat(accepted()).isEmpty();
    assertThat(puts).hasValue(0);
  }

  @Test
  void results_whose_queue_does_not_answer_wait_where_there_is_no_bucket() {
    sendFails.set(new TransientServiceException("no answer", null));
    putFails.set(MissingResourceException.bucket("b", "-s Q", null));
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> answered() == 1);

    sendInVainFor(Duration.ofMinutes(10), inHand);

    assertThat(undeliverable()).as("its tasks would run again").isEmpty();
    assertThat(accepted()).isEmpty();
  }

  @Test
  void results_are_sent_when_their_refused_queue_is_allowed_within_the_reply_timeout()
      throws Exception {
    cluster.responses().create(QUEUE);
    policy.refuse("responses.send", "sqs:SendMessage", QUEUE);
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> events.size() == 1);
    policy.allow("responses.send");

    send(inHand);

    await().until(() -> accepted().size() == 1);
    assertThat(receive()).hasSize(1);
    assertThat(puts).hasValue(0);
  }

  @Test
  void results_that_may_be_neither_sent_nor_stored_can_go_nowhere() {
    cluster.responses().create(QUEUE);
    policy.refuse("responses.send", "sqs:SendMessage", QUEUE);
    putFails.set(
        new RefusedException("s3:PutObject", "bucket", "b/Q/*", "HTTP 403 AccessDenied", null));
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> events.size() == 1);
    turn(Duration.ofMinutes(1));

    send(inHand);

    await().until(() -> events.size() == 2);
    assertThat(undeliverable())
        .containsExactly(new BundleEvent.Undeliverable(Positions.of(0), 600_000));
  }

  @Test
  void results_that_the_queue_never_takes_are_stored_at_once() {
    cluster.responses().create(QUEUE);
    senderFault.set(batch -> true);

    send(bundle(result(0, 10)));

    await().until(() -> accepted().size() == 1);
    assertThat(cluster.blobs().list(BlobKeys.out("r", "r/e/0"))).hasSize(1);
  }

  @Test
  void results_that_the_queue_never_takes_and_no_bucket_give_up_their_bundle_alone() {
    cluster.responses().create(QUEUE);
    senderFault.set(batch -> true);
    putFails.set(MissingResourceException.bucket("b", "-s Q", null));

    send(bundle(result(0, 10)));

    await().until(() -> events.size() == 1);
    assertThat(undeliverable())
        .containsExactly(new BundleEvent.Undeliverable(Positions.of(0), 600_000));
    assertThat(lost.isDeadEnd(QUEUE)).as("others get through").isFalse();
  }

  @Test
  void result_that_the_queue_never_takes_and_no_bucket_fails_its_task_alone() throws Exception {
    cluster.responses().create(QUEUE);
    senderFault.set(batch -> batch.results().stream().anyMatch(r -> r.stdout().length == 11));
    putFails.set(MissingResourceException.bucket("b", "-s Q", null));

    send(bundle(result(0, 10), result(1, 11)));

    await().until(() -> accepted().size() == 2);
    assertThat(accepted()).containsExactlyInAnyOrder(Positions.of(0), Positions.of(1));
    List<TaskResult> received =
        receive().stream()
            .flatMap(batch -> batch.results().stream())
            .sorted(Comparator.comparing(TaskResult::ordinal))
            .toList();
    assertThat(received).hasSize(2);
    assertThat(received.getFirst().stdout()).hasSize(10);
    assertThat(received.getLast().status()).isEqualTo(TaskStatus.FAILED);
    assertThat(received.getLast().stdout()).isEmpty();
    assertThat(received.getLast().error())
        .startsWith("the task ran, but its result cannot be delivered: ")
        .contains("InvalidMessageContents", "bucket");
  }

  @Test
  void last_resort_that_fails_in_passing_is_tried_again() {
    putFails.set(new TransientServiceException("planted", null));
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> events.size() == 1);
    turn(Duration.ofMinutes(2));
    send(inHand);
    await().until(() -> events.size() == 2);
    assertThat(undeliverable()).isEmpty();
    putFails.set(null);

    send(inHand);

    await().until(() -> events.size() == 3);
    assertThat(accepted()).hasSize(1);
  }

  @Test
  void upload_under_way_is_broken_off_when_its_bundle_is_abandoned_and_the_next_goes_on() {
    cluster.responses().create(QUEUE);
    hold.set(new CountDownLatch(1));
    List<BundleInHand> two = List.of(bundle(result(0, 2 * MIB)), bundle(result(0, 2 * MIB)));
    two.forEach(this::send);
    await().until(() -> holding.get() == 2);

    two.forEach(inHand -> inHand.abandon("its run was cancelled"));

    await().until(() -> holding.get() == 0);
    assertThat(hold.get().getCount()).isEqualTo(1);
    hold.set(new CountDownLatch(0));
    send(bundle(result(0, 2 * MIB)));
    await().until(() -> !events.isEmpty());
    assertThat(accepted()).hasSize(1);
    assertThat(puts).hasValue(1);
  }

  @Test
  void results_are_not_stored_while_their_client_may_have_moved_or_their_run_is_over() {
    BundleInHand inHand = bundle(result(0, 10));
    send(inHand);
    await().until(() -> events.size() == 1);
    turn(Duration.ofMinutes(5));
    open.set(false);
    send(inHand);
    await().until(() -> events.size() == 2);

    String other = Names.response("Q", "other");
    cluster.responses().create(other);
    routes.move("r", other);
    open.set(true);
    send(inHand);

    await().until(() -> events.size() == 3);
    assertThat(accepted()).hasSize(1);
    assertThat(puts).hasValue(0);
  }

  @Test
  void sizes_of_the_largest_results_do_not_overflow() {
    byte[] most = new byte[Limits.CAPTURE_BYTES];
    TaskResult result =
        new TaskResult(
            0,
            "1",
            TaskStatus.SUCCEEDED,
            0,
            most,
            most.length,
            most,
            most.length,
            most,
            most.length,
            "",
            0,
            0,
            1);

    assertThat(ResultCodec.sizeOf(result)).isGreaterThan(3 * Limits.CAPTURE_BYTES - 1);
    assertThat(OutputCut.to(100_000, result).stdout().length).isBetween(33_000, 33_334);
  }

  @Test
  void ranks_of_a_job_are_cut_with_its_outputs_and_stay() {
    byte[] much = new byte[50_000];
    byte[] little = new byte[100];
    TaskResult result =
        TaskResult.notRun(0, "1", TaskStatus.FAILED, "rank 1 exited with 2", 0)
            .withOutputs(
                much,
                little,
                little,
                List.of(
                    new RankResult(0, "w", 0, much, little),
                    new RankResult(1, "w", 2, little, much)));

    TaskResult cut = OutputCut.to(100_000, result);

    assertThat(ResultCodec.sizeOf(cut)).isBetween(95_000, 100_000);
    assertThat(cut.stdout()).hasSizeGreaterThan(30_000);
    assertThat(cut.stderr()).hasSize(100);
    assertThat(cut.ranks()).extracting(RankResult::exitCode).containsExactly(0, 2);
    assertThat(cut.ranks().getFirst().stdout()).hasSizeGreaterThan(30_000);
    assertThat(cut.ranks().getLast().stderr()).hasSizeGreaterThan(30_000);
  }

  private void turn(Duration by) {
    time.advance(by);
    pulse.beat(time.now());
  }

  private void send(BundleInHand inHand) {
    Positions all = Positions.range(0, inHand.bundle().tasks().size());
    sender.send(inHand, all, inHand.results(all));
  }

  private List<Positions> accepted() {
    return events.stream()
        .map(event -> ((WorkerEvent.OfBundle) event).event())
        .filter(BundleEvent.ResultsAccepted.class::isInstance)
        .map(event -> ((BundleEvent.ResultsAccepted) event).tasks())
        .toList();
  }

  private List<BundleEvent> undeliverable() {
    return events.stream()
        .map(event -> ((WorkerEvent.OfBundle) event).event())
        .filter(BundleEvent.Undeliverable.class::isInstance)
        .toList();
  }

  /** How many tasks were answered for, either way. */
  private int answered() {
    return events.stream().mapToInt(StoredResultsTest::size).sum();
  }

  private static int size(WorkerEvent event) {
    return switch (((WorkerEvent.OfBundle) event).event()) {
      case BundleEvent.ResultsAccepted accepted -> accepted.tasks().size();
      case BundleEvent.ResultsFailed failed -> failed.tasks().size();
      default -> 0;
    };
  }

  private List<ResultBatch> receive() throws InterruptedException, MalformedMessageException {
    List<ResultBatch> batches = new ArrayList<>();
    for (ReceivedMessage message :
        cluster.responses().receive(QUEUE, 10, Duration.ZERO, Duration.ofSeconds(30))) {
      assertThat(message.payload().length).isLessThan(Limits.MESSAGE_BYTES);
      batches.add(ResultCodec.decode(message.payload()));
    }
    return batches;
  }

  private static BundleInHand bundle(TaskResult... results) {
    return bundle(Consistency.EXACTLY_ONCE, results);
  }

  private static BundleInHand bundle(Consistency consistency, TaskResult... results) {
    BundleHeader header =
        new BundleHeader("r", "e", "r/e/0", QUEUE, consistency, Limits.CAPTURE_BYTES, 0, 0, 0);
    List<Task> tasks =
        IntStream.range(0, results.length)
            .mapToObj(i -> new Task(i, Integer.toString(i + 1), Work.Noop.INSTANCE, 0))
            .toList();
    BundleInHand inHand =
        new BundleInHand(0, new Bundle(header, tasks), "handle", 1, "nonce", 0, 0);
    for (int i = 0; i < results.length; i++) {
      inHand.result(i, results[i]);
    }
    return inHand;
  }

  private static TaskResult result(int ordinal, int stdout) {
    return new TaskResult(
        ordinal,
        Integer.toString(ordinal + 1),
        TaskStatus.FAILED,
        3,
        new byte[stdout],
        stdout,
        new byte[5],
        5,
        new byte[0],
        0,
        "exit code 3",
        0,
        0,
        1);
  }

  /** The cluster's store, whose puts are counted and may fail. */
  private BlobStore blobs() {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, args) -> {
              if (method.getName().equals("put")) {
                if (putFails.get() != null) {
                  throw putFails.get();
                }
                holding.incrementAndGet();
                try {
                  hold.get().await();
                } finally {
                  holding.decrementAndGet();
                }
                puts.incrementAndGet();
              }
              try {
                return method.invoke(cluster.blobs(), args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
