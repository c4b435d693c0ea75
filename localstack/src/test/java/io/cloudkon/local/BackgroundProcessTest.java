package io.cloudkon.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundProcessTest {
  @TempDir Path folder;

  @Test
  void number_means_the_same_process_in_one_boot_and_namespace() throws Exception {
    Path boot = Files.writeString(folder.resolve("boot_id"), "5b1e\n");
    Path namespace = Files.createSymbolicLink(folder.resolve("pid"), Path.of("pid:[42]"));
    assertThat(BackgroundProcess.placeOf(boot, namespace)).isEqualTo("5b1e:pid:[42]");
  }

  /** The name of a Mac changes with its network. */
  @Test
  void place_without_proc_does_not_depend_on_the_name_of_the_machine() {
    Path none = folder.resolve("none");
    String place = BackgroundProcess.placeOf(none, none);
    assertThat(place).isEqualTo("here");
    assertThat(BackgroundProcess.parse(new BackgroundProcess(7, "mac.lan", place).format()))
        .hasValueSatisfying(process -> assertThat(process.place()).isEqualTo(place));
  }
}
