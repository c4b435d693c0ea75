package io.cloudkon.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.simulator.chaos.ChaosRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One seed is one history, byte for byte. */
class SameTraceTest {
  private static final int SEEDS = 20;

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void seed_gives_the_same_trace_again(Consistency mode) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<String> first = trace(seed, mode);
      assertThat(first).as("seed %d", seed).isNotEmpty().isEqualTo(trace(seed, mode));
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void trace_changes_nothing(Consistency mode) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      long untraced = ChaosRun.run(seed, mode, null).events();
      assertThat(ChaosRun.run(seed, mode, line -> {}).events()).isEqualTo(untraced);
    }
  }

  @Test
  void another_jvm_gives_the_same_trace() throws IOException, InterruptedException {
    // Another seed of its hashes, another collector, another compiler.
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=2",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SameTraceTest.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(other.waitFor()).as(said).isZero();
    assertThat(said.strip()).isEqualTo(digest());
  }

  /** Prints the digest of a few traces, for the test in another JVM. */
  public static void main(String[] args) {
    System.out.println(digest());
  }

  private static String digest() {
    MessageDigest sha256;
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
    for (Consistency mode : Consistency.values()) {
      for (long seed = 1; seed <= SEEDS; seed++) {
        trace(seed, mode)
            .forEach(line -> sha256.update((line + "\n").getBytes(StandardCharsets.UTF_8)));
      }
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static List<String> trace(long seed, Consistency mode) {
    List<String> lines = new ArrayList<>();
    var unused = ChaosRun.run(seed, mode, lines::add);
    return lines;
  }
}
