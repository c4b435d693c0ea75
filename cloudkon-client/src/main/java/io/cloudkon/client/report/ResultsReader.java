package io.cloudkon.client.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.model.RankResult;
import io.cloudkon.core.model.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code results.jsonl} back, line by line; standard output and outputs, however large, are
 * skipped and not held. Stateless and thread safe.
 */
public final class ResultsReader {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .build();

  private static final Map<String, Stamp> STAMPS = new HashMap<>();

  static {
    for (Stamp stamp : Stamp.values()) {
      STAMPS.put(stamp.key(), stamp);
    }
  }

  private static final byte[] NOTHING = {};

  private ResultsReader() {}

  /**
   * Reads all whole lines. Anything after them was being written when the client died or its
   * machine crashed; those tasks were not confirmed, and their results come again.
   *
   * @param to receives each line
   * @return the number of bytes in whole lines; 0 if there is no file
   * @throws CloudKonException if a line is damaged in a way that no crash explains
   */
  public static long read(Path path, Consumer<ResultRecord> to) {
    if (!Files.exists(path)) {
      return 0;
    }
    long whole = AppendFile.lengthOfWholeLines(path);
    try (LineStream lines = new LineStream(Files.newInputStream(path))) {
      long bytes = 0;
      for (long number = 1; bytes < whole && lines.next(); number++) {
        ResultRecord line = parse(lines);
        if (line == null) {
          if (lines.zeros()) {
            return bytes; // was never written to disk
          }
          throw new LocalFileException(
              "%s: line %d is not a result; restore the file, or submit the run again"
                  .formatted(path, number));
        }
        to.accept(line);
        while (lines.read() >= 0) {
          // Nothing follows the object.
        }
        bytes = lines.offset();
      }
      return bytes;
    } catch (IOException e) {
      throw AppendFile.failed(path, "read", e);
    }
  }

  private static @Nullable ResultRecord parse(LineStream line) throws IOException {
    try (JsonParser parser = JSON.createParser(line)) {
      return parser.nextToken() == JsonToken.START_OBJECT ? new Fields().read(parser) : null;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return null;
    }
  }

  /** The fields of one line that were read so far. */
  private static final class Fields {
    private final Map<Stamp, Long> stamps = new EnumMap<>(Stamp.class);
    private int index = -1;
    private String task = "";
    private @Nullable TaskStatus status;
    private String error = "";
    private String stderr = "";
    private final List<RankResult> ranks = new ArrayList<>();
    private String worker = "";
    private int attempt;
    private int tries = 1;
    private FileCounts files = FileCounts.NONE;
    private boolean outputCut;

    @Nullable ResultRecord read(JsonParser parser) throws IOException {
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        field(name, parser);
      }
      TaskStatus how = status;
      return index < 0 || how == null
          ? null
          : new ResultRecord(
              index, task, how, error, stderr, ranks, worker, attempt, tries, files, outputCut,
              stamps);
    }

    private void field(String name, JsonParser parser) throws IOException {
      switch (name) {
        case "task" -> task = parser.getText();
        case "index" -> index = parser.getIntValue();
        case "status" -> status = TaskStatus.valueOf(parser.getText());
        case "error" -> error = parser.getText();
        case "stderr" -> stderr = status == TaskStatus.SUCCEEDED ? "" : parser.getText();
        case "ranks" -> ranks(parser);
        case "worker" -> worker = parser.getText();
        case "attempt" -> attempt = parser.getIntValue();
        case "tries" -> tries = parser.getIntValue();
        case "files" -> files(parser);
        case "stdoutCut", "stderrCut", "outputCut" -> outputCut |= parser.getBooleanValue();
        case "stamps" -> stamps(parser);
        default -> parser.skipChildren();
      }
    }

    private void ranks(JsonParser parser) throws IOException {
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        int number = 0;
        String by = "";
        int exitCode = 0;
        String wrote = "";
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
          parser.nextToken();
          switch (name) {
            case "rank" -> number = parser.getIntValue();
            case "worker" -> by = parser.getText();
            case "exitCode" -> exitCode = parser.getIntValue();
            case "stderr" -> wrote = status == TaskStatus.SUCCEEDED ? "" : parser.getText();
            default -> parser.skipChildren();
          }
        }
        ranks.add(new RankResult(number, by, exitCode, NOTHING, wrote.getBytes(UTF_8)));
      }
    }

    private void files(JsonParser parser) throws IOException {
      long count = 0;
      long bytes = 0;
      long leftOut = 0;
      long errors = 0;
      long discarded = 0;
      String firstLeftOut = "";
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        switch (name) {
          case "count" -> count = parser.getLongValue();
          case "bytes" -> bytes = parser.getLongValue();
          case "leftOutCount" -> leftOut = parser.getLongValue();
          case "leftOut" -> firstLeftOut = firstLeftOut(parser);
          case "error" -> errors = 1;
          case "discardedCount" -> discarded = parser.getLongValue();
          default -> parser.skipChildren();
        }
      }
      files = new FileCounts(count, bytes, leftOut, errors, discarded, firstLeftOut);
    }

    private static String firstLeftOut(JsonParser parser) throws IOException {
      String first = "";
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        String file = "";
        String why = "";
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
          parser.nextToken();
          switch (name) {
            case "name" -> file = parser.getText();
            case "why" -> why = parser.getText();
            default -> parser.skipChildren();
          }
        }
        first = first.isEmpty() ? FileCounts.leftOut(file, why) : first;
      }
      return first;
    }

    private void stamps(JsonParser parser) throws IOException {
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        parser.nextToken();
        Stamp stamp = STAMPS.get(name);
        if (stamp != null) {
          stamps.put(stamp, parser.getLongValue());
        }
      }
    }
  }
}
