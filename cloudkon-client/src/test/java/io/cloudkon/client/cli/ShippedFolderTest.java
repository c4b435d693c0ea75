package io.cloudkon.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShippedFolderTest {
  @ParameterizedTest
  @ValueSource(strings = {".", "./", "src/.."})
  void current_folder_is_found_by_its_name_whatever_it_is_called(String path) {
    assertThat(ShippedFolder.hint(List.of(Path.of("pom.xml"), Path.of(path))).orElseThrow())
        .startsWith(
            "tasks find what --ship %s sends in %s/, "
                .formatted(Path.of(path), Path.of("").toAbsolutePath().getFileName()));
  }

  @Test
  void other_files_and_folders_need_no_hint() {
    assertThat(ShippedFolder.hint(List.of(Path.of("src"), Path.of("pom.xml")))).isEmpty();
  }
}
