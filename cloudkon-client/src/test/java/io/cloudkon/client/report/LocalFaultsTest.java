package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.LocalFileException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of files on this machine end with 1: 3 is for services, which may work again. */
class LocalFaultsTest {
  @TempDir private Path temp;

  private static void isLocal(ThrowingCallable what, String... says) {
    assertThatThrownBy(what)
        .isInstanceOfSatisfying(
            LocalFileException.class, e -> assertThat(e.exitCode()).isEqualTo(1))
        .message()
        .contains(says);
  }

  @Test
  void folder_of_reruns_that_cannot_be_read() {
    Path gone = temp.resolve("gone");
    isLocal(() -> RerunFolders.in(gone), gone.toString());
  }

  @Test
  void stream_of_results_that_cannot_be_written() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    ResultLines lines = new ResultLines(full, "standard output", "; go on");
    isLocal(
        () -> lines.refuse(0, "x"),
        "results cannot be written to standard output: No space left on device; go on");
  }
}
