package io.cloudkon.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code --metrics-port} in a process of its own, which has neither region nor credentials. */
class MetricsPortTest {
  private record Ended(int exitCode, String said) {}

  @Test
  void taken_port_ends_the_worker_with_one_line_before_it_asks_for_anything_else()
      throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      Ended worker = worker(path -> true, "--metrics-port", "" + taken.getLocalPort());

      assertThat(worker.exitCode()).isEqualTo(2);
      assertThat(worker.said())
          .isEqualTo(
              "cloudkon worker: --metrics-port 127.0.0.1:%d: cannot listen there: Address already"
                      .formatted(taken.getLocalPort())
                  + " in use; give another [HOST:]PORT; port 0 is a free one\n");
    }
  }

  @Test
  void something_that_is_no_port_is_bad_usage() throws Exception {
    Ended worker = worker(path -> true, "--metrics-port", "70000");

    assertThat(worker.exitCode()).isEqualTo(2);
    assertThat(worker.said()).contains("'70000' is not [HOST:]PORT").hasLineCount(1);
  }

  @Test
  void open_metrics_port_does_not_keep_a_worker_that_fails_from_ending() throws Exception {
    Ended worker = worker(path -> true, "--metrics-port", "0");

    assertThat(worker.exitCode()).isEqualTo(2);
    assertThat(worker.said()).containsIgnoringCase("region").hasLineCount(1);
  }

  @Test
  void worker_without_the_option_loads_nothing_of_micrometer() throws Exception {
    Ended worker = worker(path -> !path.contains("micrometer") && !path.contains("prometheus"));

    assertThat(worker.exitCode()).isEqualTo(2);
    assertThat(worker.said()).containsIgnoringCase("region").hasLineCount(1);
  }

  private interface Wanted {
    boolean test(String jar);
  }

  private static Ended worker(Wanted wanted, String... options)
      throws IOException, InterruptedException {
    String path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> wanted.test(Path.of(entry).getFileName().toString()))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                path,
                WorkerMain.class.getName(),
                "-s",
                "Q"));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
    builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
    builder.environment().put("AWS_CONFIG_FILE", "none");
    builder.environment().put("AWS_SHARED_CREDENTIALS_FILE", "none");
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }
}
