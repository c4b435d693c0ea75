package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is far too large for messages, there and back through the blob store. */
@Tag("slow")
class LargePayloadsIT {
  private static final int INPUT_BYTES = 50_000_000;
  private static final int PARTS = 30;
  private static final int PART_BYTES = 10_000_000;
  private static final int WORKERS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String HEAP = "-Xmx1500m";

  @TempDir private Path folder;
  @AutoClose private final TestCluster cluster = new TestCluster();

  @Test
  void fifty_megabytes_go_into_one_task_and_come_out_of_it() throws Exception {
    String input = letters(INPUT_BYTES);
    Path workload = folder.resolve("workload.jsonl");
    Files.writeString(
        workload, "{\"id\":\"large\",\"exec\":[\"cat\"],\"stdin\":\"" + input + "\"}\n");

    try (WorkerProcess worker = new Recipe(cluster, folder).jvm(HEAP).start();
        Running client = client(workload, "--capture", "64MiB")) {
      assertThat(client.awaitExit(LIMIT)).as(client.stderr() + worker.stderr()).isZero();
    }

    List<JsonNode> results = results();
    assertThat(results).hasSize(1);
    JsonNode result = results.getFirst();
    assertThat(result.get("status").asText()).isEqualTo("SUCCEEDED");
    assertThat(result.get("stdout").asText().equals(input)).as("the same came back").isTrue();
    assertThat(cluster.ports().blobs().list("")).isEmpty();
  }

  @Test
  void large_folder_is_fetched_once_by_each_worker_and_leaves_nothing_behind() throws Exception {
    Path data = Files.createDirectory(folder.resolve("data"));
    String digest = fill(data);
    String line = "exec cat data/part-* | sha256sum && rm -r data && sleep 3";
    Path workload =
        Files.write(folder.resolve("workload.txt"), Collections.nCopies(3 * WORKERS, line));
    List<WorkerProcess> workers = new ArrayList<>();

    try {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(
            new Recipe(cluster, folder)
                .slots(1)
                .environment("CLOUDKON_LOG", "INFO")
                .start()
                .awaitReady());
      }
      try (Running client = client(workload, "--ship", data.toString(), "--bundle", "1")) {
        assertThat(client.awaitExit(LIMIT)).as(client.said()).isZero();
      }

      assertThat(results())
          .hasSize(3 * WORKERS)
          .allSatisfy(
              result -> assertThat(result.get("stdout").asText()).isEqualTo(digest + "  -\n"));
      assertThat(workers)
          .allSatisfy(
              worker -> assertThat(worker.stderr()).containsOnlyOnce("fetched the shipped 'data'"));
      assertThat(cluster.ports().blobs().list("")).isEmpty();
    } finally {
      workers.forEach(WorkerProcess::close);
    }
  }

  private Running client(Path workload, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of("-s", cluster.name(), "-w", workload.toString(), "--out", out().toString()));
    arguments.addAll(List.of(options));
    return Processes.start(
        "cloudkon-client", List.of(HEAP), arguments, cluster.environment(), folder);
  }

  private Path out() {
    return folder.resolve("results");
  }

  private List<JsonNode> results() throws IOException {
    ObjectMapper json =
        new ObjectMapper(
            JsonFactory.builder()
                .streamReadConstraints(
                    StreamReadConstraints.builder().maxStringLength(2 * INPUT_BYTES).build())
                .build());
    List<JsonNode> results = new ArrayList<>();
    for (String line : Files.readAllLines(out().resolve("results.jsonl"))) {
      results.add(json.readTree(line));
    }
    return results;
  }

  private static String letters(int count) {
    return new Random(1)
        .ints(count, 'a', 'z' + 1)
        .collect(
            () -> new StringBuilder(count), StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Fills a folder with what cannot be compressed; gives the digest of all of it. */
  private static String fill(Path data) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    Random random = new Random(2);
    byte[] part = new byte[PART_BYTES];
    for (int i = 0; i < PARTS; i++) {
      random.nextBytes(part);
      digest.update(part);
      Files.write(data.resolve("part-%02d".formatted(i)), part);
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
