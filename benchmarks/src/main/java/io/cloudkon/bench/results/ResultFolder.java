package io.cloudkon.bench.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.cloudkon.bench.plot.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of measured figures: a JSON and a PNG of each, and a page that shows them all. Only one
 * process at a time may write to it.
 */
public final class ResultFolder {
  private static final String ENDING = ".json";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter PRETTY = JSON.writerWithDefaultPrettyPrinter();

  private final Path folder;

  public ResultFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * Writes a figure, replacing the one of the same name and latency; returns the path of its
   * picture.
   */
  public Path put(FigureRecord record) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(record.file() + ENDING), PRETTY.writeValueAsString(record));
    Path picture = folder.resolve(record.file() + ".png");
    Figure.write(picture, record.panels().stream().map(FigurePanel::figure).toList());
    Files.writeString(folder.resolve("README.md"), page(all()));
    return picture;
  }

  /** The figures in the folder; other JSON, such as that of the rivals, is none. */
  private List<FigureRecord> all() throws IOException {
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    }
    Stream.Builder<FigureRecord> records = Stream.builder();
    for (Path file : files) {
      JsonNode json = JSON.readTree(file.toFile());
      if (json.has("figure")) {
        records.add(JSON.treeToValue(json, FigureRecord.class));
      }
    }
    return records.build().toList();
  }

  private static String page(List<FigureRecord> records) {
    StringBuilder text =
        new StringBuilder(
            """
            # Measured figures

            Written by `./cloudkon bench NAME --results DIR`: each figure as JSON and PNG, and this page, which shows all of them.
            docs/performance.md says what they show.
            """);
    for (FigureRecord record : records) {
      text.append("\n## %s\n\n".formatted(heading(record)));
      text.append(
          "%s. Taken on %s: %s.\n\n".formatted(record.title(), record.taken(), record.machine()));
      text.append("```\n%s\n```\n\n".formatted(record.command()));
      text.append("![%s](%s.png)\n".formatted(record.figure(), record.file()));
      for (FigurePanel panel : record.panels()) {
        text.append("\n%s\n\n%s".formatted(panel.title(), panel.markdown()));
      }
      text.append('\n');
      record.notes().forEach(note -> text.append("- %s\n".formatted(note)));
    }
    return text.toString();
  }

  private static String heading(FigureRecord record) {
    return record.emulatedLatencyMillis() == 0
        ? record.figure()
        : "%s, calls of %.0f ms".formatted(record.figure(), record.emulatedLatencyMillis());
  }
}
