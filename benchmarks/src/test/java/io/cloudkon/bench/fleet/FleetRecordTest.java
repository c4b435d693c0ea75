package io.cloudkon.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetRecordTest {
  private static final FleetRecord GROWS_AND_ENDS =
      new FleetRecord(
          List.of(
              new FleetSample(10_000, 0, 0, 0, 0, 0),
              new FleetSample(11_000, 40, 0, 0, 0, 0),
              new FleetSample(12_500, 80, 3, 1, 0, 0),
              new FleetSample(14_000, 60, 3, 2, 1, 0.000_1),
              new FleetSample(16_000, 5, 1, 0, 2, 0.000_3),
              new FleetSample(17_000, 0, 0, 0, 2, 0.000_4),
              new FleetSample(19_000, 0, 0, 0, 0, 0.000_5)));

  @Test
  void read_of_lines_that_were_printed_gives_the_samples_back() {
    StringBuilder output = new StringBuilder(FleetSample.HEAD).append('\n');
    GROWS_AND_ENDS.samples().forEach(sample -> output.append(sample.line()).append('\n'));

    assertThat(FleetRecord.read(output + "20000,7,1")).isEqualTo(GROWS_AND_ENDS);
    assertThat(FleetRecord.read("").samples()).isEmpty();
  }

  @Test
  void table_says_when_it_launched_how_many_there_were_and_when_none_was_left() {
    FleetTable table = FleetTable.of(GROWS_AND_ENDS.samples());

    assertThat(table).isEqualTo(new FleetTable(1.5, 3, 2, 0.000_5, 3));
    assertThat(GROWS_AND_ENDS.endsWithoutWorkers()).isTrue();
    assertThat(GROWS_AND_ENDS.lines()).anyMatch(line -> line.contains("1.50 s"));
  }

  @Test
  void table_of_a_fleet_that_did_not_end_says_so() {
    List<FleetSample> samples = GROWS_AND_ENDS.samples().subList(0, 6);

    assertThat(FleetTable.of(samples).emptySeconds()).isNegative();
    assertThat(new FleetRecord(samples).endsWithoutWorkers()).isFalse();
  }

  @Test
  void draw_writes_a_picture(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("fleet.png");

    GROWS_AND_ENDS.draw(file, new long[] {14_100, 14_200, 16_900});

    assertThat(Files.size(file)).isGreaterThan(10_000);
  }
}
