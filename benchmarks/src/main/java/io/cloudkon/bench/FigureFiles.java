package io.cloudkon.bench;

import io.cloudkon.bench.results.FigurePanel;
import io.cloudkon.bench.results.FigureRecord;
import io.cloudkon.bench.results.ResultFolder;
import io.cloudkon.core.config.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes measured figures, each with the command that reproduces it.
 *
 * @param setting the setting of their run
 */
record FigureFiles(Setting setting) {

  /** Writes a figure. */
  void write(String name, String what, List<FigurePanel> panels, List<String> notes)
      throws IOException {
    FigureRecord record =
        new FigureRecord(
            name,
            what,
            command(name),
            setting.latency().toNanos() / 1e6,
            LocalDate.now(ZoneOffset.UTC).toString(),
            machine(),
            panels,
            notes);
    Path unused = new ResultFolder(setting.figures().results).put(record);
  }

  private String command(String name) {
    StringBuilder command = new StringBuilder("./cloudkon bench ").append(name);
    if (setting.quick()) {
      command.append(" --quick");
    }
    if (!setting.latency().isZero()) {
      command.append(" --emulate-latency ").append(Durations.format(setting.latency()));
    }
    setting.asked().ifPresent(tasks -> command.append(" --tasks ").append(tasks));
    Duration work = setting.figures().workPerSlot;
    if (work != null) {
      command.append(" --work-per-slot ").append(Durations.format(work));
    }
    if (setting.figures().defaultsOnly) {
      command.append(" --defaults-only");
    }
    if (setting.figures().workers.length > 0) {
      command.append(
          Arrays.stream(setting.figures().workers)
              .mapToObj(Integer::toString)
              .collect(Collectors.joining(",", " --workers ", "")));
    }
    return command.append(" --results benchmarks/results").toString();
  }

  private static String machine() {
    return "%d processors, %s, Java %d"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            Runtime.version().feature());
  }
}
