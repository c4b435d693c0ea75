package io.cloudkon.functional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.testing.Reach;
import io.cloudkon.core.testing.Target;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One workload has the same results wherever its queues and tables stand: in the client itself, on
 * the embedded emulator, on LocalStack.
 */
@Tag("contract")
class SameResultsIT {
  @TempDir private Path folder;

  @Test
  void in_process_run_gives_what_each_task_is_for() throws Exception {
    List<Outcome> outcomes = new SmallWorkload(folder).runInProcess();

    assertThat(outcomes)
        .containsExactly(
            new Outcome("1", "SUCCEEDED", "0", "", ""),
            new Outcome("2", "SUCCEEDED", "0", "", ""),
            new Outcome("3", "SUCCEEDED", "0", "", sha256("CloudKon")),
            new Outcome("4", "SUCCEEDED", "0", "one\ntwo\u00fc\n", ""),
            new Outcome("5", "SUCCEEDED", "0", numbers(10_000), ""),
            new Outcome("6", "FAILED", "3", "before\n", ""),
            new Outcome("7", "FAILED", "", "", ""));
  }

  private static String sha256(String text) throws NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    return HexFormat.of().formatHex(digest);
  }

  private static String numbers(int last) {
    return IntStream.rangeClosed(1, last).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  @Test
  void embedded_emulator_gives_the_same() throws Exception {
    assertSameOn(Target.EMULATOR.reach());
  }

  /** Where {@code -Dcloudkon.contract=localstack} says that there is one. */
  @Test
  void localstack_gives_the_same() throws Exception {
    assertSameOn(
        Target.chosen() == Target.LOCALSTACK
            ? Target.LOCALSTACK.reach()
            : new Reach.Nowhere(Target.LOCALSTACK, "-Dcloudkon.contract=localstack asks for it"));
  }

  private void assertSameOn(Reach reach) throws Exception {
    SmallWorkload workload = new SmallWorkload(folder);

    List<Outcome> elsewhere = workload.runOnCluster(reach.environmentFor(getClass()));

    assertThat(elsewhere).isEqualTo(workload.runInProcess());
  }
}
