package io.cloudkon.client.dead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.testing.Intercepted;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedriveTest {
  private static final Content STORED = new Content("5".repeat(64), 1000, "");

  private final Letters letters = new Letters();
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("new.jsonl");
  }

  private Redrive take(String... ids) throws InterruptedException {
    return Redrive.take(letters.cluster, letters.box, List.of(ids), List.of(), folder, file());
  }

  /** As above, with at most ten letters. */
  private Redrive takeTen(String... ids) throws InterruptedException {
    return Redrive.take(
        letters.cluster,
        letters.box,
        List.of(ids),
        List.of(),
        folder,
        file(),
        10,
        LetterReading.begin());
  }

  /** What the new run would read. */
  private List<Task> workload() {
    List<Task> tasks = new ArrayList<>();
    try (Workload workload =
            Workload.open(file().toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO);
        TaskReader reader = workload.read()) {
      for (Task task = reader.next(); task != null; task = reader.next()) {
        tasks.add(task);
      }
    }
    return tasks;
  }

  /** As the new run sends tasks of its workload. */
  private static void sends(Redrive redrive, int sequence, List<Task> tasks) {
    var failures =
        redrive
            .cluster()
            .requests()
            .send(
                List.of(
                    BundleMessages.of(
                        Letters.bundle("new", sequence, tasks.toArray(Task[]::new)))));
    assertThat(failures).isEmpty();
  }

  @Test
  void letter_is_deleted_only_when_its_last_task_was_sent() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a"), Letters.echo(1, "b")), "x");
    try (Redrive redrive = take()) {
      assertThat(redrive.summary()).isEqualTo("2 tasks of 1 dead letter");
      List<Task> tasks = workload();

      sends(redrive, 0, tasks.subList(0, 1));
      assertThat(letters.depth().inFlight()).isEqualTo(1);

      sends(redrive, 1, tasks.subList(1, 2));
      assertThat(letters.depth().inFlight()).isZero();
    }
    assertThat(letters.visible()).isZero();
    assertThat(file()).exists();
  }

  @Test
  void what_was_not_sent_is_put_back() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "a");
    letters.dies(Letters.bundle("r1", 1, Letters.echo(1, "b")), "b");
    String first;
    try (Redrive redrive = take()) {
      first = workload().getFirst().id();
      sends(redrive, 0, workload().subList(0, 1));
    }

    assertThat(letters.all()).singleElement().extracting(DeadLetter::reason).isNotEqualTo(first);
    assertThat(letters.visible()).isEqualTo(1);
  }

  @Test
  void letters_beyond_what_can_be_held_are_left_for_the_next_redrive() throws Exception {
    for (int i = 0; i < 25; i++) {
      letters.dies(Letters.bundle("r1", i, Letters.echo(i, "t" + i)), "x");
    }
    try (Redrive redrive = takeTen()) {
      assertThat(redrive.letters()).isEqualTo(10);
      assertThat(redrive.leftForLater()).isEqualTo(15);
      assertThat(letters.visible()).isEqualTo(15);
    }
    assertThat(letters.visible()).isEqualTo(25);
  }

  @Test
  void file_goes_when_nothing_was_sent() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");

    take().close();

    assertThat(folder).isEmptyDirectory();
    assertThat(letters.visible()).isEqualTo(1);
  }

  /** The check of the whole workload refused all of them. */
  @Test
  void letter_whose_files_are_gone_keeps_no_other_from_being_redriven() throws Exception {
    Files.writeString(folder.resolve("there"), "x");
    letters.dies(Letters.bundle("r1", 0, withFile(0, "a", "gone")), "x");
    letters.dies(Letters.bundle("r1", 1, withFile(1, "b", "there")), "x");
    try (Redrive redrive = take()) {
      assertThat(redrive.summary()).isEqualTo("1 task of 1 dead letter");
      assertThat(redrive.refused())
          .singleElement()
          .asString()
          .contains(
              "task 'a' of run r1", "its file \"gone\" does not exist", "named from " + folder);
      assertThat(workload()).singleElement().extracting(Task::id).isEqualTo("b");
    }
    assertThat(letters.visible()).isEqualTo(2);
  }

  private static Task withFile(int ordinal, String id, String file) {
    Work work = new Work.Exec(List.of("cat", file), "", Map.of(), new byte[0]);
    return new Task(ordinal, id, work, 0)
        .with(new TaskFiles(List.of(new InputFile(file, STORED)), null));
  }

  @Test
  void files_are_brought_back_by_the_most_generous_of_the_old_rules() throws Exception {
    Bundle small = Letters.bundle("r1", 0, Letters.echo(0, "a"));
    Bundle large = Letters.bundle("r2", 0, Letters.echo(0, "b"));
    CollectRule failed = new CollectRule(List.of("*.csv"), true, 10, 2_000_000);
    CollectRule many = new CollectRule(List.of("*.log"), false, 5L << 30, 3);
    letters.dies(new Bundle(small.header().with(failed), small.tasks()), "x");
    letters.dies(new Bundle(large.header().with(many), large.tasks()), "x");
    try (Redrive redrive = take()) {
      assertThat(redrive.collect())
          .isEqualTo(new CollectRule(List.of(), true, 5L << 30, 2_000_000));
    }
  }

  @Test
  void copies_are_deleted_together() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");
    try (Redrive redrive = take()) {
      assertThat(redrive.summary()).isEqualTo("1 task of 1 dead letter");
      sends(redrive, 0, workload());
    }

    assertThat(letters.all()).isEmpty();
  }

  @Test
  void task_in_two_letters_runs_once_and_both_are_deleted() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "one worker says");
    letters.dies(
        Letters.bundle("r1", 0, Letters.echo(0, "a"), Letters.echo(1, "b")), "another says");
    try (Redrive redrive = take()) {
      assertThat(redrive.summary()).isEqualTo("2 tasks of 2 dead letters");
      assertThat(workload()).hasSize(2);
      sends(redrive, 0, workload());
    }

    assertThat(letters.all()).isEmpty();
  }

  @Test
  void equal_ids_of_two_runs_get_their_runs_names() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a"), Letters.echo(1, "b")), "x");
    letters.dies(Letters.bundle("r2", 0, Letters.echo(0, "a")), "x");

    try (Redrive redrive = take()) {
      assertThat(redrive.refused()).isEmpty();
      assertThat(workload()).extracting(Task::id).containsExactlyInAnyOrder("r1/a", "b", "r2/a");
    }
  }

  @Test
  void equal_ids_of_one_run_are_told_apart() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a"), Letters.echo(7, "a")), "x");

    try (Redrive redrive = take()) {
      assertThat(redrive.refused()).isEmpty();
      assertThat(workload()).extracting(Task::id).containsExactly("a", "r1/task-7");
    }
  }

  @Test
  void only_the_chosen_letters_are_taken() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");
    letters.dies(Letters.bundle("r1", 1, Letters.echo(1, "b")), "y");
    DeadLetter chosen =
        letters.all().stream().filter(l -> l.reason().equals("y")).findFirst().orElseThrow();

    try (Redrive redrive = take(chosen.shortId())) {
      assertThat(redrive.letters()).isEqualTo(1);
      assertThat(workload()).extracting(Task::id).containsExactly("b");
      assertThat(letters.visible()).isEqualTo(1);
    }
  }

  @Test
  void redrive_of_nothing_is_refused() {
    assertThatThrownBy(this::take)
        .isInstanceOf(UsageException.class)
        .hasMessage("queue Q-dead holds no dead letter: there is nothing to redrive");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void unknown_id_is_refused_and_nothing_is_taken() {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");

    assertThatThrownBy(() -> take("nonsense"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no dead letter 'nonsense'");
    assertThat(letters.visible()).isEqualTo(1);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void undecodable_letter_stays_and_is_named() throws Exception {
    letters.diesUnread("garbage", "x");
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "y");

    try (Redrive redrive = take()) {
      assertThat(redrive.refused())
          .singleElement()
          .asString()
          .contains("is kept", "holds no tasks that can be read", "cloudkon dead show -s Q");
      assertThat(redrive.summary()).isEqualTo("1 task of 1 dead letter");
      assertThat(letters.visible()).isEqualTo(1);
    }
  }

  @Test
  void letter_stays_whole_if_one_of_its_tasks_cannot_run_again() throws Exception {
    letters.dies(
        Letters.bundle(
            "r1",
            0,
            Letters.echo(0, "a"),
            new Task(1, "big", new Work.Stored(Work.Kind.EXEC, STORED), 0)),
        "x");
    letters.dies(Letters.bundle("r1", 1, Letters.echo(2, "c")), "y");

    try (Redrive redrive = take()) {
      assertThat(redrive.refused())
          .singleElement()
          .asString()
          .contains("task 'big' of run r1", "removed with the run");
      assertThat(workload()).extracting(Task::id).containsExactly("c");
      assertThat(letters.visible()).isEqualTo(1);
    }
  }

  @Test
  void stored_input_that_is_still_there_is_used() throws Exception {
    Work.Exec work = new Work.Exec(List.of("cat"), null, Map.of(), "x".repeat(100_000).getBytes());
    letters.cluster.blobs().put(BlobKeys.in("r1", STORED.sha256()), BundleCodec.encodeWork(work));
    letters.dies(
        Letters.bundle("r1", 0, new Task(0, "big", new Work.Stored(Work.Kind.EXEC, STORED), 0)),
        "x");

    try (Redrive redrive = take()) {
      assertThat(redrive.refused()).isEmpty();
      assertThat(workload())
          .singleElement()
          .extracting(task -> ((Work.Exec) task.work()).stdin().length)
          .isEqualTo(100_000);
    }
  }

  @Test
  void letter_with_shipped_files_stays_and_says_what_to_do() throws Exception {
    Content ship = new Content("0".repeat(64), 5, "data");
    letters.dies(Letters.bundle("r1", 0, List.of(ship), Letters.echo(0, "a")), "x");

    try (Redrive redrive = take()) {
      assertThat(redrive.tasks()).isZero();
      assertThat(redrive.refused())
          .singleElement()
          .asString()
          .contains(
              "task 'a' of run r1 needs files that the run shipped: name them with --ship, as"
                  + " data");
    }
    assertThat(folder).isEmptyDirectory();
    assertThat(letters.visible()).isEqualTo(1);
  }

  @Test
  void file_that_exists_is_not_touched() throws Exception {
    letters.dies(Letters.bundle("r1", 0, Letters.echo(0, "a")), "x");
    java.nio.file.Files.writeString(file(), "precious");

    assertThatThrownBy(this::take).hasMessageContaining("new.jsonl");
    assertThat(file()).hasContent("precious");
    assertThat(letters.visible()).isEqualTo(1);
  }

  @Test
  void letter_whose_files_are_shipped_again_is_redriven() throws Exception {
    Content ship = new Content("0".repeat(64), 5, "data");
    letters.dies(Letters.bundle("r1", 0, List.of(ship), Letters.echo(0, "a")), "x");

    try (Redrive redrive =
        Redrive.take(
            letters.cluster, letters.box, List.of(), List.of("data", "more"), folder, file())) {
      assertThat(redrive.refused()).isEmpty();
      assertThat(workload()).extracting(Task::id).containsExactly("a");
    }
  }

  @Test
  void job_goes_to_the_queue_of_jobs_and_its_letter_with_it() throws Exception {
    Work each = new Work.Exec(List.of("./solve"), null, Map.of(), new byte[0]);
    letters.cluster.blobs().put(BlobKeys.in("r1", STORED.sha256()), BundleCodec.encodeWork(each));
    Work stored = new Work.Stored(Work.Kind.EXEC, STORED);
    letters.dies(Letters.bundle("r1", 0, new Task(0, "a", new Work.Hpc(4, true, stored), 0)), "x");
    try (Redrive redrive = take()) {
      Work.Hpc job = (Work.Hpc) workload().getFirst().work();
      assertThat(job.ranks()).isEqualTo(4);
      assertThat(((Work.Exec) job.each()).argv()).containsExactly("./solve");

      Task[] tasks = workload().toArray(Task[]::new);
      var message = BundleMessages.of(Letters.bundle("new", 0, tasks));
      assertThat(redrive.cluster().hpc().jobs().send(List.of(message))).isEmpty();
    }
    assertThat(letters.all()).isEmpty();
    assertThat(letters.cluster.hpc().jobs().depth().waiting()).isEqualTo(1);
    assertThat(file()).exists();
  }

  @Test
  void nothing_is_received_beyond_what_can_be_held() throws Exception {
    letters.die(100);

    try (Redrive redrive = takeTen()) {
      assertThat(redrive.leftForLater()).isEqualTo(90);
      assertThat(letters.calls("receive")).isEqualTo(1);
      assertThat(letters.visible()).isEqualTo(90);
    }
    assertThat(letters.visible()).isEqualTo(100);
  }

  @Test
  void letter_with_an_id_is_found_behind_more_letters_than_can_be_held() throws Exception {
    letters.die(40);
    List<DeadLetter> all = letters.all();

    try (Redrive redrive = takeTen(all.getLast().id())) {
      assertThat(redrive.letters()).isEqualTo(1);
      assertThat(redrive.leftForLater()).isZero();
      assertThat(letters.visible()).isEqualTo(39);
    }
  }

  @Test
  void letters_that_another_program_is_reading_are_not_said_to_be_missing() throws Exception {
    letters.die(2);
    letters.readByAnother(2);

    assertThatThrownBy(this::take)
        .isInstanceOf(LettersInUseException.class)
        .hasMessageStartingWith(
            "2 dead letters of queue Q-dead could not be read: another program");
    assertThatThrownBy(() -> take("nonsense")).isInstanceOf(LettersInUseException.class);
    assertThat(folder).isEmptyDirectory();
  }

  // ---- the end of the process

  private Redrive take(Cluster cluster, LetterReading reading) throws InterruptedException {
    DeadLetterBox box = new DeadLetterBox(cluster.dead(), letters.time, Duration.ZERO);
    return Redrive.take(cluster, box, List.of(), List.of(), folder, file(), 100, reading);
  }

  /** The end of the process, which waits until the letters are put back, and then counts them. */
  private Thread end(LetterReading reading, AtomicLong visible) {
    return Thread.ofVirtual()
        .unstarted(() -> {
          reading.stop();
          visible.set(letters.visible());
        });
  }

  @Test
  void end_of_the_process_after_the_last_receive_puts_the_letters_back() throws Exception {
    letters.die(3);
    AtomicLong visible = new AtomicLong();
    LetterReading reading = LetterReading.begin();
    Thread end = end(reading, visible);
    Cluster cluster =
        Intercepted.dead(
            letters.cluster,
            (method, arguments, call) -> {
              Object answer = call.make();
              if (method.equals("receive") && ((List<?>) answer).isEmpty()) {
                end.start();
                await().until(reading::stopped);
              }
              return answer;
            });

    assertThatThrownBy(() -> take(cluster, reading)).isInstanceOf(InterruptedException.class);
    end.join();

    assertThat(visible).hasValue(3);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void end_of_the_process_before_the_run_begins_puts_the_letters_back() throws Exception {
    letters.die(3);
    AtomicLong visible = new AtomicLong();
    LetterReading reading = LetterReading.begin();
    Thread end = end(reading, visible);
    try (Redrive redrive = take(letters.cluster, reading)) {
      end.start();
      await().until(reading::stopped);

      assertThatThrownBy(redrive::begin).isInstanceOf(InterruptedException.class);
      assertThat(letters.visible()).isZero();
    }
    end.join();

    assertThat(visible).hasValue(3);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void run_that_has_begun_does_not_keep_the_process_from_ending() throws Exception {
    letters.die(3);
    LetterReading reading = LetterReading.begin();
    AtomicLong visible = new AtomicLong(-1);
    Thread end = end(reading, visible);
    try (Redrive redrive = take(letters.cluster, reading)) {
      redrive.begin();
      end.start();
      end.join();

      assertThat(visible).hasValue(0);
    }
  }
}
