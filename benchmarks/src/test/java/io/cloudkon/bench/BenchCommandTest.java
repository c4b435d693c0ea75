package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
  @TempDir Path folder;

  @Test
  void unknown_name_is_refused_and_the_known_ones_are_told() {
    BenchCommand command = new BenchCommand();
    command.names.add("thruput");
    assertThatThrownBy(command::call)
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(
            "throughput, local, lonely, session, start, balance, fair, ship, gangs, provisioning,"
                + " large, micro, mtc-throughput, hpc-throughput, latency, latency-cdf, efficiency,"
                + " heterogeneous, consistency, api-calls");
  }

  @Test
  void encryption_is_on_or_off() {
    BenchCommand command = new BenchCommand();
    command.names.add("gangs");
    command.rmiTls = "no";
    assertThatThrownBy(command::call)
        .isInstanceOf(UsageException.class)
        .hasMessage("--rmi-tls no: expected on or off");
  }

  @Test
  void workers_and_latency_have_bounds() {
    assertThat(Screen.of("latency", "--workers", "1,65"))
        .satisfies(screen -> {
          assertThat(screen.status()).isEqualTo(2);
          assertThat(screen.err()).contains("--workers 65: expected 1 to 64");
        });
    assertThat(Screen.of("latency", "--emulate-latency", "2s").err())
        .contains("--emulate-latency: expected at most 1s");
  }

  @Test
  void local_runs_and_leaves_nothing_behind() throws IOException, InterruptedException {
    BenchCommand command = new BenchCommand();
    command.names.add("local");
    command.tasks = 2_000L;
    command.scratch = folder.resolve("scratch");
    command.figures.results = folder.resolve("results");
    command.figures.workers = new int[] {1, 2};
    assertThat(command.call()).isZero();
    assertThat(command.scratch).isEmptyDirectory();
    assertThat(command.figures.results.resolve("local.png")).isNotEmptyFile();
  }

  @Test
  void answers_with_a_wrong_digest_are_refused() throws IOException {
    Path results = folder.resolve("results.jsonl");
    Files.writeString(results, "{\"task\":\"1\",\"output\":\"00\",\"stamps\":{}}\n");
    assertThatThrownBy(() -> Answers.check(results, 1))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("a wrong line");
  }

  @Test
  void answers_that_are_missing_are_noticed() throws IOException {
    Path results = Files.createFile(folder.resolve("results.jsonl"));
    assertThatThrownBy(() -> Answers.check(results, 1))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("0 results, expected 1");
  }

  @Test
  void micro_benchmark_that_fails_is_no_success() {
    assertThat(MicroBenchmark.options(true).shouldFailOnError().get()).isTrue();
  }

  @Test
  void mixed_workload_is_the_same_each_time() {
    List<String> once = Workloads.mixed("sleep 1", 100, "sleep 5000", 4, true);
    assertThat(once).isEqualTo(Workloads.mixed("sleep 1", 100, "sleep 5000", 4, true));
    assertThat(once).hasSize(104).filteredOn("sleep 5000"::equals).hasSize(4);
  }
}
