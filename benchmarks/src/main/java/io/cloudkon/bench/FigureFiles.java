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
 * Writes measured figures, each with the command that was run.
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
            command(),
            setting.latency().toNanos() / 1e6,
            LocalDate.now(ZoneOffset.UTC).toString(),
            machine(),
            panels,
            notes);
    Path unused = new ResultFolder(setting.figures().results).put(record);
  }

  /**
   * The command that was run. Figures of one command share their clusters, so it names all of them.
   * A folder by its absolute path, which exists on this machine only, is left out.
   */
  String command() {
    StringBuilder command = new StringBuilder("./cloudkon bench ");
    command.append(String.join(" ", setting.names()));
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
    if (!setting.rmiTls()) {
      command.append(" --rmi-tls off");
    }
    Path results = setting.figures().results;
    if (!results.isAbsolute() && !results.equals(FigureOptions.RESULTS)) {
      command.append(" --results ").append(results);
    }
    return command.toString();
  }

  private static String machine() {
    return "%d processors, %s, Java %d"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            Runtime.version().feature());
  }
}
