package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.faults.WorkerProcess.Recipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client killed with SIGKILL again and again, and resumed each time. */
@Tag("slow")
class ClientKillsIT {
  private static final int KILLS = 32;
  private static final int TASKS = 3_000;
  private static final int MILLIS = 40;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A client's life, from before it is ready to where the first ones have sent everything. */
  private static final int LONGEST_LIFE_MILLIS = 2_500;

  private final Random random = new Random(3);

  @TempDir private Path folder;

  @Test
  void clients_killed_at_random_moments_and_resumed_lose_nothing_and_repeat_nothing()
      throws Exception {
    Numbers first = new Numbers(folder);
    try (TestCluster cluster = new TestCluster()) {
      Recipe recipe =
          new Recipe(cluster, folder)
              .slots(4)
              .with("--handlers", first.handlers(), "--heartbeat", "off");
      try (WorkerProcess one = recipe.start();
          WorkerProcess two = recipe.start()) {
        one.awaitReady();
        two.awaitReady();
        int kills = 0;
        for (int run = 0; kills < KILLS; run++) {
          kills += runWithKills(cluster, "killed-" + run, KILLS - kills);
        }
        // A run ends with its last result; the message behind it is deleted after that.
        await().atMost(LIMIT).until(() -> cluster.messages() == 0);
      }
      assertThat(cluster.responseQueues()).isEmpty();
      assertThat(cluster.claims("LEASED")).isEmpty();
    }
  }

  /** One run to its end, with so many kills at most; says how many there were. */
  private int runWithKills(TestCluster cluster, String run, int most) throws Exception {
    Path home = Files.createDirectory(folder.resolve(run));
    Numbers numbers = new Numbers(home);
    ClientProcess client =
        ClientProcess.start(
            cluster,
            home,
            Consistency.EXACTLY_ONCE,
            numbers.workload(TASKS, MILLIS),
            Map.of(),
            "--run-id",
            run,
            "--bundle",
            "3");
    int kills = 0;
    try {
      await().atMost(LIMIT).until(() -> begun(home));
      while (kills < most && livesOn(client)) {
        client.kill();
        kills++;
        letGo(cluster.ports().runs(), run);
        client = ClientProcess.resume(cluster, home, run);
      }
      int code = client.awaitExit(LIMIT);
      // One may have died when its run had ended, and not yet itself.
      assertThat(code).as(client.said()).isEqualTo(client.stderr().contains("has ended") ? 2 : 0);
      System.out.printf("%s: %d kills, %s%n", run, kills, client.results().counts());
      check(client, numbers, home);
    } finally {
      client.close();
    }
    return kills;
  }

  /** From here on a run can be resumed. */
  private static boolean begun(Path home) throws IOException {
    Path journal = home.resolve("results").resolve("journal");
    return Files.exists(journal) && Files.size(journal) > 0;
  }

  /** Whether it lives for another while, of any length. */
  private boolean livesOn(ClientProcess client) {
    long life = random.nextInt(LONGEST_LIFE_MILLIS);
    await()
        .pollDelay(Duration.ofMillis(life))
        .atMost(Duration.ofMillis(life).plus(LIMIT))
        .until(() -> true);
    return client.alive();
  }

  /** Its lease would run out by itself; that need not be waited for thirty times. */
  private static void letGo(RunStore runs, String run) {
    RunEntry entry = runs.read(run).orElseThrow();
    long now = entry.updatedMillis();
    boolean unused =
        runs.update(
            entry.with(entry.state(), now, entry.tasks(), entry.sent(), entry.counts(), now));
  }

  private static void check(ClientProcess client, Numbers numbers, Path home) throws IOException {
    assertThat(client.results().counts()).isEqualTo(Map.of("SUCCEEDED", (long) TASKS));
    assertThat(numbers.starts()).hasSize(TASKS);
    assertThat(numbers.starts().values()).containsOnly(1);
    assertThat(client.report().get("succeeded").asInt()).isEqualTo(TASKS);
    List<String> journal = Files.readAllLines(home.resolve("results").resolve("journal"));
    assertThat(confirmations(journal).values()).containsOnly(1);
    assertThat(journal.getLast()).startsWith("ended");
  }

  /** How often each bundle's send was confirmed. */
  private static Map<Integer, Integer> confirmations(List<String> journal) {
    Map<Integer, Integer> times = new HashMap<>();
    for (String line : journal) {
      String[] fields = line.split(" ");
      for (int i = 3; fields[0].equals("confirmed") && i < fields.length - 1; i++) {
        String[] range = fields[i].split("-");
        IntStream.rangeClosed(Integer.parseInt(range[0]), Integer.parseInt(range[range.length - 1]))
            .forEach(sequence -> times.merge(sequence, 1, Integer::sum));
      }
    }
    return times;
  }
}
