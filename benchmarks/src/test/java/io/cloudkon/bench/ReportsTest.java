package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.report.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportsTest {
  @TempDir Path folder;

  @Test
  void bundles_are_counted_by_the_time_at_which_each_was_begun() throws IOException {
    Files.write(
        folder.resolve(RunFolder.RESULTS),
        Stream.of(1_000L, 1_000L, 1_007L, 1_000L, 1_009L)
            .map(submitted ->
                "{\"task\":\"1\",\"index\":0,\"status\":\"SUCCEEDED\",\"stamps\":{\"submitted\":%d}}"
                    .formatted(submitted))
            .toList());
    assertThat(Reports.bundles(folder)).isEqualTo(3);
  }
}
