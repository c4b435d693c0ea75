package io.cloudkon.client.report;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class AppendFileTest {
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
