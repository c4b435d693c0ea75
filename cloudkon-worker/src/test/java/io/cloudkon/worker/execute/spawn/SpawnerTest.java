package io.cloudkon.worker.execute.spawn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cloudkon.core.model.TaskUsage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnerTest {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);
  private static final byte[] NO_INPUT = {};

  private final Sink out = new Sink();
  private final Sink err = new Sink();
  private Spawner spawner;
  private Variables inherited;
  private MemoryFile lifeline;
  private TaskUsage usage = TaskUsage.NONE;

  @TempDir Path temp;

  private static final class Sink implements OutputSink {
    private final ByteArrayOutputStream all = new ByteArrayOutputStream();
    private int ends;

    @Override
    public void take(byte[] chunk, int count) {
      all.write(chunk, 0, count);
    }

    @Override
    public void end() {
      ends++;
    }

    String text() {
      return all.toString(UTF_8);
    }
  }

  @BeforeEach
  void open() throws IOException {
    assumeTrue(Spawner.ofThisMachine().isPresent(), "commands cannot be spawned here");
    spawner = Spawner.ofThisMachine().get();
    inherited = new Variables(name -> !name.equals("HOME"), Map.of("CHANGED", "yes"));
    lifeline = new MemoryFile("test");
  }

  @AfterEach
  void close() {
    if (lifeline != null) {
      lifeline.close();
    }
  }

  @Test
  void command_leads_its_session_and_inherits_no_signal_mask_and_no_descriptor() throws Exception {
    // The mask is read by the shell itself: it blocks signals while it starts another program, and
    // that one may look before the shell has its mask back.
    String mask = "while read -r n m; do [ $n != SigBlk: ] || echo \"$n\t$m\"; done";
    String line =
        "ls /proc/$$/fd; cut -d' ' -f1,5,6 /proc/$$/stat; %s < /proc/$$/status".formatted(mask);

    assertThat(run(shell(line))).isZero();

    List<String> lines = out.text().lines().toList();
    assertThat(lines.subList(0, 3)).containsExactly("0", "1", "2");
    String[] numbers = lines.get(3).split(" ");
    assertThat(numbers[1]).isEqualTo(numbers[0]);
    assertThat(numbers[2]).isEqualTo(numbers[0]);
    assertThat(lines.get(4)).endsWith("\t0000000000000000");
    assertThat(lines).hasSize(5);
    assertThat(out.ends).isEqualTo(1);
    assertThat(err.ends).isEqualTo(1);
  }

  @Test
  void variables_are_those_that_pass_the_changed_and_its_own() throws Exception {
    assertThat(run(order("/usr/bin/env", List.of("env"), Map.of("OWN", "ä b", "PATH", "/bin"))))
        .isZero();

    assertThat(out.text().lines())
        .contains("CHANGED=yes", "OWN=ä b", "PATH=/bin")
        .noneMatch(line -> line.startsWith("HOME="))
        .hasSize(
            (int) System.getenv().keySet().stream().filter(n -> !n.equals("HOME")).count()
                + 2
                + (System.getenv().containsKey("PATH") ? 0 : 1));
  }

  @Test
  void what_cannot_be_executed_is_told_by_the_shell() throws Exception {
    assertThat(run(order("no-such-program", List.of("no-such-program"), Map.of()))).isEqualTo(127);
    assertThat(err.text()).contains("no-such-program: not found");
    assertThat(run(order("/", List.of("/"), Map.of()))).isEqualTo(126);
  }

  @Test
  void script_without_an_interpreter_is_the_shells() throws Exception {
    Path script = Files.writeString(temp.resolve("script"), "echo \"$1\"; exit 3\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));

    assertThat(run(order("./script", List.of("./script", "a b"), Map.of()))).isEqualTo(3);
    assertThat(out.text()).isEqualTo("a b\n");
  }

  @Test
  void what_no_process_can_be_told_is_refused() {
    assertThatThrownBy(() -> run(order("/bin/true", List.of("true", "a\0b"), Map.of())))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> run(order("/bin/true", List.of("true"), Map.of("a=b", "c"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a=b");
    assertThatThrownBy(
            () -> run(order("/bin/true", List.of("true", "x".repeat(5_000_000)), Map.of())))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot run program \"true\"")
        .hasMessageEndingWith("error=7, Argument list too long");
  }

  @Test
  void processor_time_is_its_own_and_that_of_what_it_waited_for() throws Exception {
    String busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";

    assertThat(run(shell("true"))).isZero();
    long idle = usage.cpuMicros();
    assertThat(run(shell("sh -c '" + busy + "'; exit 2"))).isEqualTo(2);

    assertThat(idle).isBetween(1L, 1_000_000L);
    assertThat(usage.cpuMicros()).isGreaterThan(idle);
  }

  @Test
  void peak_memory_is_known_if_it_is_above_that_of_this_process() throws Exception {
    long own = 1024 * kibibytes(Files.readAllLines(Path.of("/proc/self/status")), "VmHWM:");
    long much = own + own / 2;

    assertThat(run(shell("true"))).isZero();
    TaskUsage small = usage;
    assertThat(run(shell("dd if=/dev/zero of=/dev/null bs=" + much + " count=1; true"))).isZero();
    TaskUsage large = usage;
    assertThat(run(shell("true"))).isZero();

    assertThat(small.maxRssBytes()).isZero();
    assertThat(large.maxRssBytes()).isBetween(much, much + (64 << 20));
    assertThat(usage.maxRssBytes()).isZero();
  }

  private static long kibibytes(List<String> lines, String key) {
    String line = lines.stream().filter(l -> l.startsWith(key)).findFirst().orElseThrow();
    return Long.parseLong(line.replaceAll("[^0-9]", ""));
  }

  @Test
  void interrupt_ends_a_wait_and_the_child_goes_on() throws Exception {
    try (SpawnedChild child = spawner.spawn(shell("exec sleep 1000"), out, err)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> child.ends(PATIENCE)).isInstanceOf(InterruptedException.class);
      assertThat(child.ends(0)).isFalse();
      assertThatThrownBy(child::exitCode).isInstanceOf(IllegalThreadStateException.class);

      child.kill();

      assertThat(child.ends(PATIENCE)).isTrue();
      assertThat(child.exitCode()).isEqualTo(137);
      child.reap();
      child.kill();
      assertThat(child.hasLeft()).isFalse();
    }
  }

  @Test
  void child_that_was_left_behind_is_seen_after_the_reaping() throws Exception {
    try (SpawnedChild child = spawner.spawn(shell("sleep 1000 & exit 0"), out, err)) {
      assertThat(child.ends(PATIENCE)).isTrue();
      child.reap();
      assertThat(child.hasLeft()).isTrue();
      boolean _ = Libc.kill(-child.pid(), 9);
    }
  }

  private SpawnOrder shell(String line) {
    return order("/bin/sh", List.of("sh", "-c", line), Map.of());
  }

  private SpawnOrder order(String file, List<String> argv, Map<String, String> own) {
    return new SpawnOrder(file, argv, temp, inherited, own, NO_INPUT, -1, lifeline.descriptor());
  }

  private int run(SpawnOrder order) throws Exception {
    try (SpawnedChild child = spawner.spawn(order, out, err)) {
      assertThat(child.ends(PATIENCE)).isTrue();
      assertThat(child.drains(PATIENCE)).isTrue();
      child.reap();
      usage = child.usage();
      return child.exitCode();
    }
  }
}
