package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import io.cloudkon.faults.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a person may get wrong with a provisioner: exit 2, one line, and nothing started. */
class BadInputProvisionerIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final TestCluster CLUSTER = new TestCluster();

  @TempDir private Path folder;

  @AfterAll
  static void close() {
    CLUSTER.close();
  }

  /** Options besides the queue, and what the line about them says. */
  private record Bad(String options, String... says) {
    @Override
    public String toString() {
      return options;
    }
  }

  private static final String EC2 = "--launcher ec2 --max 2 ";

  static Stream<Bad> options() {
    String good = "--launcher process --max 2 ";
    return Stream.of(
        new Bad("", "--launcher NAME --max N"),
        new Bad("--max 2", "missing option --launcher:"),
        new Bad("--launcher process", "missing option --max:"),
        new Bad("--explain --dry-run", "--explain and --dry-run exclude each other"),
        new Bad(good + "--max three", "'three' is not a whole number"),
        new Bad("--launcher slurm --max 2", "slurm", "ec2, process"),
        new Bad(EC2, "--launch-template NAME[:VERSION]"),
        new Bad(EC2 + "--launch-template w:new", "w:new", "default or latest"),
        new Bad(EC2 + "--launch-template w --instance-types a,,b", "--instance-types a,,b"),
        new Bad(EC2 + "--launch-template w --subnets s/1", "--subnets s/1"),
        new Bad(
            EC2 + "--launch-template w --purchase cheap", "cheap", "spot, spot-only, on-demand"),
        new Bad(EC2 + "--launch-template w --logs x", "--logs", "only with --launcher process"),
        new Bad(good + "--launch-template w", "--launch-template", "only with --launcher ec2"),
        new Bad(
            EC2 + "--launch-template w --instance-types c9x.huge --max-hourly 1",
            "--max-hourly",
            "--price c9x.huge=USD"),
        new Bad(good + "--policy fast", "fast", "drain-time, growth"),
        new Bad(good + "--policy growth --target 5s", "--target", "drain-time"),
        new Bad(good + "--step 2", "--step", "growth"),
        new Bad(good + "--policy growth --step 0", "--step 0", "1 or more"),
        new Bad(good + "--min 3", "--min 3 --max 2", "0 <= min <= max"),
        new Bad(good + "--min -1", "--min -1"),
        new Bad("--launcher process --max 0", "--max 0"),
        new Bad(good + "--interval 0s", "--interval"),
        new Bad(good + "--interval 1ms", "--interval 1ms", "100ms or more"),
        new Bad(good + "--interval -1s", "-1s"),
        new Bad(good + "--target 0s", "--target"),
        new Bad(good + "--boot-timeout 0s", "--boot-timeout"),
        new Bad(good + "--cooldown -1s", "-1s"),
        new Bad(good + "--idle-timeout 0s", "--idle-timeout"),
        new Bad(good + "--max-hourly 0", "--max-hourly"),
        new Bad(good + "--max-hourly abc", "'abc' is not a number"),
        new Bad(good + "--max-hourly 1", "--max-hourly 1.0", "--price process=USD"),
        new Bad(
            good + "--max-hourly 1 --price c7i.xlarge=0.17",
            "--max-hourly 1.0",
            "--price process=USD"),
        new Bad(good + "--price process=0.5 --max-hourly 0.2", "allows no worker", "0.5 USD"),
        new Bad(good + "--price c9x.huge=1", "c9x.huge", "not known"),
        new Bad(good + "--price process", "--price process"),
        new Bad(good + "--price process=cheap", "process=cheap"),
        new Bad(good + "--worker-slots 0", "--worker-slots 0"),
        new Bad(good + "--worker-allow fly", "fly", "noop"),
        new Bad(good + "--worker-command no-such-worker", "no-such-worker", "does not exist"),
        new Bad(good + "--worker-command /no/such/worker", "/no/such/worker", "does not exist"),
        new Bad(good + "--worker-command 'done", "'done", "syntax error"),
        new Bad(good + "--worker-command /tmp", "/tmp", "not an executable file"),
        new Bad(good + "--worker-command /etc/passwd", "/etc/passwd", "not an executable file"),
        new Bad(good + "--state /dev/null/x", "--state /dev/null/x"),
        new Bad(good + "--logs /dev/null/x", "--logs /dev/null/x"),
        new Bad(good + "--metrics-port 99999", "99999"),
        new Bad(good + "--intervall 1s", "--interval"));
  }

  @ParameterizedTest
  @MethodSource("options")
  void option_that_cannot_be_used_is_refused_in_one_line(Bad bad) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-s", CLUSTER.name()));
    Path state = folder.resolve("state");
    if (!bad.options().contains("--state") && !bad.options().startsWith(EC2)) {
      arguments.addAll(List.of("--state", state.toString()));
    }
    Stream.of(bad.options().split(" ")).filter(word -> !word.isEmpty()).forEach(arguments::add);
    try (Running provisioner =
        Processes.start(
            "cloudkon-provisioner", List.of(), arguments, CLUSTER.environment(), folder)) {
      assertThat(provisioner.awaitExit(LIMIT)).as(provisioner.stderr()).isEqualTo(2);
      assertThat(provisioner.stdout()).isEmpty();
      assertThat(provisioner.stderr().lines()).hasSize(1);
      assertThat(provisioner.stderr()).startsWith("cloudkon provisioner: ").contains(bad.says());
      assertThat(launches(state)).isZero();
    }
  }

  private static long launches(Path state) throws Exception {
    if (!Files.isDirectory(state)) {
      return 0;
    }
    try (var files = Files.list(state)) {
      return files.filter(Files::isRegularFile).count();
    }
  }
}
