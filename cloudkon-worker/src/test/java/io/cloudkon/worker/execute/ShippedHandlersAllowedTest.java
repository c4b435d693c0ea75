package io.cloudkon.worker.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.AllowedWork;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.worker.execute.guard.Guard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShippedHandlersAllowedTest {
  @TempDir Path temp;
  private Path loaded;

  @BeforeEach
  void ship() throws IOException {
    loaded = temp.resolve("loaded");
    TestJars.jar(temp.resolve("own/own.jar"), "Own", TestJars.handler("Own", "own"));
    // a jar whose code leaves a trace as soon as its class is loaded
    TestJars.jar(
        temp.resolve("tool/shipped.jar"),
        "Shipped",
        TestJars.handler("Shipped", "shipped")
            .replaceFirst(
                "\\{",
                "{ static { try { new java.io.File(\""
                    + loaded
                    + "\").createNewFile(); } catch (java.io.IOException e) { throw new"
                    + " RuntimeException(e); } }"));
  }

  @Test
  void everything_is_allowed_unless_it_is_narrowed() throws Exception {
    assertThat(run(EnumSet.allOf(AllowedWork.class), "shipped").status())
        .isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(RunnerConfig.DEFAULT.allowed()).contains(AllowedWork.SHIPPED_JAVA);
  }

  @Test
  void java_alone_runs_the_workers_own_handlers_and_loads_no_shipped_jar() throws Exception {
    Set<AllowedWork> java = Set.of(AllowedWork.JAVA);

    assertThat(run(java, "own").status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(run(java, "echo").status()).isEqualTo(TaskStatus.SUCCEEDED);
    TaskOutcome refused = run(java, "shipped");
    assertThat(refused.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(refused.error())
        .startsWith("this worker has no handler 'shipped'; it has ")
        .endsWith(
            "; handlers in shipped jars need --allow shipped-java; it was started with --allow"
                + " java");
    assertThat(loaded).doesNotExist();
  }

  @Test
  void shipped_java_alone_runs_what_is_shipped_and_nothing_of_the_workers_own() throws Exception {
    Set<AllowedWork> shipped = Set.of(AllowedWork.SHIPPED_JAVA);

    assertThat(run(shipped, "shipped").status()).isEqualTo(TaskStatus.SUCCEEDED);
    assertThat(loaded).exists();
    for (String name : List.of("own", "echo")) {
      TaskOutcome refused = run(shipped, name);
      assertThat(refused.status()).isEqualTo(TaskStatus.FAILED);
      assertThat(refused.error())
          .isEqualTo(
              "'%s' is one of this worker's own handlers, which need --allow java; it was started with --allow shipped-java"
                  .formatted(name));
    }
  }

  @Test
  void neither_refuses_java_tasks_as_a_kind() throws Exception {
    assertThat(run(Set.of(AllowedWork.NOOP), "shipped").error())
        .isEqualTo("this worker does not run java tasks (--allow noop)");
    assertThat(loaded).doesNotExist();
  }

  @Test
  void ranks_are_held_to_the_same() throws Exception {
    try (Runs runs = runs(Set.of(AllowedWork.JAVA))) {
      Work.JavaCall call = new Work.JavaCall("shipped", List.of());
      Task job = Tasks.of(new Work.Hpc(1, false, call));
      TaskOutcome refused = new RankSlots(runs, job, 1, around()).run().getFirst();

      assertThat(refused.error()).contains("--allow shipped-java");
      assertThat(loaded).doesNotExist();
    }
  }

  private TaskOutcome run(Set<AllowedWork> allowed, String name) throws Exception {
    try (Runs runs = runs(allowed)) {
      return runs.run(around(), Tasks.java(name));
    }
  }

  private Runs runs(Set<AllowedWork> allowed) {
    RunnerConfig config = new RunnerConfig(allowed, 100, null, Duration.ofSeconds(13));
    HandlerRegistry own = HandlerRegistry.load(temp.resolve("own"));
    return new Runs(config, own, new Guard(config.guardDeadline(), config.start()));
  }

  private TaskEnvironment around() {
    List<Path> ships = List.of(temp.resolve("tool"));
    return new TaskEnvironment("a-run", 100, ships, own -> own.with(ships));
  }
}
