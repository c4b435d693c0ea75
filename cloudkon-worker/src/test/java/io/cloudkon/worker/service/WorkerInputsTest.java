package io.cloudkon.worker.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.worker.input.Blobs;
import io.cloudkon.worker.input.Jars;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole workers whose tasks need the blob store: before they run, and for their results. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerInputsTest {
  @TempDir Path temp;

  @Test
  void shipped_files_lie_in_each_commands_directory_and_are_its_own() throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      bed.ships = List.of(tool(bed));
      String line = "cat tool/data; echo more >> tool/data; touch mine; ls";
      bed.sendWork(Collections.nCopies(20, Work.Exec.shell(line)), 0);
      bed.worker();

      assertThat(bed.awaitResults().values())
          .allSatisfy(r -> assertThat(text(r.stdout())).isEqualTo("data\nmine\ntool\n"))
          .allSatisfy(r -> assertThat(r.usage().stagingMicros()).isPositive());
    }
  }

  @Test
  void command_with_something_shipped_leaves_the_configured_directory_alone() throws Exception {
    Path configured = Files.createDirectory(temp.resolve("configured"));
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      bed.directory = configured;
      bed.ships = List.of(tool(bed));
      bed.sendWork(List.of(Work.Exec.shell("cat tool/data; touch made")), 0);
      bed.ships = List.of();
      bed.sendWork(List.of(Work.Exec.shell("ls; touch here")), 0);
      bed.worker();

      assertThat(text(bed.awaitResults().get(0).stdout())).isEqualTo("data\n");
      assertThat(text(bed.awaitResults().get(1).stdout())).isEmpty();
      assertThat(configured.resolve("here")).exists();
      assertThat(configured.resolve("made")).doesNotExist();
    }
  }

  @Test
  void handler_of_a_shipped_jar_is_known_to_its_run_only() throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      Path jar = Jars.with(Files.createDirectory(temp.resolve("j")).resolve("mine.jar"), "mine");
      Work.JavaCall call = new Work.JavaCall("mine", List.of());
      bed.sendWork(List.of(call), 0);
      bed.ships = List.of(Blobs.ship(bed.reliable.blobs(), bed.run, jar));
      bed.sendWork(List.of(call, new Work.JavaCall("echo", List.of("own"))), 0);
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      assertThat(results.get(0).status()).isEqualTo(TaskStatus.FAILED);
      assertThat(results.get(0).error()).contains("no handler 'mine'", "--ship");
      assertThat(text(results.get(1).output())).isEqualTo("mine");
      assertThat(text(results.get(2).output())).isEqualTo("own");
    }
  }

  @Test
  void what_cannot_be_had_fails_its_tasks_with_the_reason_and_nobody_elses() throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      Content absent = new Content("1".repeat(64), 10, "tool");
      bed.ships = List.of(absent);
      bed.sendWork(Collections.nCopies(3, Work.Exec.shell("true")), 0);
      bed.sendWork(List.of(new Work.Sleep(1)), 0);
      bed.ships = List.of();
      bed.sendWork(List.of(new Work.Stored(Work.Kind.EXEC, absent)), 0);
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      for (int i : new int[] {0, 1, 2, 4}) {
        assertThat(results.get(i).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(results.get(i).error()).contains("no longer in the blob store");
      }
      assertThat(results.get(3).status()).isEqualTo(TaskStatus.SUCCEEDED);
      bed.awaitClaimsDone();
    }
  }

  @Test
  void stored_work_and_stored_results_pass_through_a_storm_of_faults() throws Exception {
    try (WorkerBed bed =
        new WorkerBed(Misbehaviour.storm(5), Consistency.EXACTLY_ONCE, WorkerBed.SHORT, temp)) {
      bed.captureBytes = 8 << 20;
      bed.ships = List.of(tool(bed));
      byte[] stdin = new byte[3 << 20];
      Arrays.fill(stdin, (byte) 'x');
      Work.Exec cat = new Work.Exec(List.of("cat"), null, Map.of(), stdin);
      Content content = Blobs.put(bed.reliable.blobs(), bed.run, BundleCodec.encodeWork(cat), "");
      bed.sendWork(Collections.nCopies(4, new Work.Stored(Work.Kind.EXEC, content)), 0);
      bed.sendWork(Collections.nCopies(20, Work.Exec.shell("cat tool/data")), 0);
      bed.worker();
      bed.worker();

      Map<Integer, TaskResult> results = bed.awaitResults();

      assertThat(results.values()).allSatisfy(r -> assertThat(r.error()).isEmpty());
      assertThat(results.get(0).stdout()).isEqualTo(stdin);
      assertThat(text(results.get(10).stdout())).isEqualTo("data\n");
      bed.awaitClaimsDone();
    }
  }

  @Test
  void result_of_three_megabytes_arrives_whole() throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      bed.captureBytes = 4 << 20;
      bed.sendWork(List.of(Work.Exec.shell("head -c 3000000 /dev/zero; exit 4")), 0);
      bed.worker();

      TaskResult result = bed.awaitResults().get(0);

      assertThat(result.exitCode()).isEqualTo(4);
      assertThat(result.stdout()).hasSize(3_000_000);
      bed.awaitClaimsDone();
      assertThat(bed.reliable.blobs().list(BlobKeys.run(bed.run))).hasSize(1);
    }
  }

  @Test
  void task_whose_outputs_cannot_be_stored_ends_with_the_beginning_of_them() throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      bed.captureBytes = 4 << 20;
      bed.sendWork(List.of(Work.Exec.shell("head -c 3000000 /dev/zero")), 0);
      bed.worker(
          withBlobs(
              bed,
              () -> {
                throw MissingResourceException.bucket("b", "-s Q", null);
              }),
          null);

      TaskResult result = bed.awaitResults().get(0);

      assertThat(result.status()).isEqualTo(TaskStatus.SUCCEEDED);
      assertThat(result.stdoutBytes()).isEqualTo(3_000_000);
      assertThat(result.stdout().length).isBetween(900_000, 1 << 20);
    }
  }

  @Test
  void drain_ends_a_worker_whose_slots_wait_for_a_fetch_and_gives_their_tasks_back()
      throws Exception {
    AtomicInteger asked = new AtomicInteger();
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      bed.ships = List.of(tool(bed));
      bed.sendWork(Collections.nCopies(4, Work.Exec.shell("cat tool/data")), 0);
      WorkerService waits =
          bed.worker(
              withBlobs(
                  bed,
                  () -> {
                    asked.incrementAndGet();
                    throw new TransientServiceException("planted", null);
                  }),
              null);
      await().until(() -> asked.get() > 2);

      waits.drain();

      assertThat(waits.awaitEnd(Duration.ofSeconds(10))).isTrue();
      assertThat(waits.failed()).isFalse();
      bed.worker();
      assertThat(bed.awaitResults().values())
          .allSatisfy(r -> assertThat(r.status()).isEqualTo(TaskStatus.SUCCEEDED));
    }
  }

  @Test
  void results_whose_queue_is_gone_end_in_the_blob_store_and_their_bundle_completes()
      throws Exception {
    try (WorkerBed bed = bed(Misbehaviour.none())) {
      bed.replyTimeout = Duration.ofMillis(300);
      bed.send(30, "fine");
      bed.reliable.responses().remove(bed.responses);
      bed.worker();

      bed.awaitClaimsDone();

      assertThat(bed.reliable.blobs().list(BlobKeys.run(bed.run) + "out/")).isNotEmpty();
      assertThat(IntStream.range(0, 30).map(bed::starts)).containsOnly(1);
    }
  }

  private WorkerBed bed(Misbehaviour misbehaviour) throws Exception {
    return new WorkerBed(misbehaviour, Consistency.EXACTLY_ONCE, LeaseSettings.DEFAULT, temp);
  }

  private Content tool(WorkerBed bed) throws Exception {
    Path tool = Files.createDirectory(temp.resolve("tool"));
    Files.writeString(tool.resolve("data"), "data\n");
    return Blobs.ship(bed.reliable.blobs(), bed.run, tool);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  /** The bed's cluster, but for its blob store, of which every call does this first. */
  private static Cluster withBlobs(WorkerBed bed, Runnable first) {
    return Intercepted.blobs(
        bed.cloud.cluster(WorkerBed.QUEUE),
        (method, arguments, call) -> {
          first.run();
          return call.make();
        });
  }
}
