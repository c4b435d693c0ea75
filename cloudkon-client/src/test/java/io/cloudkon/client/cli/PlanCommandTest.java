package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole way, from a workload file to what is printed. */
class PlanCommandTest {
  @TempDir Path folder;
  private Path tasks;

  @BeforeEach
  void aSmallWorkload() throws IOException {
    tasks = folder.resolve("tasks.txt");
    Files.writeString(tasks, "sleep 50\n".repeat(400) + "java sha256 x\n".repeat(100));
  }

  private String plan(String... options) {
    List<String> all = new ArrayList<>(List.of(tasks.toString()));
    all.addAll(List.of(options));
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new PlanCommand())
            .setOut(new PrintWriter(out))
            .execute(all.toArray(String[]::new));
    assertThat(code).isZero();
    return out.toString();
  }

  @Test
  void text_and_json_say_the_same_and_the_same_again() throws IOException {
    String[] options = {"--workers", "1,20", "--duration", "java=2ms..20ms", "--goal", "2s"};
    String text = plan(options);
    assertThat(text).isEqualTo(plan(options));
    assertThat(text).contains("500 tasks", "WORKERS", "The smallest fleet that finishes within");

    String[] asJson = List.of(options).toArray(new String[options.length + 1]);
    asJson[options.length] = "--json";
    JsonNode json = new ObjectMapper().readTree(plan(asJson));
    assertThat(json.get("tasks").asInt()).isEqualTo(500);
    assertThat(json.get("fleets")).hasSize(2);
    for (JsonNode fleet : json.get("fleets")) {
      double seconds = fleet.get("makespanSeconds").asDouble();
      double efficiency = 100 * fleet.get("efficiency").asDouble();
      assertThat(text).contains(String.format(Locale.ROOT, "%.1f %%", efficiency));
      assertThat(fleet.get("usd").get("total").asDouble()).isPositive();
      assertThat(fleet.get("tasksPerSecond").asDouble() * seconds).isBetween(499.9, 500.1);
    }
    JsonNode remarks = json.get("remarks");
    remarks.forEach(remark -> assertThat(text.replace('\n', ' ')).contains(remark.asText()));
    assertThat(json.get("goal").get("fleet").get("makespanSeconds").asDouble())
        .isLessThanOrEqualTo(2);
  }

  @Test
  void other_seed_draws_other_times() {
    String[] options = {"--workers", "4", "--duration", "1ms..2s", "--json"};
    assertThat(plan("--seed", "2", "--workers", "4", "--duration", "1ms..2s", "--json"))
        .isNotEqualTo(plan(options));
  }

  @Test
  void command_is_known_and_bad_usage_is_2() {
    assertThat(ClientMain.run("plan", folder.resolve("none.txt").toString())).isEqualTo(2);
    assertThat(ClientMain.run("plan", tasks.toString())).isEqualTo(2);
    assertThat(ClientMain.run("plan", tasks.toString(), "--workers", "0")).isEqualTo(2);
    assertThat(ClientMain.run("plan", "--help")).isZero();
  }
}
