package io.cloudkon.bench.curves;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.bench.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurvesCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "throughput",
        "latency",
        "stages",
        "efficiency-homogeneous",
        "efficiency-heterogeneous",
        "consistency-overhead",
        "scale"
      })
  void curve_is_drawn_and_tabled(String name) throws IOException {
    Path document = folder.resolve("text.md");
    Files.writeString(document, "above\n<!-- curve: %s -->\n<!-- end -->\nbelow\n".formatted(name));

    Screen screen =
        Screen.of(
            "curves",
            name,
            "--quick",
            "--out",
            folder.toString(),
            "--document",
            document.toString());

    assertThat(screen.err()).isEmpty();
    assertThat(screen.status()).isZero();
    assertThat(folder.resolve(name + ".png")).isNotEmptyFile();
    int columns = Files.readAllLines(folder.resolve(name + ".csv")).getFirst().split(",").length;
    assertThat(columns).isGreaterThan(3);
    assertThat(Files.readString(document))
        .startsWith("above\n")
        .endsWith("below\n")
        .contains("\n|---:");
  }

  @Test
  void every_curve_is_named_in_the_help() {
    String help = Screen.of("curves", "--help").out();

    assertThat(Curve.ALL).allSatisfy(curve -> assertThat(help).contains(curve.name()));
  }

  @Test
  void unknown_curve_is_refused_and_the_known_ones_are_told() {
    Screen screen = Screen.of("curves", "latencies");

    assertThat(screen.status()).isEqualTo(2);
    assertThat(screen.err()).contains("there is no curve 'latencies'").hasLineCount(1);
  }

  @Test
  void document_without_a_place_for_the_table_is_refused_before_anything_is_simulated()
      throws IOException {
    Path document = Files.writeString(folder.resolve("text.md"), "nothing here");

    Screen screen = Screen.of("curves", "latency", "--document", document.toString());

    assertThat(screen.status()).isEqualTo(2);
    assertThat(screen.err()).contains("<!-- curve: latency -->").hasLineCount(1);
    assertThat(screen.out()).isEmpty();
  }
}
