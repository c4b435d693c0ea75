package io.cloudkon.client.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.model.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Parses the JSON Lines format: one object per line; blank lines are allowed.
 *
 * <p>One non-blocking parser is fed line by line and never sees beyond a line. A new parser for
 * each line would cost as much as the parsing. Only after a long line a new one is created, because
 * a parser keeps the last text that it read. After a bad line this object cannot be used any more.
 */
final class JsonLineParser implements LineParser {
  private static final int LONG_LINE = 1024 * 1024;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              // The length of a line is limited, and tasks nest no deeper than an array.
              StreamReadConstraints.builder()
                  .maxNestingDepth(16)
                  .maxNumberLength(300)
                  .maxStringLength(Workload.MAX_LINE_BYTES)
                  .build())
          .build();

  private final int maxRetries;
  private JsonParser json;
  private JsonTask task;
  private long fed;

  /** Creates a parser for a run that allows retries. */
  JsonLineParser() {
    this(Limits.RETRIES);
  }

  /**
   * Creates a parser that has read nothing yet.
   *
   * @param maxRetries the largest number of retries of a task
   */
  JsonLineParser(int maxRetries) {
    this.maxRetries = maxRetries;
    this.json = newParser();
    this.task = new JsonTask(json, maxRetries);
  }

  private static JsonParser newParser() {
    try {
      return FACTORY.createNonBlockingByteArrayParser();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean parse(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException {
    int start = LineParser.skipBlanks(bytes, from, to);
    if (start == to) {
      return false;
    }
    if (bytes[start] != '{') {
      throw new BadLineException(
          Excerpt.quote(bytes, start, to) + " is not a JSON object",
          "expected one object per line, such as {\"id\": \"a\", \"sleep\": 100}");
    }
    int end = LineParser.trimEnd(bytes, start, to);
    try {
      object(bytes, start, end, draft);
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (end - start > LONG_LINE) {
      json = newParser();
      task = new JsonTask(json, maxRetries);
      fed = 0;
    } else {
      fed += end - start;
    }
    return true;
  }

  private void object(byte[] bytes, int start, int end, TaskDraft draft)
      throws IOException, BadLineException {
    ByteArrayFeeder feeder = (ByteArrayFeeder) json.getNonBlockingInputFeeder();
    feeder.feedInput(bytes, start, end);
    json.nextToken();
    task.read(draft);
    if (!feeder.needMoreInput()) {
      int rest = start + (int) (json.currentLocation().getByteOffset() - fed);
      throw new BadLineException(
          Excerpt.quote(bytes, LineParser.skipBlanks(bytes, rest, end), end)
              + " follows the JSON object",
          "expected one object per line and nothing else");
    }
  }

  private BadLineException malformed(JsonProcessingException e) {
    long column = json.currentLocation().getByteOffset() - fed;
    String why = Excerpt.cut(e.getOriginalMessage(), 160);
    return new BadLineException(
        "not valid JSON near byte " + column + " of the object: " + Printable.line(why),
        "expected one object per line, such as {\"id\": \"a\", \"sleep\": 100}");
  }
}
