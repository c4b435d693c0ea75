package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Work;
import io.cloudkon.launch.Main;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CarriersTest {
  /** More than the launcher provides carriers for, whatever it starts. */
  private static final int SLOTS = 18;

  @ParameterizedTest
  @ValueSource(classes = {BusySlots.class, LateBusySlots.class})
  void computing_handlers_in_all_slots_meet_their_time_limits(
      Class<?> program, @TempDir Path folder) throws Exception {
    // in a JVM of its own, started as every program is: it must be the first to ask for virtual
    // threads
    Path manifest = Files.createDirectories(folder.resolve("META-INF")).resolve("MANIFEST.MF");
    Files.writeString(
        manifest, "Manifest-Version: 1.0\nCloudKon-Main: %s\n".formatted(program.getName()));
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=2",
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path"),
                Main.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String out = new String(jvm.getInputStream().readAllBytes(), UTF_8);
      assertThat(out.lines()).hasSize(SLOTS).containsOnly("TIMED_OUT");
    } finally {
      jvm.destroyForcibly();
    }
  }

  /** More endless computations than cores, each with a time limit. */
  public static final class BusySlots {
    public static void main(String[] args) throws Exception {
      Carriers.provide(SLOTS);
      run();
    }

    static void run() throws Exception {
      Work endless = new Work.JavaCall("pi", List.of("1", Long.toString(Long.MAX_VALUE)));
      try (Runs runs = new Runs(Runs.CONFIG)) {
        List<CompletableFuture<TaskOutcome>> outcomes = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++) {
          outcomes.add(runs.start(Tasks.timed(endless, 300)));
        }
        outcomes.forEach(outcome -> System.out.println(outcome.join().status()));
      }
    }
  }

  /** The same in a program that has used virtual threads before. */
  public static final class LateBusySlots {
    public static void main(String[] args) throws Exception {
      Thread.ofVirtual().start(() -> {}).join();
      Carriers.raise(SLOTS);
      BusySlots.run();
    }
  }
}
