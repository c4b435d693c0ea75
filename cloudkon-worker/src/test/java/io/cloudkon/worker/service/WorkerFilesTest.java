package io.cloudkon.worker.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.CollectedFiles;
import io.cloudkon.core.model.CollectedFiles.LeftOut;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.TaskFiles;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.ship.Tree;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.worker.input.Blobs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole workers whose tasks have files of their own, or bring some back. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerFilesTest {
  private static final CollectRule OUT = CollectRule.NONE.of(List.of("out/*"));

  @TempDir Path temp;
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  @Test
  void tasks_own_files_lie_in_a_fresh_directory_and_cost_one_get_for_each_content()
      throws Exception {
    try (WorkerBed bed = bed()) {
      bed.directory = Files.createDirectory(temp.resolve("configured"));
      bed.files = inputs(bed, "in/a b", "$HOME", "-x");
      bed.sendWork(
          Collections.nCopies(8, Work.Exec.shell("cat in/'a b' './$HOME' ./-x; touch made; ls")),
          0);
      bed.worker(counted(bed, method -> {}), null);

      assertThat(bed.awaitResults().values())
          .allSatisfy(r ->
              assertThat(text(r.stdout())).isEqualTo("same\nsame\nsame\n$HOME\n-x\nin\nmade\n"));
      assertThat(calls).containsExactly("get");
      assertThat(bed.directory).isEmptyDirectory();
    }
  }

  @Test
  void command_starts_in_a_folder_that_only_its_files_make() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.files = inputs(bed, "case/in");
      bed.sendWork(
          List.of(
              new Work.Exec(List.of("cat", "in"), "case", Map.of(), new byte[0]),
              new Work.Exec(List.of("cat", "in"), "other", Map.of(), new byte[0])),
          0);
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      assertThat(text(results.get(0).stdout())).isEqualTo("same\n");
      assertThat(results.get(1).status()).isEqualTo(TaskStatus.FAILED);
    }
  }

  @Test
  void what_matches_lies_in_the_blob_store_before_the_result_that_names_it() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.collect = OUT;
      bed.sendWork(
          List.of(
              Work.Exec.shell("mkdir out; echo a > out/a; echo b > out/b; ln -s a out/c"),
              Work.Exec.shell("true"),
              Work.Exec.shell("mkdir out; echo a > out/a; exit 1"),
              Work.Noop.INSTANCE),
          0);
      bed.worker(counted(bed, method -> {}), null);

      Map<Integer, TaskResult> results = bed.awaitResults();

      CollectedFiles files = results.get(0).files();
      assertThat(files.count()).isEqualTo(2);
      assertThat(files.leftOut()).extracting(LeftOut::name).containsExactly("out/c");
      assertThat(files.key()).startsWith(BlobKeys.out(bed.run, bed.run + "/e1/0"));
      assertThat(BlobKeys.isFiles(files.key())).isTrue();
      assertThat(unpacked(bed, files)).hasContent("a\n");
      assertThat(results.get(1).status()).isEqualTo(TaskStatus.SUCCEEDED);
      assertThat(results.get(1).files().leftOut())
          .containsExactly(new LeftOut("out/*", "nothing matches this pattern"));
      assertThat(results.get(2).files()).isEqualTo(CollectedFiles.NONE);
      assertThat(results.get(3).files()).isEqualTo(CollectedFiles.NONE);
      assertThat(calls).containsExactly("put");
    }
  }

  @Test
  void task_that_fails_brings_back_the_files_of_its_last_try_only_where_that_is_asked_for()
      throws Exception {
    try (WorkerBed bed = bed()) {
      bed.collect = new CollectRule(List.of("log"), true, 100, 100);
      bed.retries = 2;
      bed.sendWork(List.of(Work.Exec.shell("echo said > log; exit 3")), 0);
      bed.worker(counted(bed, method -> {}), null);

      TaskResult result = bed.awaitResults().get(0);

      assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
      assertThat(result.tries()).isEqualTo(3);
      assertThat(result.files().count()).isEqualTo(1);
      assertThat(calls).containsExactly("put");
    }
  }

  @Test
  void task_says_itself_what_it_brings_back() throws Exception {
    try (WorkerBed bed = bed()) {
      bed.collect = OUT;
      bed.files = new TaskFiles(List.of(), List.of("mine"));
      bed.sendWork(List.of(Work.Exec.shell("mkdir out; touch out/a mine")), 0);
      bed.files = new TaskFiles(List.of(), List.of());
      bed.sendWork(List.of(Work.Exec.shell("mkdir out; touch out/a mine")), 0);
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      assertThat(results.get(0).files().count()).isEqualTo(1);
      assertThat(results.get(1).files()).isEqualTo(CollectedFiles.NONE);
    }
  }

  @Test
  void task_whose_files_the_store_refuses_has_failed_and_does_not_run_again() throws Exception {
    Path ran = temp.resolve("ran");
    try (WorkerBed bed = bed()) {
      bed.collect = OUT;
      bed.retries = 3;
      bed.sendWork(
          List.of(Work.Exec.shell("mkdir out; touch out/a; echo done; echo x >> " + ran)), 0);
      bed.worker(
          counted(
              bed,
              method -> {
                throw MissingResourceException.bucket("b", "-s Q", null);
              }),
          null);

      TaskResult result = bed.awaitResults().get(0);

      assertThat(result.status()).isEqualTo(TaskStatus.FAILED);
      assertThat(result.error()).startsWith("its files could not be stored: ");
      assertThat(text(result.stdout())).isEqualTo("done\n");
      assertThat(result.files().error()).isEqualTo(result.error());
      assertThat(ran).hasContent("x\n");
    }
  }

  private static List<RuntimeException> passing() {
    return List.of(
        new TransientServiceException("planted", null),
        new CloudKonException("cannot read 'a': Too many open files"),
        new UncheckedIOException(new FileNotFoundException("a (Too many open files)")),
        new IllegalStateException("unexpected"));
  }

  @ParameterizedTest
  @MethodSource("passing")
  void failures_in_passing_are_repeated_and_the_task_runs_once(RuntimeException failure)
      throws Exception {
    Path ran = temp.resolve("ran");
    try (WorkerBed bed = bed()) {
      bed.collect = OUT;
      bed.sendWork(List.of(Work.Exec.shell("mkdir out; touch out/a; echo x >> " + ran)), 0);
      bed.worker(
          counted(
              bed,
              method -> {
                if (calls.size() < 4) {
                  throw failure;
                }
              }),
          null);

      assertThat(bed.awaitResults().get(0).files().count()).isEqualTo(1);
      assertThat(ran).hasContent("x\n");
      assertThat(calls).hasSize(4);
    }
  }

  @Test
  void worker_that_is_killed_while_it_stores_files_leaves_the_task_to_another() throws Exception {
    try (WorkerBed bed =
        new WorkerBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, WorkerBed.SHORT, temp)) {
      bed.collect = OUT;
      bed.sendWork(List.of(Work.Exec.shell("mkdir out; touch out/a")), 0);
      WorkerService waits =
          bed.worker(
              counted(
                  bed,
                  method -> {
                    throw new TransientServiceException("planted", null);
                  }),
              null);
      await().until(() -> calls.size() > 1);

      waits.kill();
      assertThat(waits.awaitEnd(Duration.ofSeconds(20))).isTrue();
      bed.worker();

      assertThat(bed.awaitResults().get(0).files().count()).isEqualTo(1);
    }
  }

  private WorkerBed bed() throws IOException {
    return new WorkerBed(
        Misbehaviour.none(), Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
  }

  private TaskFiles inputs(WorkerBed bed, String... paths) throws IOException {
    Path source = Files.writeString(temp.resolve("source"), "same\n");
    List<InputFile> files = new ArrayList<>();
    for (String path : paths) {
      files.add(Blobs.file(bed.reliable.blobs(), bed.run, source, path));
    }
    return new TaskFiles(files, null);
  }

  private Path unpacked(WorkerBed bed, CollectedFiles files) throws IOException {
    Path archive = temp.resolve("archive");
    assertThat(bed.reliable.blobs().get(files.key(), archive)).isTrue();
    Path folder = Files.createDirectory(temp.resolve("unpacked"));
    try (InputStream in = Files.newInputStream(archive)) {
      long unused = Tree.unpack(in, folder, 1 << 20);
    }
    return folder.resolve("out/a");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  /** The bed's cluster, but for its blob store: each call is counted, and does this first. */
  private Cluster counted(WorkerBed bed, Consumer<String> first) {
    return Intercepted.blobs(
        bed.cloud.cluster(WorkerBed.QUEUE),
        (method, arguments, call) -> {
          calls.add(method);
          first.accept(method);
          return call.make();
        });
  }
}
