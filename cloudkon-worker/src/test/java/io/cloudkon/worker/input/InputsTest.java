package io.cloudkon.worker.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.input.Inputs.Provisions;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Pulse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputsTest {
  private static final Task EXEC = new Task(0, "1", Work.Exec.shell("true"), 0);

  @TempDir Path temp;
  private final ManualTime time = new ManualTime();
  private final AtomicBoolean leaving = new AtomicBoolean();
  private final BlobStore whole = new MemoryCloud(time).setup("Q").blobs();
  private final HeldStore store = new HeldStore(whole, 1_000_000);
  private Path scratch;
  private Inputs inputs;
  private int bundles;

  @BeforeEach
  void open() throws IOException {
    scratch = Files.createDirectory(temp.resolve("scratch"));
    inputs = inputs(100 << 10);
  }

  private Inputs inputs(long cacheBytes) {
    return inputs(cacheBytes, new Fetching(new BackOff(1, 1, new Random(1))));
  }

  private Inputs inputs(long cacheBytes, Fetching fetching) {
    return new Inputs(
        store,
        () -> scratch,
        cacheBytes,
        new SlotWait(new Pulse(time, 2_000), leaving::get),
        fetching);
  }

  @AfterEach
  void close() throws InterruptedException {
    store.answers.release(1_000_000);
    inputs.close();
  }

  // ---- shipped trees

  @Test
  void shipment_is_fetched_once_for_all_slots_that_ask_at_a_time() throws Exception {
    Content ship = ship("r", "tool", 100);
    store.answers.drainPermits();

    List<CompletableFuture<Path>> slots =
        Stream.generate(() -> async(() -> root(bundle("r", ship)))).limit(20).toList();
    await().until(() -> store.gets.get() == 1);
    store.answers.release(1_000_000);

    assertThat(slots.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    assertThat(slots.getFirst().join().resolve("file")).hasSize(100);
    root(bundle("r", ship));
    root(bundle("other", ship));
    assertThat(store.gets).hasValue(1);
  }

  @Test
  void files_of_a_shipment_are_read_only() throws Exception {
    Path root = root(bundle("r", ship("r", "tool", 100)));

    assertThat(Files.getPosixFilePermissions(root.resolve("file")))
        .doesNotContain(
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_WRITE);
    assertThat(Files.getPosixFilePermissions(root)).contains(PosixFilePermission.OWNER_WRITE);
  }

  @Test
  void least_recently_used_shipment_makes_room() throws Exception {
    Path one = root(bundle("r", ship("r", "one", 40_000)));
    Path two = root(bundle("r", ship("r", "two", 40_000)));
    root(bundle("r", ship("r", "one", 40_000)));

    Path three = root(bundle("r", ship("r", "three", 40_000)));

    await().until(() -> names(scratch).size() == 2);
    assertThat(one).exists();
    assertThat(two).doesNotExist();
    assertThat(three).exists();
    assertThat(store.gets).hasValue(3);
  }

  @Test
  void single_tasks_files_are_limited_in_number_too() throws Exception {
    Fetching fetching = new Fetching(new BackOff(1, 1, new Random(1)));
    ShipmentFetch fetch = new ShipmentFetch(whole, fetching, () -> scratch, 100 << 10);
    SlotWait patience = new SlotWait(new Pulse(time, 2_000), leaving::get);
    try (ShipmentCache few = new ShipmentCache(fetch, fetching, patience, 100 << 10, 2)) {
      for (String name : List.of("one", "two", "three", "four")) {
        few.lease(bundle("r", ship("r", name, 10))).close();
      }

      await().until(() -> names(scratch).size() == 2);
      few.lease(bundle("r", ship("r", "four", 10))).close();
      assertThat(names(scratch))
          .extracting(path -> path.getFileName().toString())
          .containsExactlyInAnyOrder("ship-2", "ship-3");
    } finally {
      fetching.close();
    }
  }

  @Test
  void disk_that_is_full_of_shipments_that_nobody_uses_is_not_the_workers_sickness()
      throws Exception {
    inputs.close();
    inputs =
        new Inputs(
            store,
            () -> {
              if (names(scratch).size() == 2) {
                throw new IOException("No space left on device");
              }
              return scratch;
            },
            100 << 10,
            new SlotWait(new Pulse(time, 2_000), leaving::get),
            new Fetching(new BackOff(1, 1, new Random(1))));
    Path one = root(bundle("r", ship("r", "one", 10)));
    try (Provisions two = inputs.provisions(bundle("r", ship("r", "two", 10)))) {
      Path used = two.around(EXEC).ships().getFirst();

      assertThat(root(bundle("r", ship("r", "three", 10)))).exists();
      assertThat(one).doesNotExist();
      assertThat(used).exists();

      try (Provisions three = inputs.provisions(bundle("r", ship("r", "three", 10)))) {
        assertThat(three.around(EXEC).ships()).hasSize(1);
        assertThatThrownBy(() -> root(bundle("r", ship("r", "four", 10))))
            .isInstanceOfSatisfying(
                InputException.class, e -> assertThat(e.suspicion()).isPresent());
      }
    }
  }

  @Test
  void shipment_in_use_stays_until_it_is_let_go_of() throws Exception {
    try (Provisions provisions = inputs.provisions(bundle("r", ship("r", "one", 90_000)))) {
      Path one = provisions.around(EXEC).ships().getFirst();
      Path two = root(bundle("r", ship("r", "two", 90_000)));
      assertThat(one).exists();

      provisions.close();

      assertThat(one).doesNotExist();
      assertThat(two).exists();
    }
  }

  @Test
  void shipment_that_is_larger_than_the_cache_fails_clearly_and_leaves_nothing() throws Exception {
    Content large = ship("r", "large", 100 << 10);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> root(bundle("r", large)))
          .isInstanceOf(InputException.class)
          .hasMessageContainingAll("the shipped 'large'", "more than 102400 bytes", "--cache-size");
    }

    assertThat(store.gets).as("asked for once").hasValue(1);
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void shipment_that_one_run_changed_is_fetched_again_for_the_next() throws Exception {
    Content ship = ship("r", "tool", 10);
    Path first = root(bundle("r", ship));
    Files.setPosixFilePermissions(
        first.resolve("file"), PosixFilePermissions.fromString("rw-------"));
    Files.write(first.resolve("file"), new byte[] {66, 66, 66, 66, 66, 66, 66, 66, 66, 66});

    whole.put(BlobKeys.in("other", ship.sha256()), archive("r", ship));
    Path second = root(bundle("other", ship));

    assertThat(second.resolve("file")).hasBinaryContent(new byte[10]);
    assertThat(first).doesNotExist();
    root(bundle("r", ship));
    assertThat(store.gets).as("what is as it was serves both").hasValue(2);
  }

  @Test
  void changed_shipment_stays_for_who_uses_it_and_is_removed_after() throws Exception {
    Content ship = ship("r", "tool", 10);
    whole.put(BlobKeys.in("other", ship.sha256()), archive("r", ship));
    try (Provisions provisions = inputs.provisions(bundle("r", ship))) {
      Path first = provisions.around(EXEC).ships().getFirst();
      Files.createFile(first.resolve("planted"));

      Path second = root(bundle("other", ship));

      assertThat(second.resolve("planted")).doesNotExist();
      assertThat(first.resolve("planted")).exists();
      provisions.close();
      assertThat(first).doesNotExist();
      assertThat(second).exists();
    }
  }

  private byte[] archive(String run, Content ship) {
    return whole.get(BlobKeys.in(run, ship.sha256())).orElseThrow();
  }

  @Test
  void shipment_with_another_hash_or_none_fails_clearly_and_is_not_asked_for_again() {
    Content damaged = new Content("0".repeat(64), 3, "tool");
    whole.put(BlobKeys.in("r", damaged.sha256()), new byte[] {1, 2, 3});
    Content absent = new Content("1".repeat(64), 3, "data");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> root(bundle("r", damaged)))
          .isInstanceOf(InputException.class)
          .hasMessageContainingAll("the shipped 'tool'", "damaged");
      assertThatThrownBy(() -> root(bundle("r", absent)))
          .isInstanceOf(InputException.class)
          .hasMessageContainingAll("the shipped 'data'", "no longer in the blob store");
    }

    assertThat(store.gets).hasValue(2);
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void run_that_lacks_a_shipment_does_not_keep_it_from_another_one() throws Exception {
    Content ship = ship("has", "tool", 10);
    store.answers.drainPermits();
    CompletableFuture<Path> lacks = async(() -> root(bundle("lacks", ship)));
    await().until(() -> store.gets.get() == 1);
    CompletableFuture<Path> has = async(() -> root(bundle("has", ship)));

    store.answers.release(1_000_000);

    assertThat(has.join()).exists();
    assertThat(failure(lacks)).isInstanceOf(InputException.class);
  }

  @Test
  void archive_that_is_none_fails_clearly_and_leaves_nothing() {
    Content odd = Blobs.put(whole, "r", "no archive".getBytes(UTF_8), "odd");

    assertThatThrownBy(() -> root(bundle("r", odd)))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll("the shipped 'odd'", "cannot be unpacked");

    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void archive_that_cannot_be_unpacked_is_fetched_once_and_costs_no_others_place()
      throws Exception {
    Path kept = root(bundle("r", ship("r", "kept", 10)));
    Content odd = Blobs.put(whole, "r", "no archive".getBytes(UTF_8), "odd");

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> root(bundle("r", odd)))
          .isInstanceOfSatisfying(InputException.class, e -> assertThat(e.suspicion()).isEmpty());
    }

    assertThat(store.gets).hasValue(2);
    assertThat(kept).exists();
  }

  @Test
  void failures_in_passing_are_repeated() throws Exception {
    store.failures.set(5);

    assertThat(root(bundle("r", ship("r", "tool", 10)))).exists();

    assertThat(store.gets).hasValue(6);
  }

  @Test
  void shipment_that_was_swept_away_is_fetched_again() throws Exception {
    Content ship = ship("r", "tool", 10);
    Path root = root(bundle("r", ship));
    Files.delete(root.resolve("file"));
    Files.delete(root);

    assertThat(root(bundle("r", ship)).resolve("file")).hasSize(10);
  }

  @Test
  void kill_or_a_leaving_worker_ends_the_wait() throws Exception {
    Content ship = ship("r", "tool", 10);
    store.answers.drainPermits();
    BundleInHand killed = bundle("r", ship);
    BundleInHand abandoned = bundle("r", ship);
    List<CompletableFuture<Path>> slots =
        Stream.of(killed, abandoned, bundle("r", ship)).map(b -> async(() -> root(b))).toList();
    await().until(() -> store.gets.get() == 1);

    killed.interruption().kill("cancelled");
    assertThat(failure(slots.get(0))).isInstanceOf(GivenUpException.class);
    abandoned.abandon("its lease is over");
    assertThat(failure(slots.get(1))).isInstanceOf(GivenUpException.class);
    leaving.set(true);
    assertThat(failure(slots.get(2))).isInstanceOf(GivenUpException.class);
  }

  @Test
  void wait_that_lasts_for_ever_ends_the_repeats_when_nobody_is_left() throws Exception {
    store.failures.set(Integer.MAX_VALUE);
    BundleInHand only = bundle("r", ship("r", "tool", 10));
    CompletableFuture<Path> slot = async(() -> root(only));
    await().until(() -> store.gets.get() > 3);

    only.interruption().kill("cancelled");

    assertThat(failure(slot)).isInstanceOf(GivenUpException.class);
    await().until(() -> threads() == 0);
    store.failures.set(0);
    assertThat(root(bundle("r", ship("r", "tool", 10)))).exists();
  }

  @Test
  void handlers_are_loaded_once_per_set_and_closed_with_their_shipment() throws Exception {
    Path own = Files.createDirectory(temp.resolve("own"));
    try (HandlerRegistry worker = HandlerRegistry.builtIn()) {
      Content jar = Blobs.ship(whole, "r", Jars.with(own.resolve("mine.jar"), "mine"));
      HandlerRegistry first = handlers(worker, bundle("r", jar));
      assertThat(first.names()).contains("mine", "echo");
      assertThat(handlers(worker, bundle("other", jar))).isSameAs(first);
      Content more = ship("r", "more", 10);
      HandlerRegistry both = handlers(worker, bundle("r", jar, more));
      assertThat(both.names()).isEqualTo(first.names());
      assertThat(both).isNotSameAs(first);
      long open = openJars();
      assertThat(open).isPositive();

      root(bundle("r", ship("r", "large", 90_000)));

      assertThat(openJars()).isZero();
      assertThat(handlers(worker, bundle("r", jar)).names()).contains("mine");
    }
  }

  @Test
  void handlers_of_a_changed_shipment_stay_open_while_in_use_and_are_nobody_elses()
      throws Exception {
    Content jar = Blobs.ship(whole, "r", Jars.with(temp.resolve("mine.jar"), "mine"));
    whole.put(BlobKeys.in("other", jar.sha256()), archive("r", jar));
    try (HandlerRegistry worker = HandlerRegistry.builtIn();
        Provisions first = inputs.provisions(bundle("r", jar));
        Provisions slow = inputs.provisions(bundle("r", jar))) {
      HandlerRegistry running = first.around(EXEC).handlers().with(worker);
      Path spoiled = slow.around(EXEC).ships().getFirst();
      Files.createFile(spoiled.resolveSibling("planted"));
      long open = openJars();

      try (Provisions next = inputs.provisions(bundle("other", jar))) {
        TaskEnvironment around = next.around(EXEC);
        assertThat(openJars()).as("what runs has its class loader").isEqualTo(open);
        assertThat(slow.around(EXEC).handlers().with(worker)).isSameAs(running);
        assertThat(around.handlers().with(worker)).isNotSameAs(running);
        assertThat(openJars()).as("each its own").isEqualTo(2 * open);

        first.close();
        assertThat(openJars()).isEqualTo(2 * open);
        slow.close();
        assertThat(openJars()).as("closed with its last user").isEqualTo(open);
        assertThat(spoiled).doesNotExist();
        assertThat(handlers(worker, bundle("r", jar)).names()).contains("mine");
      }
    }
  }

  // ---- stored work

  @Test
  void stored_work_becomes_what_was_stored() throws Exception {
    Work.Exec exec = new Work.Exec(List.of("cat"), null, java.util.Map.of(), new byte[100_000]);
    Content content = Blobs.put(whole, "r", BundleCodec.encodeWork(exec), "");
    store.failures.set(3);

    Task task = complete(bundle("r"), new Work.Stored(Work.Kind.EXEC, content));

    assertThat(((Work.Exec) task.work()).stdin()).hasSize(100_000);
  }

  @Test
  void stored_work_that_is_absent_damaged_or_something_else_fails_clearly() {
    byte[] sleep = BundleCodec.encodeWork(new Work.Sleep(1));
    Content content = Blobs.put(whole, "r", sleep, "");
    Content absent = new Content("1".repeat(64), 3, "");
    Content short1 = new Content("2".repeat(64), 3, "");
    whole.put(BlobKeys.in("r", short1.sha256()), new byte[2]);
    Content noise = Blobs.put(whole, "r", new byte[] {9, 9, 9}, "");

    refused(content, "not of kind EXEC");
    refused(absent, "its input is no longer in the blob store");
    refused(short1, "its input is damaged");
    refused(noise, "cannot be read");
  }

  private void refused(Content content, String message) {
    assertThatThrownBy(() -> complete(bundle("r"), new Work.Stored(Work.Kind.EXEC, content)))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(message);
  }

  // ---- no memory

  private static void assertMemoryIsSuspected(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            InputException.class,
            e ->
                assertThat(e.suspicion().orElseThrow().sickness())
                    .isInstanceOf(Sickness.Memory.class));
  }

  @Test
  void shipment_for_which_no_thread_can_be_started_is_fetched_by_the_next_task() throws Exception {
    AtomicBoolean full = new AtomicBoolean(true);
    inputs.close();
    inputs =
        inputs(
            100 << 10,
            new Fetching(
                new BackOff(1, 1, new Random(1)),
                work -> {
                  if (full.get()) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  return Thread.ofPlatform().unstarted(work);
                }));
    Content ship = ship("r", "tool", 100);

    assertMemoryIsSuspected(() -> root(bundle("r", ship)));
    full.set(false);

    assertThat(root(bundle("r", ship)).resolve("file")).hasSize(100);
  }

  @Test
  void input_for_which_memory_is_short_is_not_blamed_on_the_blob_store() {
    store.planted = new OutOfMemoryError("Java heap space");
    Content content = Blobs.put(whole, "r", BundleCodec.encodeWork(Work.Exec.shell("true")), "");

    assertMemoryIsSuspected(() -> complete(bundle("r"), new Work.Stored(Work.Kind.EXEC, content)));
    assertThat(store.gets).hasValue(1);
  }

  @Test
  void wait_for_stored_work_ends_with_the_bundle() throws Exception {
    store.answers.drainPermits();
    BundleInHand inHand = bundle("r");
    Content content = new Content("1".repeat(64), 3, "");
    CompletableFuture<Task> slot =
        async(() -> complete(inHand, new Work.Stored(Work.Kind.EXEC, content)));
    await().until(() -> store.gets.get() == 1);

    inHand.interruption().kill("cancelled");

    assertThat(failure(slot)).isInstanceOf(GivenUpException.class);
  }

  // ---- helpers

  private Content ship(String run, String name, int bytes) throws IOException {
    Path folder = Files.createDirectories(temp.resolve(name));
    Files.write(folder.resolve("file"), new byte[bytes]);
    return Blobs.ship(whole, run, folder);
  }

  private BundleInHand bundle(String run, Content... ships) {
    BundleHeader header =
        new BundleHeader(
            run,
            "e",
            BundleIds.of(run, "e", bundles++),
            "q",
            Consistency.EXACTLY_ONCE,
            1024,
            0,
            0,
            0,
            List.of(ships));
    return new BundleInHand(bundles, new Bundle(header, List.of(EXEC)), "handle", 1, "nonce", 0, 0);
  }

  private Path root(BundleInHand inHand) throws InputException, GivenUpException {
    try (Provisions provisions = inputs.provisions(inHand)) {
      return provisions.around(EXEC).ships().getFirst();
    }
  }

  private HandlerRegistry handlers(HandlerRegistry own, BundleInHand inHand) throws Exception {
    try (Provisions provisions = inputs.provisions(inHand)) {
      TaskEnvironment around = provisions.around(EXEC);
      return around.handlers().with(own);
    }
  }

  private Task complete(BundleInHand inHand, Work work) throws InputException, GivenUpException {
    try (Provisions provisions = inputs.provisions(inHand)) {
      return provisions.complete(EXEC.with(work));
    }
  }

  private interface Asked<T> {
    T ask() throws Exception;
  }

  private static <T> CompletableFuture<T> async(Asked<T> asked) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(asked.ask());
          } catch (Throwable t) {
            answer.completeExceptionally(t);
          }
        });
    return answer;
  }

  private static Throwable failure(CompletableFuture<?> answer) {
    return answer
        .handle((value, thrown) -> thrown instanceof CompletionException c ? c.getCause() : thrown)
        .join();
  }

  private static List<Path> names(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return new ArrayList<>(all.toList());
    }
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("cloudkon-fetch"))
        .count();
  }

  /** The shipped jars that this process holds open. */
  private long openJars() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(
              fd -> {
                try {
                  return Files.readSymbolicLink(fd).toString().contains("mine.jar");
                } catch (IOException e) {
                  return false;
                }
              })
          .count();
    }
  }
}
