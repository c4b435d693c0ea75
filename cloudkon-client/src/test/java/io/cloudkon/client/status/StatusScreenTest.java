package io.cloudkon.client.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.capacity.Share;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusScreenTest {
  private static final List<RunEntry> RUNS =
      IntStream.range(0, 30).mapToObj(i -> Clusters.run("run" + i)).toList();

  @ParameterizedTest
  @CsvSource({"24,80", "50,132", "12,60", "5,20", "1,10", "300,80", "2,1"})
  void screen_never_exceeds_its_window(int rows, int columns) {
    List<String> lines = StatusScreen.lines(Clusters.cluster(40, RUNS), "title", "", rows, columns);

    assertThat(lines)
        .hasSizeLessThanOrEqualTo(rows)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
  }

  @Test
  void long_lists_share_the_window_and_say_what_is_missing() {
    List<String> lines = StatusScreen.lines(Clusters.cluster(40, RUNS), "title", "", 24, 80);

    assertThat(lines).hasSizeBetween(22, 24);
    assertThat(lines).anyMatch(line -> line.matches("and \\d+ more workers"));
    assertThat(lines).anyMatch(line -> line.matches("and \\d+ more runs"));
    assertThat(lines).filteredOn(line -> line.startsWith("w0")).hasSizeBetween(4, 12);
    assertThat(lines).filteredOn(line -> line.startsWith("run")).hasSizeBetween(3, 12);
  }

  @ParameterizedTest
  @CsvSource({"24,80", "50,132", "12,60", "5,20", "1,10", "300,80", "2,1"})
  void hpc_jobs_leave_room_for_the_rest(int rows, int columns) {
    List<Share> gangs =
        IntStream.range(0, 40).mapToObj(i -> Clusters.gang("g" + i, 1, "run1/e/" + i)).toList();
    HpcStatus hpc = Clusters.hpc(0, gangs, List.of(Clusters.waiting("run1/e/99", 8, 1_000)), null);

    List<String> lines =
        StatusScreen.lines(Clusters.cluster(40, RUNS, hpc), "title", "", rows, columns);

    assertThat(lines)
        .hasSizeLessThanOrEqualTo(rows)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    if (rows >= 24) {
      assertThat(lines).anyMatch(line -> line.startsWith("w0"));
      assertThat(lines).anyMatch(line -> line.startsWith("g1"));
      assertThat(lines).anyMatch(line -> line.startsWith("run"));
    }
  }

  @Test
  void what_the_provisioner_says_is_broken_into_lines_and_not_cut() {
    String reason =
        "A job of 8 ranks is wider than the fleet may be (6 slots): a worker refuses it; "
            + "the maximum of 3 workers is reached";
    ClusterStatus status =
        Clusters.with(Clusters.cluster(2, RUNS), Clusters.provisioner(0, reason));

    List<String> lines = StatusScreen.lines(status, "title", "", 24, 60);

    assertThat(lines).hasSizeLessThanOrEqualTo(24).noneMatch(line -> line.length() > 60);
    assertThat(lines)
        .containsSubsequence(
            "  A job of 8 ranks is wider than the fleet may be (6 slots):",
            "    a worker refuses it; the maximum of 3 workers is reached");
  }

  @Test
  void what_fits_is_shown_whole() {
    List<String> lines =
        StatusScreen.lines(Clusters.cluster(2, RUNS.subList(0, 3)), "title", "", 24, 80);

    assertThat(lines).noneMatch(line -> line.endsWith("more"));
    assertThat(lines).first().isEqualTo("title");
  }

  @Test
  void window_too_small_for_anything_says_so() {
    assertThat(StatusScreen.lines(Clusters.cluster(2, RUNS), "title", "", 4, 80))
        .last()
        .asString()
        .matches("and \\d+ lines more");
  }
}
