package io.cloudkon.functional;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.Reach;
import io.cloudkon.core.testing.Target;
import io.cloudkon.faults.Processes;
import io.cloudkon.faults.Running;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code localstack/test/whole_cloud.sh}: a cluster on LocalStack goes from nothing to results
 * and back, its instances booted as processes of this machine.
 */
@Tag("contract")
class WholeCloudIT {
  /** The folder that {@code localstack/host-mode.sh --cache} names; its default if unset. */
  private static final String CACHE = System.getProperty("cloudkon.localstack.cache", "");

  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private Path folder;

  @Test
  void cluster_goes_from_nothing_to_results_and_back() throws Exception {
    Reach reach =
        Target.chosen() == Target.LOCALSTACK
            ? Target.LOCALSTACK.reach()
            : new Reach.Nowhere(Target.LOCALSTACK, "-Dcloudkon.contract=localstack asks for it");
    Map<String, String> environment = new HashMap<>(reach.environmentFor(getClass()));
    environment.put("JAVA_HOME", System.getProperty("java.home"));

    try (Running script = Processes.start(command(), Path.of("/dev/null"), environment, folder)) {
      int exitCode = script.awaitExit(LIMIT.plusSeconds(30));
      System.out.print(script.stdout());
      assertThat(exitCode).as(() -> script.stdout() + script.stderr()).isZero();
    }
  }

  /** Ended by {@code timeout}, the script still ends what it started. */
  private static List<String> command() {
    Path home = Path.of(System.getProperty("cloudkon.home"));
    List<String> command = new ArrayList<>(List.of("timeout", LIMIT.toSeconds() + "s"));
    command.add(home.resolve("localstack/test/whole_cloud.sh").toString());
    if (!CACHE.isEmpty()) {
      command.addAll(List.of("--cache", home.resolve(CACHE).toString()));
    }
    return command;
  }
}
