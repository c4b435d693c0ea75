package io.cloudkon.client.spool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.workload.TaskReader;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Task;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TaskSpoolTest {
  @TempDir Path temp;

  private TaskSpool spool() throws Exception {
    TaskSpool spool = TaskSpool.kept();
    spool.keptFile().copy().writeTo(temp.resolve("workload.jsonl"));
    return spool;
  }

  private static List<byte[]> lines(String... ids) {
    return Stream.of(ids)
        .map(id -> "{\"id\":\"%s\",\"noop\":true}".formatted(id).getBytes(UTF_8))
        .toList();
  }

  private static void append(TaskSpool spool, String... ids) {
    spool.append(lines(ids), (line, ordinal, offset) -> {});
  }

  private static List<String> rest(TaskReader reader) {
    List<String> ids = new ArrayList<>();
    for (Task task = reader.next(); task != null; task = reader.next()) {
      ids.add(task.id());
    }
    return ids;
  }

  @Test
  void reader_waits_for_lines_and_ends_with_the_spool() throws Exception {
    try (Workload workload = Workload.growing(spool())) {
      assertThat(workload.knownTasks()).isZero();
    }
    TaskSpool spool = TaskSpool.kept();
    spool.keptFile().copy().writeTo(temp.resolve("workload.jsonl"));
    try (Workload workload = Workload.growing(spool);
        TaskReader reader = workload.read()) {
      CompletableFuture<Task> first = CompletableFuture.supplyAsync(reader::next);
      append(spool, "a");
      assertThat(first.get().id()).isEqualTo("a");
      assertThat(reader.ready()).isFalse();
      assertThat(workload.digest()).isEqualTo("spool");
      append(spool, "b", "c");
      assertThat(workload.knownTasks()).isEqualTo(3);
      assertThat(reader.next().id()).isEqualTo("b");
      assertThat(reader.ready()).isTrue();
      CompletableFuture<List<String>> others = CompletableFuture.supplyAsync(() -> rest(reader));
      spool.end();
      assertThat(others.get()).containsExactly("c");
      assertThat(workload.summary().orElseThrow().tasks()).isEqualTo(3);
      assertThatThrownBy(() -> append(spool, "d"))
          .isInstanceOf(CloudKonException.class)
          .hasMessage("the run accepts no more tasks: it is over or was closed");
    }
  }

  @Test
  void tasks_beyond_the_maximum_of_a_run_are_refused_and_the_others_stay() throws Exception {
    TaskSpool spool = TaskSpool.kept(3);
    spool.keptFile().copy().writeTo(temp.resolve("workload.jsonl"));
    try (Workload workload = Workload.growing(spool);
        TaskReader reader = workload.read()) {
      append(spool, "a", "b");
      assertThatThrownBy(() -> append(spool, "c", "d"))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("the run has 2 tasks, of at most 3; connect another session");
      append(spool, "e");
      assertThatThrownBy(() -> append(spool, "f")).isInstanceOf(UsageException.class);
      spool.end();
      assertThat(rest(reader)).containsExactly("a", "b", "e");
    }
  }

  @Test
  void reader_of_a_spool_that_failed_fails_and_does_not_end() throws Exception {
    TaskSpool spool = spool();
    try (Workload workload = Workload.growing(spool);
        TaskReader reader = workload.read()) {
      append(spool, "a");
      assertThat(reader.next().id()).isEqualTo("a");
      spool.fail(new CloudKonException("no room on the disk"));
      spool.end();
      assertThatThrownBy(reader::next)
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("no room on the disk");
      assertThatThrownBy(() -> append(spool, "b")).isInstanceOf(CloudKonException.class);
    }
  }

  @Test
  void spool_without_a_task_is_a_workload_of_none() throws Exception {
    TaskSpool spool = spool();
    try (Workload workload = Workload.growing(spool);
        TaskReader reader = workload.read()) {
      spool.end();
      assertThat(reader.next()).isNull();
      assertThat(workload.knownTasks()).isZero();
    }
  }

  @Test
  void what_nobody_reads_any_more_is_refused() throws Exception {
    TaskSpool spool = spool();
    try (Workload workload = Workload.growing(spool)) {
      TaskReader reader = workload.read();
      append(spool, "a");
      reader.close();
      assertThatThrownBy(() -> append(spool, "b")).isInstanceOf(CloudKonException.class);
    }
    try (Workload again = Workload.openSpool(temp.resolve("workload.jsonl"), () -> 0);
        TaskReader reader = again.read()) {
      assertThat(rest(reader)).containsExactly("a");
    }
  }

  @Test
  void reader_that_is_interrupted_ends() throws Exception {
    TaskSpool spool = spool();
    try (Workload workload = Workload.growing(spool);
        TaskReader reader = workload.read()) {
      CompletableFuture<Throwable> why = new CompletableFuture<>();
      Thread waiting =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  var unused = reader.next();
                  why.complete(null);
                } catch (CloudKonException e) {
                  why.complete(e);
                }
              });
      waiting.interrupt();
      assertThat(why.get()).isInstanceOf(CloudKonException.class);
    }
  }

  @Test
  void lines_of_many_threads_stay_whole_and_have_their_ordinals_and_offsets() throws Exception {
    TaskSpool spool = spool();
    int threads = 8;
    int each = 500;
    try (Workload workload = Workload.growing(spool);
        TaskReader reader = workload.read()) {
      String[] byOrdinal = new String[threads * each];
      long[] offsets = new long[threads * each];
      List<Thread> writers =
          IntStream.range(0, threads)
              .mapToObj(t ->
                  Thread.ofVirtual()
                      .start(() -> {
                        for (int i = 0; i < each; i++) {
                          String id = "t%d-%d".formatted(t, i);
                          spool.append(
                              lines(id),
                              (line, ordinal, offset) -> {
                                byOrdinal[ordinal] = id;
                                offsets[ordinal] = offset;
                              });
                        }
                      }))
              .toList();
      List<String> read = new ArrayList<>();
      while (read.size() < threads * each) {
        Task task = reader.next();
        assertThat(reader.offset()).isEqualTo(offsets[task.ordinal()]);
        read.add(task.id());
      }
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(read).containsExactly(byOrdinal);
    }
  }

  /** So a killed process leaves nothing of it, and the JVM need not remember its path. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void temporary_spool_has_no_name_and_is_read_all_the_same() throws Exception {
    TaskSpool spool = TaskSpool.temporary();
    assertThat(Path.of(spool.name())).doesNotExist();
    try (Workload workload = Workload.growing(spool);
        TaskReader reader = workload.read()) {
      append(spool, "a", "b");
      assertThat(reader.next().id()).isEqualTo("a");
      assertThat(reader.next().id()).isEqualTo("b");
      append(spool, "c");
      try (InputStream second = spool.again(lines("a").getFirst().length + 1L)) {
        Thread.currentThread().interrupt();
        assertThat(new String(second.readAllBytes(), UTF_8))
            .isEqualTo("{\"id\":\"b\",\"noop\":true}\n{\"id\":\"c\",\"noop\":true}\n");
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(reader.next().id()).isEqualTo("c");
    }
    assertThatThrownBy(() -> spool.again(0).readAllBytes()).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> append(spool, "d")).isInstanceOf(CloudKonException.class);
  }
}
