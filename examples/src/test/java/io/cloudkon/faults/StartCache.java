package io.cloudkon.faults;

import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM learns of the worker's start, kept for later ones (JEP 514): a start from it takes a
 * third of the work, and the crash tests start more than a hundred.
 */
final class StartCache {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static @Nullable Path cache;

  private StartCache() {}

  /** The options by which a worker starts from the cache, which is made at the first call. */
  static synchronized List<String> options() {
    if (cache == null) {
      cache = make();
    }
    return List.of("-XX:AOTCache=" + cache, "-Xlog:disable", "-Xlog:all=off");
  }

  private static List<String> workload(Numbers numbers) {
    List<String> lines = new ArrayList<>(numbers.workload(1000, 2));
    lines.add("hpc 2 exec true");
    lines.add("hpc 2 java barrier");
    return lines;
  }

  /** A worker is watched while it does what the later ones will do, and ends. */
  private static Path make() {
    try (TestCluster cluster = new TestCluster()) {
      Path folder = Files.createTempDirectory("cloudkon-start-cache");
      Path made = folder.resolve("worker.aot");
      made.toFile().deleteOnExit();
      Numbers numbers = new Numbers(folder);
      try (ClientProcess client =
          ClientProcess.start(
              cluster, folder, Consistency.AT_MOST_ONCE, workload(numbers), Map.of())) {
        await().atMost(LIMIT).until(() -> cluster.messages() > 0);
        Recipe recipe =
            new Recipe(cluster, folder)
                .jvm("-XX:AOTCacheOutput=" + made, "-Xlog:disable", "-Xlog:all=off")
                .shortLease()
                .with("--handlers", numbers.handlers(), "--exit-when-idle", "3s");
        try (Running training = recipe.run()) {
          client.awaitExit(LIMIT);
          int code = training.awaitExit(LIMIT);
          if (code != 0 || !Files.exists(made)) {
            throw new AssertionError("no cache, exit code " + code + ": " + training.stderr());
          }
        }
      }
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
