package io.cloudkon.client.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.status.RunProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultCountsTest {
  @TempDir private Path folder;

  private long write(String results) throws IOException {
    Path file = folder.resolve("results.jsonl");
    Files.writeString(file, results);
    return Files.size(file);
  }

  private static String line(int index, String status) {
    return "{\"task\":\"%d\",\"index\":%d,\"status\":\"%s\"}\n".formatted(index, index, status);
  }

  private static RunProgress progress(long finished, long notSucceeded) {
    return new RunProgress(finished, notSucceeded, false, 0, OptionalDouble.empty());
  }

  @Test
  void results_of_a_run_that_was_cut_short_are_counted() throws IOException {
    long unused =
        write(
            line(0, "SUCCEEDED")
                + line(2, "FAILED")
                + line(1, "SUCCEEDED")
                + "{\"task\":\"3\",\"i");
    assertThat(new ResultCounts(ResultCounts.BYTES).of(folder)).contains(progress(3, 1));
  }

  @Test
  void run_without_a_file_has_no_results_yet() {
    assertThat(new ResultCounts(ResultCounts.BYTES).of(folder)).contains(progress(0, 0));
  }

  @Test
  void no_more_bytes_are_read_than_allowed_in_all() throws IOException {
    long bytes = write(line(0, "SUCCEEDED"));
    ResultCounts counts = new ResultCounts(2 * bytes - 1);
    assertThat(counts.of(folder)).contains(progress(1, 0));
    assertThat(counts.of(folder)).isEmpty();
  }

  @Test
  void damaged_file_is_not_counted() throws IOException {
    long unused = write("no result\n" + line(0, "SUCCEEDED"));
    assertThat(new ResultCounts(ResultCounts.BYTES).of(folder)).isEmpty();
  }
}
