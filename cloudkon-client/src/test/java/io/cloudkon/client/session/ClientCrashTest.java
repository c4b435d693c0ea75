package io.cloudkon.client.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.JournalReader;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.ship.Shipment;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients that die at any of their calls, before or after it had its effect, and are followed by
 * another one that finds what was on their disk at that moment.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT) // the seeds mostly wait
class ClientCrashTest {
  private static final int SEEDS = 120;
  private static final int TASKS = 90;

  @TempDir Path temp;
  private int folders;

  static IntStream seeds() {
    return IntStream.rangeClosed(1, SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void run_whose_clients_die_anywhere_is_whole_in_the_end(int seed) throws Exception {
    Random random = new Random(seed);
    Consistency mode = seed % 4 == 0 ? Consistency.AT_MOST_ONCE : Consistency.EXACTLY_ONCE;
    BundlerSettings bundler = new BundlerSettings(1 + random.nextInt(7), 20, 60 * 1024, true);
    List<String> lines = IntStream.range(0, TASKS).mapToObj(i -> "java echo " + i).toList();
    Ledger ledger = new Ledger();
    try (SessionBed bed = new SessionBed(Misbehaviour.none(), mode, lines, bundler, temp);
        Shipment shipment = Shipment.of(seed % 2 == 0 ? List.of(tool()) : List.of())) {
      SessionOptions ships =
          new SessionOptions(shipment::upload, false, () -> {}, line -> {}, Pause.real());
      Cluster clients = ledger.forClients(bed.reliable);
      if (random.nextBoolean()) {
        bed.worker(ledger.forWorkers(bed.reliable));
      }
      Path files = bed.folder;
      MortalCluster first = mortal(clients, random, files);
      boolean died = dies(first, () -> bed.run(bed.session(first.cluster(), ships)));
      for (int deaths = 1; died; deaths++) {
        files = kept();
        if (!begun(files)) {
          assertThat(ledger.sent()).isEmpty();
          cancelled(bed);
          return;
        }
        Set<Integer> confirmed = confirmed(files);
        var before = ledger.sent();
        if (deaths > 1 + random.nextInt(3)) {
          bed.worker(ledger.forWorkers(bed.reliable));
          died = false;
          assertThat(resumed(bed, clients, files)).isTrue();
        } else {
          MortalCluster next = mortal(clients, random, files);
          Path in = files;
          died = dies(next, () -> bed.resume(next.cluster(), in, SessionOptions.NONE));
        }
        var now = ledger.sent();
        confirmed.forEach(sequence ->
            assertThat(now.get(sequence))
                .as("bundle %d was confirmed", sequence)
                .isEqualTo(before.get(sequence)));
      }
      check(bed, ledger, files);
    }
  }

  private Path tool() throws IOException {
    return Files.writeString(temp.resolve("tool.sh"), "echo hi\n");
  }

  /** A client that may live to the end of the run, or find that it has ended. */
  private interface Life {
    RunEnd live() throws InterruptedException;
  }

  private boolean dies(MortalCluster client, Life life) throws InterruptedException {
    try {
      assertThat(life.live()).isEqualTo(RunEnd.COMPLETE);
      return client.dead();
    } catch (MortalCluster.Died e) {
      return true;
    } catch (UsageException e) {
      assertThat(e).hasMessageContaining("has ended");
      return false;
    } catch (CloudKonException e) {
      if (!client.dead()) {
        throw e;
      }
      return true;
    }
  }

  private static boolean resumed(SessionBed bed, Cluster clients, Path files)
      throws InterruptedException {
    try {
      return bed.resume(clients, files, SessionOptions.NONE) == RunEnd.COMPLETE;
    } catch (UsageException e) {
      assertThat(e).hasMessageContaining("has ended");
      return true;
    }
  }

  private MortalCluster mortal(Cluster clients, Random random, Path files) {
    int calls = 1 + random.nextInt(40);
    return new MortalCluster(clients, calls, random.nextBoolean(), () -> keep(files));
  }

  private Path kept() {
    return temp.resolve("kept-" + folders);
  }

  /** The results first: what was deleted from the queue by now is among them. */
  private void keep(Path files) {
    folders++;
    try {
      Files.createDirectories(kept());
      for (String name : List.of("results.jsonl", "journal")) {
        if (Files.exists(files.resolve(name))) {
          Files.copy(files.resolve(name), kept().resolve(name));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean begun(Path files) {
    try {
      return !RunFolder.resume(files).header().run().isEmpty();
    } catch (UsageException e) {
      return false;
    }
  }

  private static Set<Integer> confirmed(Path files) {
    Set<Integer> confirmed = new HashSet<>();
    JournalReader.read(
        files.resolve("journal"),
        entry -> {
          if (entry instanceof JournalEntry.Confirmed some) {
            confirmed.addAll(some.sequences());
          }
        });
    return confirmed;
  }

  private static void cancelled(SessionBed bed) throws InterruptedException {
    RunIdentity me = RunIdentity.fresh("Q", bed.identity.run(), new Random());
    CancelRun cancel =
        new CancelRun(
            bed.reliable,
            SessionBed.LEASE,
            me,
            new Ahead(bed.time, 60_000),
            millis -> {},
            line -> {},
            true,
            Optional.empty(),
            of -> CancelRun.Completed.ELSEWHERE);
    try {
      assertThat(cancel.cancel().line()).contains("is cancelled", "no client collects it");
    } catch (UsageException e) {
      assertThat(e).hasMessageContaining("has no run");
    }
    bed.assertNothingIsLeft();
  }

  private static void check(SessionBed bed, Ledger ledger, Path files) throws IOException {
    List<Integer> indices =
        Files.readAllLines(files.resolve("results.jsonl")).stream()
            .map(line -> Integer.valueOf(line.replaceFirst("^.*?\"index\":(\\d+).*$", "$1")))
            .sorted()
            .toList();
    assertThat(indices).isEqualTo(IntStream.range(0, TASKS).boxed().toList());
    assertThat(bed.statistics.count(TaskStatus.SUCCEEDED)).isIn(0L, (long) TASKS);
    await().untilAsserted(() -> assertThat(ledger.runs()).hasSize(TASKS)); // counted after a send
    assertThat(ledger.runs().values()).containsOnly(1);
    ledger
        .sent()
        .forEach((sequence, times) ->
            assertThat(times).as("bundle %d", sequence).allMatch(times.getFirst()::equals));
    assertThat(bed.state()).isEqualTo(RunEntry.State.ENDED);
    bed.assertNothingIsLeft();
  }
}
