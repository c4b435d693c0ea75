package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AppendFileTest {
  /** Two processes that looked, one after the other, kept the writer off. */
  @Test
  void writer_waits_for_processes_that_look_one_after_the_other(@TempDir Path folder)
      throws Exception {
    Path path = folder.resolve("journal");
    AppendFile.create(path).close();
    AtomicReference<Process> looks = new AtomicReference<>(looker(path));
    AtomicInteger left = new AtomicInteger(3);
    AppendFile file = AppendFile.create(path);
    try {
      AppendFile same =
          file.alone(() -> {
            end(looks.get());
            if (left.decrementAndGet() > 0) {
              looks.set(looker(path));
            }
          });

      assertThat(same).isSameAs(file);
      assertThat(left).hasValue(0);
    } finally {
      end(looks.get());
      file.close();
    }
  }

  /** A process that has the file locked, as one that looks has it for a moment. */
  private static Process looker(Path path) {
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Looks.class.getName(),
                  path.toString())
              .start();
      assertThat(process.inputReader().readLine()).isEqualTo("locked");
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void end(Process process) {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Locks a file until it is killed. */
  static final class Looks {
    private Looks() {}

    public static void main(String[] args) throws IOException {
      try (FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.READ);
          FileLock lock = file.tryLock(0, Long.MAX_VALUE, true)) {
        System.out.println(lock == null ? "refused" : "locked");
        int unused = System.in.read();
      }
    }
  }

  /** Closing a file after a failure syncs it, and adds that failure to the first one. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void failure_of_a_full_disk_is_told_again_by_an_exception_of_its_own() {
    try (AppendFile file = AppendFile.reopenAlone(Path.of("/dev/full"))) {
      UnwritableFolderException first =
          catchThrowableOfType(UnwritableFolderException.class, () -> file.write(new byte[10], 10));

      assertThatThrownBy(file::sync)
          .isInstanceOf(UnwritableFolderException.class)
          .isNotSameAs(first)
          .hasMessage(first.getMessage())
          .hasMessageContaining("No space left");
    }
  }
}
