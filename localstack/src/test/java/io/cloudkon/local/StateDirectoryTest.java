package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

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
      abort("only root may give a folder away: " + e);
    }

    assertThatThrownBy(new StateDirectory(folder)::lock)
        .isInstanceOf(LocalException.class)
        .hasMessageContainingAll(folder.toString(), "nobody");
  }

  /** An earlier version's emulator leaves its predecessor's number in the file that it locks. */
  @Test
  void process_is_the_ready_emulators_if_the_locked_file_names_another() throws Exception {
    Path folder = folder("rwx------");
    StateDirectory state = new StateDirectory(folder);
    Files.writeString(state.alive(), BackgroundProcess.here(1_001).format());
    assertThat(state.process()).hasValue(BackgroundProcess.here(1_001));

    state.remember(new RunningEmulator(1_002, new Endpoints(1, 2, 3), AccessKey.random()));

    assertThat(state.process()).hasValue(BackgroundProcess.here(1_002));
  }

  @Test
  void process_of_another_container_is_left_where_it_is() throws Exception {
    StateDirectory state = new StateDirectory(folder("rwx------"));
    BackgroundProcess elsewhere = new BackgroundProcess(1_001, "box", "boot:pid:[1]");
    Files.writeString(state.alive(), elsewhere.format());
    state.remember(new RunningEmulator(1_001, new Endpoints(1, 2, 3), AccessKey.random()));

    assertThat(state.process()).hasValue(elsewhere);
  }
}
