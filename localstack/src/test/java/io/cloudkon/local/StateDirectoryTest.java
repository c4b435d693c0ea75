package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisabledOnOs(OS.WINDOWS) // without the modes of POSIX
class StateDirectoryTest {
  @TempDir Path temporary;

  private static String mode(Path folder) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
  }

  private Path folder(String mode) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
  }

  @Test
  void folder_that_does_not_exist_is_created_for_this_user_alone() throws Exception {
    Path folder = temporary.resolve("some").resolve("where");

    new StateDirectory(folder).lock().close();

    assertThat(mode(folder)).isEqualTo("rwx------");
  }

  @Test
  void folder_of_this_user_alone_is_used_as_it_is() throws Exception {
    Path folder = folder("rwx------");

    new StateDirectory(folder).lock().close();

    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(folder.resolve("command.lock"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxr-xr-x", "rwxrwxrwx", "rwx--x---", "rwx-----x"})
  void folder_that_others_can_use_is_refused_and_left_as_it_is(String mode) throws Exception {
    Path folder = folder(mode);

    assertThatThrownBy(new StateDirectory(folder)::lock)
        .isInstanceOf(LocalException.class)
        .hasMessageContainingAll(folder.toString(), mode, "--state-dir", "chmod 700");

    assertThat(mode(folder)).isEqualTo(mode);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void folder_of_another_user_is_refused() throws Exception {
    Path folder = folder("rwx------");
    try {
      Files.setOwner(
          folder,
          folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    } catch (IOException e) {
      return; // only root may give a folder away
    }

    assertThatThrownBy(new StateDirectory(folder)::lock)
        .isInstanceOf(LocalException.class)
        .hasMessageContainingAll(folder.toString(), "nobody");
  }
}
