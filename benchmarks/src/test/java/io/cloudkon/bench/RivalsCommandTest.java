package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RivalsCommandTest {
  @TempDir Path folder;

  @Test
  void options_are_parsed() {
    RivalsCommand command = new RivalsCommand();
    new CommandLine(command).parseArgs("--only", "dask,ray", "--keep", "there", "--quick");
    assertThat(command.only).containsExactly("dask", "ray");
    assertThat(command.keep).isEqualTo(Path.of("there"));
    assertThat(command.quick).isTrue();
  }

  @Test
  void unknown_rival_is_refused_before_anything_starts() {
    RivalsCommand command = new RivalsCommand();
    new CommandLine(command).parseArgs("--only", "dask,slurm");
    assertThatThrownBy(command::call)
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--only slurm: ");
  }

  @Test
  void file_is_no_folder_to_keep_rivals_in() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    RivalsCommand command = new RivalsCommand();
    new CommandLine(command).parseArgs("--keep", file.toString());
    assertThatThrownBy(command::call)
        .isInstanceOf(UsageException.class)
        .hasMessage("--keep %s: expected a folder, this is a file".formatted(file));
  }
}
