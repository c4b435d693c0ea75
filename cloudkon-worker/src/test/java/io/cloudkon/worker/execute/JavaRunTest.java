package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaRunTest {
  /** A handler whose behaviour is its first argument. */
  private static final String MANY =
      """
      public class Many implements io.cloudkon.core.handler.TaskHandler {
        public String name() { return "many"; }
        public byte[] run(java.util.List<String> args) throws Exception {
          switch (args.get(0)) {
            case "null": return null;
            case "throw": throw new IllegalStateException("two\\nlines", new java.io.IOException("below"));
            case "overflow": return run(args);
            case "memory": throw new OutOfMemoryError("planted");
            case "sneaky": throw new Exception();
            case "park": Thread.sleep(1_000_000);
            case "deaf":
              java.nio.file.Files.createFile(java.nio.file.Path.of(args.get(1) + ".on"));
              while (!java.nio.file.Files.exists(java.nio.file.Path.of(args.get(1)))) {
                try { Thread.sleep(5); } catch (InterruptedException e) { }
              }
              return new byte[0];
            case "loader": return Thread.currentThread().getContextClassLoader().getName().getBytes();
            default: return new byte[1000];
          }
        }
      }
      """;

  @TempDir Path temp;
  private final Release released = new Release();
  private Runs runs;

  @BeforeEach
  void open() throws IOException {
    Path jars = temp.resolve("jars");
    TestJars.jar(jars.resolve("many.jar"), "Many", MANY);
    runs =
        new Runs(
            Runs.config(100, null),
            HandlerRegistry.load(jars),
            new Guard(Runs.CONFIG.guardDeadline(), Runs.CONFIG.start()));
  }

  @AfterEach
  void close() throws IOException {
    released.now();
    runs.close();
  }

  @Test
  void sha256_answers_the_hex_digest_of_its_first_argument() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.java("sha256", "abc"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(Runs.text(outcome.output()))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(outcome.finishedMicros()).isGreaterThanOrEqualTo(outcome.startedMicros());
  }

  @Test
  void echo_answers_its_arguments() throws Exception {
    assertThat(Runs.text(runs.run(Tasks.java("echo", "a", "ü  b")).output())).isEqualTo("a ü  b");
    assertThat(runs.run(Tasks.java("echo")).output()).isEmpty();
  }

  @Test
  void pi_with_one_seed_gives_one_answer_near_pi() throws Exception {
    String first = Runs.text(runs.run(Tasks.java("pi", "42", "100000")).output());

    assertThat(first).isEqualTo(Runs.text(runs.run(Tasks.java("pi", "42", "100000")).output()));
    assertThat(Double.parseDouble(first)).isBetween(3.1, 3.2);
  }

  @Test
  void built_in_handlers_with_wrong_arguments_fail_and_say_what_they_need() throws Exception {
    assertThat(runs.run(Tasks.java("sha256")).error()).contains("sha256 TEXT");
    assertThat(runs.run(Tasks.java("pi", "1")).error()).contains("pi SEED SAMPLES");
    assertThat(runs.run(Tasks.java("pi", "1", "x")).error()).contains("SAMPLES", "'x'");
    assertThat(runs.run(Tasks.java("pi", "1", "0")).error()).contains("at least 1");
  }

  @Test
  void unknown_handler_fails_and_names_the_known() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.java("nobody"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.error()).contains("'nobody'", "echo, many, pi, sha256", "--handlers");
  }

  @Test
  void exception_fails_the_task_with_class_message_and_stack() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.java("many", "throw"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.error()).isEqualTo("java.lang.IllegalStateException: two");
    assertThat(outcome.stderr()).hasSize(100);
    assertThat(outcome.stderrBytes()).isGreaterThan(100);
    assertThat(Runs.text(outcome.stderr())).contains("\tat ", "Many.run");
    assertThat(runs.run(Tasks.java("many", "sneaky")).error()).isEqualTo("java.lang.Exception");
  }

  @Test
  void errors_fail_the_task_and_not_the_worker() throws Exception {
    assertThat(runs.run(Tasks.java("many", "overflow")).error()).contains("StackOverflowError");
    assertThat(runs.run(Tasks.java("many", "memory")).error()).contains("OutOfMemoryError");
    assertThat(runs.run(Tasks.java("echo")).status()).isEqualTo(TaskStatus.SUCCEEDED);
  }

  @Test
  void answer_beyond_the_limit_is_cut_and_its_length_kept() throws Exception {
    TaskOutcome outcome = runs.run(Tasks.java("many", "long"));

    assertThat(outcome.output()).hasSize(100);
    assertThat(outcome.outputBytes()).isEqualTo(1000);
    assertThat(runs.run(Tasks.java("many", "null")).output()).isEmpty();
  }

  @Test
  void handler_of_a_jar_sees_its_own_class_loader() throws Exception {
    assertThat(Runs.text(runs.run(Tasks.java("many", "loader")).output())).isEqualTo("handlers");
  }

  @Test
  void handler_that_heeds_its_interruption_times_out_without_being_stuck() throws Exception {
    TaskOutcome outcome = runs.run(timed(20, "many", "park"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.stuck()).isFalse();
    assertThat(runs.run(timed(20, "pi", "1", "9000000000000")).status())
        .isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(runs.stuck).isEmpty();
  }

  @Test
  void killed_handler_gives_no_outcome() {
    CompletableFuture<TaskOutcome> outcome = runs.start(Tasks.java("many", "park"));

    runs.interruption.kill("lease lost");

    assertThat(Runs.failure(outcome)).isInstanceOf(TaskInterruptedException.class);
    assertThat(runs.stuck).isEmpty();
  }

  @Test
  void handler_deaf_to_its_interruption_times_out_and_is_reported_stuck() throws Exception {
    Path release = temp.resolve("release");
    Task deaf = timed(20, "many", "deaf", release.toString());

    TaskOutcome outcome = runs.run(deaf);

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.stuck()).isTrue();
    assertThat(runs.stuck).containsExactly(deaf);
    TestJars.write(release, "");
  }

  @Test
  void handler_deaf_to_a_kill_is_reported_stuck_and_holds_nobody_else_up() throws Exception {
    Path release = temp.resolve("release");
    Task deaf = Tasks.java("many", "deaf", release.toString());
    CompletableFuture<TaskOutcome> outcome = runs.start(deaf);
    CompletableFuture<TaskOutcome> other = runs.start(Tasks.sleep(1_000_000));
    await().until(() -> Files.exists(temp.resolve("release.on")));

    runs.interruption.kill("lease lost");

    assertThat(Runs.failure(other))
        .isInstanceOfSatisfying(
            TaskInterruptedException.class, e -> assertThat(e.stuck()).isFalse());
    assertThat(Runs.failure(outcome))
        .isInstanceOfSatisfying(
            TaskInterruptedException.class, e -> assertThat(e.stuck()).isTrue());
    assertThat(runs.stuck).containsExactly(deaf);
    TestJars.write(release, "");
  }

  /** A jar whose code does not return while it is loaded: until it is released, or interrupted. */
  private TaskEnvironment loading(boolean deaf) {
    return new TaskEnvironment(
        "a-run",
        100,
        List.of(temp.resolve("jar")),
        own -> {
          while (!released.await(deaf)) {
            // deaf to its interruption
          }
          return own;
        });
  }

  @Test
  void jar_that_does_not_load_times_out() throws Exception {
    TaskOutcome outcome = runs.run(loading(false), timed(20, "echo", "a"));

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.error())
        .isEqualTo("exceeded its time limit of 20 ms while its jar was loaded");
    assertThat(runs.stuck).isEmpty();
  }

  @Test
  void task_whose_jar_does_not_load_can_be_killed() {
    CompletableFuture<TaskOutcome> outcome = runs.start(loading(false), Tasks.java("echo"));

    runs.interruption.kill("lease lost");

    assertThat(Runs.failure(outcome)).isInstanceOf(TaskInterruptedException.class);
    assertThat(runs.stuck).isEmpty();
  }

  @Test
  void jar_that_ignores_its_interruption_while_it_loads_is_reported_stuck() throws Exception {
    Task deaf = timed(20, "echo", "a");

    TaskOutcome outcome = runs.run(loading(true), deaf);

    assertThat(outcome.status()).isEqualTo(TaskStatus.TIMED_OUT);
    assertThat(outcome.stuck()).isTrue();
    assertThat(runs.stuck).containsExactly(deaf);
  }

  @Test
  void jar_that_loads_gives_its_handlers_and_one_that_fails_its_error() throws Exception {
    released.now();
    assertThat(Runs.text(runs.run(loading(false), Tasks.java("echo", "a")).output()))
        .isEqualTo("a");

    TaskEnvironment broken =
        new TaskEnvironment(
            "a-run",
            100,
            List.of(temp.resolve("jar")),
            own -> {
              throw new UsageException("--ship: a.jar is not a readable jar");
            });
    TaskOutcome outcome = runs.run(broken, Tasks.java("echo"));
    assertThat(outcome.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(outcome.error()).isEqualTo("--ship: a.jar is not a readable jar");
  }

  /** Lets jars go on that do not load. */
  private static final class Release {
    private final CountDownLatch latch = new CountDownLatch(1);

    void now() {
      latch.countDown();
    }

    /** Whether it was released; an interrupt fails a load that is not deaf. */
    boolean await(boolean deaf) {
      try {
        latch.await();
        return true;
      } catch (InterruptedException e) {
        if (!deaf) {
          throw new UsageException("interrupted", e);
        }
        return false;
      }
    }
  }

  private static Task timed(long millis, String handler, String... args) {
    return Tasks.timed(new Work.JavaCall(handler, List.of(args)), millis);
  }
}
