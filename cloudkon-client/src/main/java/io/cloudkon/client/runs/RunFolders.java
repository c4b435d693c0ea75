package io.cloudkon.client.runs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cloudkon.client.report.FolderState;
import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.report.KeptOptions;
import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunsHere;
import io.cloudkon.client.status.RunProgress;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.RunLabel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads the runs whose folders are in this process's directory. Stateless. */
final class RunFolders {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The state of a run in a process that ended before it. */
  private static final String STOPPED = "stopped";

  private RunFolders() {}

  /** A folder and when it was made, read once and not for each comparison. */
  private record Dated(Path folder, long written) {}

  /**
   * Reads the runs.
   *
   * @param counts counts the results of those that were cut short, of the newest ones first
   */
  static List<RunSummary> here(long nowMillis, ResultCounts counts) {
    return in(RunsHere.all(), nowMillis, counts);
  }

  /** Likewise for the runs in these folders. */
  static List<RunSummary> in(List<Path> folders, long nowMillis, ResultCounts counts) {
    return folders.stream()
        .map(folder -> new Dated(folder, written(folder).orElse(0)))
        .sorted(Comparator.comparingLong(Dated::written).reversed())
        .map(Dated::folder)
        .flatMap(folder ->
            RunFolder.headerIn(folder)
                .map(header -> read(folder, header, nowMillis, counts))
                .stream())
        .toList();
  }

  private static RunSummary read(
      Path folder, RunHeader header, long nowMillis, ResultCounts counts) {
    Optional<JsonNode> report = report(folder);
    boolean ended = report.map(json -> json.path("outstanding").asLong() == 0).orElse(false);
    String state = ended ? "ended" : state(folder, header);
    OptionalLong started = started(folder, report);
    long end = report.map(json -> millis(json, "endedAt")).orElse(nowMillis);
    return new RunSummary(
        header.run(),
        header.queue(),
        KeptOptions.labelIn(folder).orElse(RunLabel.NONE),
        !state.equals("ended"),
        state,
        started,
        started.isPresent() && (report.isPresent() || state.equals("open"))
            ? OptionalLong.of(Math.max(0, end - started.getAsLong()))
            : OptionalLong.empty(),
        report.map(json -> json.path("tasks").asLong()).orElse(header.tasks()),
        report
            .map(RunFolders::progress)
            .or(() -> state.equals(STOPPED) ? counts.of(folder) : Optional.empty())
            .orElse(null),
        report.map(RunFolders::cost).orElse(OptionalDouble.empty()),
        Optional.of(folder));
  }

  /** The state of a run without a report that says that it is over. */
  private static String state(Path folder, RunHeader header) {
    try {
      return switch (FolderState.of(folder)) {
        case ENDED -> "ended";
        case ATTENDED -> "open";
        // a run in a process ended with that process
        case LEFT -> header.queue().equals(Names.LOCAL) ? STOPPED : "detached";
      };
    } catch (CloudKonException e) {
      return "damaged";
    }
  }

  private static OptionalLong started(Path folder, Optional<JsonNode> report) {
    if (report.isPresent()) {
      return OptionalLong.of(millis(report.get(), "startedAt"));
    }
    return written(folder);
  }

  private static OptionalLong written(Path folder) {
    try {
      return OptionalLong.of(KeptOptions.writtenAt(folder).toMillis());
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static RunProgress progress(JsonNode report) {
    long succeeded = report.path("succeeded").asLong();
    long bad =
        report.path("failed").asLong()
            + report.path("timedOut").asLong()
            + report.path("lost").asLong()
            + report.path("cancelled").asLong();
    return new RunProgress(succeeded + bad, bad, false, 0, OptionalDouble.empty());
  }

  private static OptionalDouble cost(JsonNode report) {
    return OptionalDouble.of(
        report.path("costUsd").asDouble() + report.path("instancesUsd").asDouble());
  }

  private static long millis(JsonNode report, String field) {
    return Instant.parse(report.path(field).asText()).toEpochMilli();
  }

  private static Optional<JsonNode> report(Path folder) {
    Path file = folder.resolve(RunFolder.REPORT);
    try {
      return Files.isRegularFile(file)
          ? Optional.of(MAPPER.readTree(Files.readAllBytes(file)))
              .filter(
                  json -> json.path("startedAt").isTextual() && json.path("endedAt").isTextual())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // the list shows what else is known of the run
    }
  }
}
