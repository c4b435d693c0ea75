package io.cloudkon.examples.pi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cloudkon.examples.commands.Ended;
import io.cloudkon.examples.commands.ExampleReadme;
import io.cloudkon.examples.commands.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiIT {
  @TempDir private Path folder;

  @Test
  void sweep_comes_near_pi_and_prints_what_the_readme_shows() throws Exception {
    ExampleReadme readme = ExampleReadme.of("pi");
    Workspace workspace = new Workspace(folder);

    Ended ended =
        workspace
            .run(readme.blockWith("print \"java pi\"") + readme.blockWith("-s LOCAL"))
            .requireSuccess();

    assertThat(Files.readAllLines(workspace.file("sweep.txt")))
        .hasSize(200)
        .doesNotHaveDuplicates()
        .startsWith("java pi 1 1000", "java pi 2 1000");
    List<String> table = ended.linesAfterReport();
    assertThat(table).isEqualTo(readme.blockWith("standard error").lines().toList());
    table.stream().skip(1).forEach(PiIT::isNearPi);
  }

  /** The error of one estimate is sqrt(pi (4 - pi) / samples); 50 are combined. */
  private static void isNearPi(String row) {
    String[] columns = row.strip().split(" +");
    double mean = Double.parseDouble(columns[2]);
    double error = Double.parseDouble(columns[3]);
    double expected = Math.sqrt(Math.PI * (4 - Math.PI) / Double.parseDouble(columns[0]) / 50);
    assertThat(columns[1]).as(row).isEqualTo("50");
    assertThat(mean).as(row).isCloseTo(Math.PI, within(3 * error));
    assertThat(error).as(row).isBetween(expected / 1.5, expected * 1.5);
  }

  @Test
  void task_without_a_result_is_not_counted() throws Exception {
    Path workload = folder.resolve("two.txt");
    Path results = folder.resolve("some.jsonl");
    Workspace workspace = new Workspace(Files.createDirectory(folder.resolve("workspace")));
    Files.writeString(workload, "# a note\njava pi 1 9\njava pi 2 9\njava pi 3 9\n");
    Files.writeString(
        results,
        """
        {"task":"4","status":"SUCCEEDED","output":"4.0"}
        {"task":"3","status":"FAILED"}
        {"task":"2","status":"SUCCEEDED","output":"3.0"}
        """);

    Ended ended =
        workspace
            .run("awk -f examples/pi/mean.awk %s %s%n".formatted(workload, results))
            .requireSuccess();

    assertThat(ended.stdout().lines().skip(1))
        .singleElement()
        .asString()
        .matches(" +9 +2 +3\\.50000 +0\\.50000");
  }
}
