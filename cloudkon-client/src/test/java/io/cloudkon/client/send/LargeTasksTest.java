package io.cloudkon.client.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.run.ServicePatience;
import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import io.cloudkon.core.time.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeTasksTest {
  private static final String RUN = "run";
  private static final RefusedException DENIED =
      new RefusedException("s3:PutObject", "bucket", "B", "HTTP 403", null);
  private static final MissingResourceException MISSING =
      MissingResourceException.bucket("B", "-s Q", null);

  @TempDir Path temp;
  private final ShakyBlobStore blobs = new ShakyBlobStore();
  private final ManualTime time = new ManualTime();
  private final AtomicBoolean over = new AtomicBoolean();
  private LargeTasks large;

  @BeforeEach
  void create() {
    large = large(blobs);
  }

  private LargeTasks large(BlobStore store) {
    return new LargeTasks(
        store,
        RUN,
        0,
        temp,
        over::get,
        new ServicePatience(time),
        new BackOff(1, 2, new Random(1)));
  }

  private static Task task(int ordinal, int inputBytes) {
    byte[] input = new byte[inputBytes];
    new Random(inputBytes).nextBytes(input);
    Work work = new Work.Exec(List.of("wc"), "dir", Map.of("A", "1", "B", "2"), input);
    return new Task(ordinal, "id" + ordinal, work, 7, 3);
  }

  @Test
  void a_task_that_fits_stays_as_it_is() {
    Task most = task(0, Limits.TASK_BYTES - 100);
    assertThat(BundleCodec.sizeOf(most)).isLessThanOrEqualTo(Limits.TASK_BYTES);

    assertThat(large.store(most)).isSameAs(most);
    assertThat(blobs.puts).hasValue(0);
  }

  @Test
  void a_task_that_fits_no_more_beside_all_that_is_shipped_is_stored() {
    Task most = task(0, Limits.TASK_BYTES - 100);
    LargeTasks shipping =
        new LargeTasks(blobs, RUN, 200, Path.of(""), over::get, new ServicePatience(time));

    assertThat(shipping.store(most).work()).isInstanceOf(Work.Stored.class);
  }

  @Test
  void a_large_task_names_its_work_by_what_lies_in_the_store() throws Exception {
    Task task = task(5, 2 << 20);

    Task sent = large.store(task);

    Work.Stored stored = (Work.Stored) sent.work();
    byte[] content = blobs.blobs.get(BlobKeys.in(RUN, stored.content().sha256()));
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    assertThat(stored.kind()).isEqualTo(Work.Kind.EXEC);
    assertThat(stored.content().sha256()).isEqualTo(sha256);
    assertThat(stored.content().bytes()).isEqualTo(content.length);
    assertThat(stored.content().name()).isEmpty();
    assertThat(sent).isEqualTo(task.with(stored));
    assertThat(BundleCodec.decodeWork(content)).usingRecursiveComparison().isEqualTo(task.work());
    assertThat(BundleCodec.sizeOf(sent))
        .isLessThanOrEqualTo(LargeTasks.storedSize(task))
        .isLessThan(200);
  }

  @Test
  void a_large_call_of_a_handler_is_stored_as_one() {
    Task task = new Task(0, "1", new Work.JavaCall("sha256", List.of("x".repeat(2 << 20))), 0);

    assertThat(((Work.Stored) large.store(task).work()).kind()).isEqualTo(Work.Kind.JAVA);
  }

  @Test
  void the_same_work_has_the_same_name_and_is_stored_once() {
    Task first = large.store(task(1, 2 << 20));
    Task second = large.store(task(2, 2 << 20));
    Task other = large.store(task(3, 3 << 20));

    assertThat(second.work()).isEqualTo(first.work()).isNotEqualTo(other.work());
    assertThat(blobs.puts).hasValue(2);
    assertThat(large(new ShakyBlobStore()).store(task(1, 2 << 20))).isEqualTo(first);
  }

  @Test
  void what_is_stored_already_stays_as_it_is() {
    Task sent = large.store(task(1, 2 << 20));

    assertThat(large.store(sent)).isSameAs(sent);
  }

  @Test
  void all_are_stored_at_last_however_often_the_store_fails_in_passing() throws Exception {
    blobs.failuresLeft.set(5);
    Task small = task(0, 10);
    Task big = task(1, 2 << 20);

    List<Task> sent = large.storeAll(List.of(small, big));

    assertThat(sent.getFirst()).isSameAs(small);
    assertThat(sent.getLast().work()).isInstanceOf(Work.Stored.class);
    assertThat(blobs.puts).hasValue(6);
  }

  @Test
  void bucket_that_worked_and_then_refuses_is_waited_for_for_five_minutes() throws Exception {
    large.storeAll(List.of(task(1, 2 << 20)));
    refuse(DENIED, Duration.ofMinutes(1), 4);

    List<Task> sent = large.storeAll(List.of(task(2, 3 << 20)));

    assertThat(sent.getFirst().work()).isInstanceOf(Work.Stored.class);
    assertThat(blobs.puts).hasValue(1 + 4 + 1);
    refuse(DENIED, Duration.ofMinutes(1), Integer.MAX_VALUE);
    assertThatThrownBy(() -> large.storeAll(List.of(task(3, 4 << 20)))).isSameAs(DENIED);
    assertThat(blobs.puts).hasValue(6 + 6);
  }

  @Test
  void bucket_that_worked_and_is_then_missing_is_waited_for_for_fifteen_seconds() throws Exception {
    Files.writeString(temp.resolve("data"), "of a task");
    large.store(task(1, 10).with(new TaskFiles(List.of(InputFile.notStored("data")), null)));
    refuse(MISSING, Duration.ofSeconds(5), Integer.MAX_VALUE);

    assertThatThrownBy(() -> large.storeAll(List.of(task(2, 3 << 20)))).isSameAs(MISSING);

    assertThat(blobs.puts).hasValue(1 + 4);
  }

  @Test
  void bucket_that_never_worked_is_not_waited_for() {
    refuse(DENIED, Duration.ZERO, Integer.MAX_VALUE);

    assertThatThrownBy(() -> large.storeAll(List.of(task(1, 2 << 20)))).isSameAs(DENIED);
    assertThat(blobs.puts).hasValue(1);
  }

  /** Makes the next puts fail, each after some time. */
  private void refuse(CloudKonException why, Duration each, int puts) {
    AtomicInteger left = new AtomicInteger(puts);
    blobs.during =
        () -> {
          if (left.getAndDecrement() > 0) {
            time.advance(each);
            throw why;
          }
        };
  }

  @Test
  void one_try_tells_that_it_failed() {
    blobs.failuresLeft.set(1);

    assertThatThrownBy(() -> large.store(task(1, 2 << 20)))
        .isInstanceOf(TransientServiceException.class);
    assertThat(large.store(task(1, 2 << 20)).work()).isInstanceOf(Work.Stored.class);
  }

  @Test
  void repeating_ends_with_the_run() {
    blobs.failuresLeft.set(Integer.MAX_VALUE);
    blobs.during =
        () -> {
          if (blobs.puts.get() == 3) {
            over.set(true);
          }
        };

    assertThatThrownBy(() -> large.storeAll(List.of(task(1, 2 << 20))))
        .isInstanceOf(InterruptedException.class);
    assertThat(blobs.puts).hasValue(3);
  }

  @Test
  void an_interrupt_ends_it_however_the_call_then_fails() {
    blobs.during =
        () -> {
          Thread.currentThread().interrupt();
          throw new CloudKonException("connection closed");
        };

    assertThatThrownBy(() -> large.storeAll(List.of(task(1, 2 << 20))))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void without_a_bucket_it_is_said_how_to_get_one() {
    LargeTasks none = large(new MemoryCloud(new SystemTime()).cluster("Q").blobs());

    assertThatThrownBy(() -> none.storeAll(List.of(task(1, 2 << 20))))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageContaining("cloudkon setup -s Q");
  }

  @Test
  void what_each_rank_of_a_large_job_does_is_stored_and_the_ranks_stay() throws Exception {
    Task task = task(0, Limits.TASK_BYTES);
    Task job = task.with(new Work.Hpc(4, true, task.work()));

    Task stored = large.store(job);

    Work.Hpc hpc = (Work.Hpc) stored.work();
    assertThat(hpc.ranks()).isEqualTo(4);
    assertThat(hpc.mpi()).isTrue();
    assertThat(hpc.each()).isEqualTo(large.store(task).work()).isInstanceOf(Work.Stored.class);
    assertThat(blobs.puts).as("equal work is stored once").hasValue(1);
    assertThat(large.store(stored)).isSameAs(stored);
    assertThat(BundleCodec.sizeOf(stored)).isLessThanOrEqualTo(LargeTasks.storedSize(job));
  }
}
