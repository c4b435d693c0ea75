package io.cloudkon.client.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The JSON Lines format: one object a line, blank lines allowed.
 *
 * <p>One non-blocking parser is fed line by line. It never sees beyond a line, and making a parser
 * for each would cost as much as the parsing. After a bad line it is of no further use, as is the
 * whole workload.
 */
final class JsonLineParser implements LineParser {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              // A line is at most 512 KiB, and nothing in a task is nested deeper than an array.
              StreamReadConstraints.builder().maxNestingDepth(16).maxNumberLength(300).build())
          .build();

  private final JsonParser json;
  private final ByteArrayFeeder feeder;
  private final JsonTask task;
  private long fed;

  JsonLineParser() {
    try {
      json = FACTORY.createNonBlockingByteArrayParser();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    feeder = (ByteArrayFeeder) json.getNonBlockingInputFeeder();
    task = new JsonTask(json);
  }

  @Override
  public boolean parse(byte[] bytes, int from, int to, TaskDraft draft) throws BadLineException {
    int start = LineParser.skipBlanks(bytes, from, to);
    if (start == to) {
      return false;
    }
    if (bytes[start] != '{') {
      throw new BadLineException(
          Excerpt.quote(bytes, start, to) + " is no JSON object",
          "expected one object a line, such as {\"id\": \"a\", \"sleep\": 100}");
    }
    int end = LineParser.trimEnd(bytes, start, to);
    try {
      feeder.feedInput(bytes, start, end);
      json.nextToken();
      task.read(draft);
      if (!feeder.needMoreInput()) {
        int rest = start + (int) (json.currentLocation().getByteOffset() - fed);
        throw new BadLineException(
            Excerpt.quote(bytes, LineParser.skipBlanks(bytes, rest, end), end)
                + " follows the JSON object",
            "expected one object a line and nothing else");
      }
    } catch (JsonProcessingException e) {
      throw malformed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    fed += end - start;
    return true;
  }

  private BadLineException malformed(JsonProcessingException e) {
    long column = json.currentLocation().getByteOffset() - fed;
    String why = Excerpt.cut(e.getOriginalMessage(), 160);
    return new BadLineException(
        "not valid JSON near byte " + column + " of the object: " + Excerpt.escape(why),
        "expected one object a line, such as {\"id\": \"a\", \"sleep\": 100}");
  }
}
