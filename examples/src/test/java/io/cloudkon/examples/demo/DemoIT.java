package io.cloudkon.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.examples.mandelbrot.Tile;
import io.cloudkon.examples.picture.PictureFile;
import io.cloudkon.examples.picture.TileFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DemoIT {
  private static final Path HOME = Path.of(System.getProperty("cloudkon.home"));

  @TempDir Path folder;

  @Test
  void demo_comes_out_right_and_leaves_nothing_but_its_results() throws Exception {
    formerResults(folder.resolve("here/mandelbrot"), 600);
    try (DemoProcess demo = DemoProcess.start(folder, "--out", "here")) {
      int exitCode = demo.awaitEnd(Duration.ofMinutes(5));

      assertThat(exitCode).as(demo.output()).isZero();
      assertThat(demo.output())
          .containsPattern(
              "[2-4][0-9][0-9] of 500 results have arrived. Killed the worker of process ")
          .containsPattern("cloudkon provisioner.* launched")
          .containsPattern("[2-9] workers were launched in all, and none is left")
          .contains("240 of 240 checksums agree")
          .containsPattern("Run again by other workers.* tasks? in|nothing had to be run again")
          .contains("every process has ended");
      showsEveryFiftiethTile(folder.resolve("here/mandelbrot.png"));
      everyTaskSucceeded(folder.resolve("here/mandelbrot/report.json"), 500);
      everyTaskSucceeded(folder.resolve("here/checksums/report.json"), 240);
      assertThat(demo.processes()).as("processes left").isEmpty();
      assertThat(list(folder)).containsExactly("here");
      assertThat(list(demo.temporary())).isEmpty();
    }
  }

  @Test
  void demo_that_is_stopped_ends_all_that_it_started() throws Exception {
    Path results = folder.resolve("here/mandelbrot/results.jsonl");
    try (DemoProcess demo = DemoProcess.start(folder, "--out", "here")) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> hasLine(results) || !demo.isAlive());
      assertThat(demo.isAlive()).as(demo.output()).isTrue();
      List<ProcessHandle> started = demo.processes();
      assertThat(started)
          .anyMatch(process ->
              process.info().commandLine().orElse("").contains("/cloudkon-worker.jar -s "));

      demo.terminate();

      assertThat(demo.awaitEnd(Duration.ofSeconds(30))).isNotZero();
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(started).noneMatch(ProcessHandle::isAlive));
      assertThat(demo.output()).contains("ended early, and everything that it had started with it");
      assertThat(list(demo.temporary())).isEmpty();
    }
  }

  @Test
  void demo_without_a_checkout_says_how_to_run_it() throws Exception {
    try (DemoProcess demo = DemoProcess.startWithoutCheckout(folder)) {
      assertThat(demo.awaitEnd(Duration.ofMinutes(1))).isEqualTo(2);
      assertThat(demo.output().lines()).singleElement().asString().contains("run ./cloudkon demo");
    }
  }

  private static boolean hasLine(Path results) throws Exception {
    return Files.exists(results) && Files.size(results) > 0;
  }

  /** Those of a demo that ran here before: they must not be taken for this one's. */
  private static void formerResults(Path run, int lines) throws Exception {
    Files.createDirectories(run);
    Files.writeString(run.resolve("results.jsonl"), "{}\n".repeat(lines));
  }

  private static void showsEveryFiftiethTile(Path png) throws InterruptedException {
    PictureFile picture = PictureFile.read(png);
    assertThat(picture.width()).isEqualTo(1600);
    assertThat(picture.height()).isEqualTo(1200);
    List<Tile> tiles = TileFile.read(HOME.resolve("examples/mandelbrot/tiles.txt"));
    for (int i = 7; i < tiles.size(); i += 50) {
      assertThat(picture.shows(tiles.get(i))).as(tiles.get(i).toString()).isTrue();
    }
  }

  private static void everyTaskSucceeded(Path report, int tasks) throws Exception {
    JsonNode json = new ObjectMapper().readTree(report.toFile());
    assertThat(json.path("tasks").asInt()).isEqualTo(tasks);
    assertThat(json.path("succeeded").asInt()).isEqualTo(tasks);
  }

  private static List<String> list(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("hsperfdata"))
          .sorted()
          .toList();
    }
  }
}
