package io.cloudkon.client.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.client.dead.DeadLetterBox;
import io.cloudkon.client.report.Journal;
import io.cloudkon.client.report.JournalEntry;
import io.cloudkon.client.report.JournalEntry.BundleRange;
import io.cloudkon.client.report.JournalEntry.Confirmed;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.JournalFile;
import io.cloudkon.client.status.Clusters;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.client.workload.WorkloadFormat;
import io.cloudkon.core.codec.DeadLetters;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunEntry.State;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Child;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.testing.Intercepted;
import io.cloudkon.core.testing.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finds the facts: in a cluster in memory and a run's folder. */
class ExplainerTest {
  private final ManualTime time = new ManualTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  @TempDir private Path here;

  @BeforeEach
  void open_run_of_six_tasks() throws IOException {
    create("r1", State.OPEN);
    folder("r1", "a b c d e f");
  }

  private void create(String run, State state) {
    assertThat(
            cluster.runs().create(Clusters.run(run, state, time.serviceMillis() + 10_000, 6, 4, 1)))
        .isTrue();
  }

  /** Two bundles of two tasks are sent, the last two tasks are not. */
  private Path folder(String run, String ids) throws IOException {
    return folder(run, ids, ClaimScope.BUNDLE);
  }

  private Path folder(String run, String ids, ClaimScope claim) throws IOException {
    return folder(run, ids, claim, 0);
  }

  /** The same; with ranks, of HPC jobs only, each alone in its bundle. */
  private Path folder(String run, String ids, ClaimScope claim, int ranks) throws IOException {
    StringBuilder lines = new StringBuilder();
    String job = ranks == 0 ? "" : ", \"ranks\": " + ranks;
    for (String id : ids.split(" ")) {
      lines.append("{\"id\": \"%s\", \"noop\": true%s}\n".formatted(id, job));
    }
    Path workload = Files.writeString(here.resolve(run + ".jsonl"), lines);
    Path folder = Files.createDirectory(here.resolve("cloudkon-" + run));
    String digest;
    try (Workload read =
        Workload.open(workload.toString(), InputStream.nullInputStream(), WorkloadFormat.AUTO)) {
      digest = read.summary().orElseThrow().sha256();
    }
    try (Journal journal = JournalFile.create(folder.resolve("journal"))) {
      journal.append(
          List.<JournalEntry>of(
              new RunHeader(
                  run,
                  "e",
                  Consistency.EXACTLY_ONCE,
                  claim,
                  "c",
                  "Q",
                  digest,
                  workload.toString(),
                  6,
                  65_536,
                  0,
                  0,
                  List.of()),
              new BundleRange(0, 0, ranks == 0 ? 2 : 1, 0, 1, 1, ranks),
              new BundleRange(1, ranks == 0 ? 2 : 1, ranks == 0 ? 2 : 1, 50, 3, 1, ranks),
              new Confirmed(List.of(0, 1), 1, time.wallMicros())));
    }
    Files.writeString(
        folder.resolve("results.jsonl"),
        "{\"task\":\"a\",\"index\":0,\"status\":\"SUCCEEDED\",\"exitCode\":0,\"worker\":\"w1\",\"attempt\":1,\"tries\":1,\"stamps\":{\"finished\":5}}\n"
            + "{\"task\":\"b\",\"ind");
    return folder;
  }

  private String explain(String text) throws InterruptedException {
    return explain(text, Optional.empty());
  }

  private String explain(String text, Optional<Path> out) throws InterruptedException {
    Target target = Target.of(cluster, text, out, here);
    DeadLetterBox box = new DeadLetterBox(cluster.dead(), time, Duration.ZERO);
    return String.join("\n", new Explainer(cluster, box, time).explain(target));
  }

  private void claim(String bundle, String owner) {
    long now = time.serviceMillis();
    var unused =
        cluster
            .claims()
            .acquire(
                new Acquisition(
                    bundle,
                    Acquisition.Mode.TAKE_OVER,
                    owner,
                    "n",
                    now + 15_000,
                    now - 2_000,
                    0,
                    Positions.none(),
                    now / 1000 + 1000));
  }

  /** Each was said to be of a client that died. */
  @Test
  void journal_of_another_version_is_told_from_one_that_ends_before_its_header() throws Exception {
    Path journal = Files.createDirectory(here.resolve("out")).resolve("journal");
    Files.createFile(journal);
    assertThatThrownBy(() -> explain("out"))
        .isInstanceOf(LocalFileException.class)
        .hasMessageContaining("its client died before it sent anything");
    Files.writeString(journal, "run 99 of another shape\n");
    assertThatThrownBy(() -> explain("out"))
        .isInstanceOf(LocalFileException.class)
        .hasMessageContaining(
            journal + " does not name its run: it is damaged, or of another version")
        .hasMessageNotContaining("died");
  }

  @Test
  void run_is_explained_from_the_cluster() throws Exception {
    assertThat(explain("r1")).contains("Run r1 is open: 6 tasks, 4 sent, 1 finished.");
  }

  @Test
  void run_is_found_by_its_folder() throws Exception {
    create("r2", State.OPEN);
    Files.move(folder("r2", "a b c d e f"), here.resolve("mine"));

    assertThat(explain("mine")).contains("Run r2 is open: 6 tasks");
    assertThat(explain("./mine/")).contains("Run r2 is open: 6 tasks");
    assertThat(explain("mine/b")).contains("Task b of run r2: number 2 of 6");
    assertThat(explain("./mine/b")).contains("Task b of run r2: number 2 of 6");
  }

  @Test
  void finished_task_is_found_in_the_results() throws Exception {
    assertThat(explain("r1/a"))
        .contains("Task a of run r1: number 1 of 6.", "SUCCEEDED on worker w1");
  }

  @Test
  void task_whose_line_is_half_written_has_no_result_yet() throws Exception {
    assertThat(explain("r1/b")).contains("number 2 of 6", "No worker has claimed it");
  }

  @Test
  void task_behind_the_last_bundle_is_not_sent() throws Exception {
    assertThat(explain("r1/e"))
        .contains("number 5 of 6", "It is not sent yet: the bundles so far contain 4 tasks");
  }

  @Test
  void claim_tells_who_has_the_task() throws Exception {
    claim("r1/e/1", "w7");

    assertThat(explain("r1/d")).contains("Worker w7 has claimed its bundle: attempt 1");
  }

  @Test
  void claim_of_the_task_itself_tells_who_has_it() throws Exception {
    create("r2", State.OPEN);
    folder("r2", "a b c d e f", ClaimScope.TASK);
    claim(BundleIds.taskClaim("r2/e/1", 1), "w7");

    assertThat(explain("r2/d"))
        .contains("in bundle r2/e/1 of 2 tasks", "Worker w7 has claimed it: attempt 1");
    assertThat(explain("r2/c")).contains("No worker has claimed it");
  }

  @Test
  void job_is_looked_for_in_the_ledger() throws Exception {
    create("r2", State.OPEN);
    folder("r2", "a b", ClaimScope.TASK, 3);
    long now = time.serviceMillis();
    CapacityLedger ledger = cluster.hpc().ledger();
    assertThat(ledger.change(new LedgerChange.Join("t", Share.ofWorker("w7", 2, now + 15_000))))
        .isTrue();
    ledger.put(new Waiting("r2/e/1", 3, now - 5_000, "w7", now + 15_000));

    assertThat(explain("r2/b"))
        .contains(
            "in bundle r2/e/1, an HPC job of 3 ranks.",
            "Worker w7 has received it. It needs 3 slots at the same time",
            "the live workers that take HPC jobs have 2 slots in total");

    claim("r2/e/1", "w7");
    ledger.removeWaiting("r2/e/1", "w7");
    assertThat(explain("r2/b")).contains("Worker w7 manages it: attempt 1");
  }

  @Test
  void task_is_followed_to_the_child_that_has_it() throws Exception {
    claim("r1/e/1", "w7");
    var split =
        cluster
            .claims()
            .write(
                new ClaimWrite(
                    "r1/e/1",
                    1,
                    "n",
                    1,
                    ClaimState.LEASED,
                    ClaimState.LEASED,
                    time.serviceMillis() + 15_000,
                    0,
                    Positions.none(),
                    Positions.none(),
                    new TreeMap<>(Map.of(0, new Child(Positions.of(1), false))),
                    time.serviceMillis() / 1000 + 1000));
    assertThat(split).isInstanceOf(ClaimAnswer.Accepted.class);
    claim("r1/e/1/0", "w8");

    assertThat(explain("r1/d"))
        .contains("handed on to child bundle r1/e/1/0", "Worker w8 has claimed its bundle");
    assertThat(explain("r1/c")).contains("Worker w7 has claimed its bundle");
  }

  @Test
  void dead_letter_of_the_task_is_found_and_left() throws Exception {
    BundleHeader header =
        new BundleHeader("r1", "e", "r1/e/1", "Q-response-c", Consistency.EXACTLY_ONCE, 1, 1, 1, 0);
    Bundle failed = new Bundle(header, List.of(new Task(3, "d", Work.Noop.INSTANCE, 0)));
    assertThat(cluster.dead().send(List.of(DeadLetters.of(failed, "its worker died")))).isEmpty();

    assertThat(explain("r1/d")).contains("It is in dead letter", "(its worker died)");
    assertThat(explain("r1/c")).doesNotContain("dead letter");
    assertThat(cluster.dead().depth().waiting()).isEqualTo(1);
  }

  @Test
  void unknown_task_is_refused() {
    assertThatThrownBy(() -> explain("r1/zz"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("run r1 has no task 'zz'");
  }

  @Test
  void bare_id_is_a_task_of_the_only_open_run_here() throws Exception {
    create("r2", State.OPEN);
    create("r3", State.ENDED);
    folder("r3", "a b c d e f");

    assertThat(explain("c")).contains("Task c of run r1");
  }

  @Test
  void bare_id_of_several_open_runs_is_refused() throws Exception {
    create("r2", State.OPEN);
    folder("r2", "a b c d e f");

    assertThatThrownBy(() -> explain("c"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("any of 2 open runs", "RUN/c");
  }

  @Test
  void what_is_neither_run_nor_task_is_refused() throws Exception {
    Files.delete(here.resolve("cloudkon-r1/journal"));

    assertThatThrownBy(() -> explain("nonsense"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("'nonsense' is not a run of cluster Q")
        .hasMessageContaining("cloudkon status -s Q");
  }

  @Test
  void without_its_folder_a_task_is_told_by_its_run() throws Exception {
    create("r2", State.OPEN);

    assertThat(explain("r2/c"))
        .contains("Task c cannot be looked up", "cloudkon-r2", "--out DIR", "Run r2 is open");
  }

  /** Only the folder's usual name was known. */
  @Test
  void folder_may_have_a_name_of_its_own() throws Exception {
    Files.move(here.resolve("cloudkon-r1"), here.resolve("results"));

    assertThat(explain("r1/c")).contains("Task c of run r1").doesNotContain("cannot be looked up");
    assertThat(explain("c")).contains("Task c of run r1");
  }

  @Test
  void folder_may_lie_elsewhere() throws Exception {
    Path elsewhere = here.resolve("elsewhere");
    Files.move(here.resolve("cloudkon-r1"), elsewhere);

    assertThat(explain("r1/c", Optional.of(elsewhere))).contains("Task c of run r1");
    assertThat(explain("c", Optional.of(elsewhere))).contains("Task c of run r1");
  }

  @Test
  void folder_of_another_run_or_of_none_is_refused() {
    create("r2", State.OPEN);
    Path other = here.resolve("cloudkon-r1");

    assertThatThrownBy(() -> explain("r2/c", Optional.of(other)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("belong to run r1, not to run r2");
    assertThatThrownBy(() -> explain("r1/c", Optional.of(here)))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no journal");
  }

  @Test
  void workload_that_was_changed_is_not_trusted() throws Exception {
    Files.writeString(here.resolve("r1.jsonl"), "{\"id\": \"c\", \"noop\": true}\n");

    assertThatThrownBy(() -> explain("r1/c"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("has changed since it was sent");
    assertThat(explain("r1/a")).contains("SUCCEEDED");
  }

  @Test
  void ids_with_slashes_are_ids() throws Exception {
    create("r4", State.OPEN);
    folder("r4", "x/1 x/2");

    assertThat(explain("r4/x/2")).contains("Task x/2 of run r4: number 2");
  }

  private void letters(int count) {
    BundleHeader header =
        new BundleHeader("r1", "e", "r1/e/1", "Q-response-c", Consistency.EXACTLY_ONCE, 1, 1, 1, 0);
    for (int i = 0; i < count; i++) {
      Bundle failed = new Bundle(header, List.of(new Task(i, "t" + i, Work.Noop.INSTANCE, 0)));
      assertThat(cluster.dead().send(List.of(DeadLetters.of(failed, "its worker died")))).isEmpty();
    }
  }

  /** Reading hides them from others. */
  @Test
  void dead_letters_are_read_only_for_an_open_run_with_unfinished_tasks() throws Exception {
    letters(1);
    create("r2", State.ENDED);
    create("r3", State.CANCELLED);
    Cluster unread =
        Intercepted.dead(
            cluster,
            (method, arguments, call) -> {
              assertThat(method).isNotEqualTo("receive");
              return call.make();
            });
    DeadLetterBox box = new DeadLetterBox(unread.dead(), time, Duration.ZERO);

    for (String run : List.of("r2", "r3")) {
      Target target = Target.of(unread, run, Optional.empty(), here);
      assertThat(new Explainer(unread, box, time).explain(target)).last().isEqualTo(NOT_READ);
    }
    assertThat(explain("r1")).contains("The run has 1 dead letter").doesNotContain("not read");
  }

  private static final String NOT_READ =
      "Cluster Q has 1 dead letter, which was not read: to see whether one is of this run, list it"
          + " with: cloudkon dead list -s Q";

  @Test
  void dead_letters_are_not_read_for_a_task_with_a_result_here() throws Exception {
    letters(1);
    Files.writeString(
        here.resolve("cloudkon-r1/results.jsonl"),
        """
        {"task":"a","index":0,"status":"SUCCEEDED","exitCode":0,"worker":"w1","attempt":1,"tries":1,"stamps":{"finished":5}}
        {"task":"b","index":1,"status":"FAILED","worker":"","attempt":5,"tries":1,"error":"its worker died","stamps":{"finished":5}}
        """);

    assertThat(explain("r1/a")).contains("SUCCEEDED").doesNotContain("dead letter");
    assertThat(explain("r1/b")).contains("FAILED").endsWith(NOT_READ);
  }

  @Test
  void run_whose_tasks_all_succeeded_has_no_dead_letters() throws Exception {
    letters(1);
    long lease = time.serviceMillis();
    RunEntry ended = Clusters.run("r2", State.ENDED, lease, 1, 1, 1);
    assertThat(cluster.runs().create(ended)).isTrue();

    assertThat(explain("r2")).contains("Run r2 has ended").doesNotContain("dead letter");
  }

  @Test
  void not_all_of_many_dead_letters_are_read() throws Exception {
    letters(Explainer.MOST_LETTERS + 10);

    assertThat(explain("r1"))
        .contains("The run has 1,000 dead letters")
        .endsWith(
            "Only 1,000 dead letters were read, so there may be more of this run; list all with:"
                + " cloudkon dead list -s Q");
    assertThat(cluster.dead().depth().waiting()).isEqualTo(Explainer.MOST_LETTERS + 10);
  }
}
