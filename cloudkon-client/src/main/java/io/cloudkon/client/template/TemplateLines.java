package io.cloudkon.client.template;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import io.cloudkon.client.workload.GeneratedLines;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tasks of a template as a workload, one per line. Not thread safe. */
final class TemplateLines extends GeneratedLines {
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .characterEscapes(new Unprintable())
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  /**
   * Escapes what could drive a terminal that shows the lines: the controls that JSON lets stand,
   * and characters that change the direction of text or are not seen.
   */
  private static final class Unprintable extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private static final int DELETE = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] codes = standardAsciiEscapesForJSON();
      codes[DELETE] = ESCAPE_STANDARD;
      return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int c) {
      int type = Character.getType(c);
      return type == Character.CONTROL
              || type == Character.FORMAT
              || type == Character.LINE_SEPARATOR
              || type == Character.PARAGRAPH_SEPARATOR
          ? new SerializedString("\\u%04X".formatted(c))
          : null;
    }
  }

  private final Template template;
  private final Rows rows;
  private final Runnable atEnd;

  /**
   * Starts before the first task.
   *
   * @param atEnd runs once when all lines have been read
   */
  TemplateLines(Template template, Rows rows, Runnable atEnd) {
    this.template = template;
    this.rows = rows;
    this.atEnd = atEnd;
  }

  @Override
  protected boolean next(OutputStream to) throws IOException {
    @Nullable Row row = rows.next();
    if (row == null) {
      atEnd.run();
      return false;
    }
    try (JsonGenerator line = JSON.createGenerator(to)) {
      line.writeStartObject();
      if (template.shell()) {
        line.writeStringField("shell", template.line(row));
      } else {
        words(line, "exec", template.words(row));
      }
      List<String> files = template.files(row);
      if (!files.isEmpty()) {
        words(line, "files", files);
      }
      words(line, "values", row.values());
      line.writeEndObject();
    }
    return true;
  }

  private static void words(JsonGenerator line, String field, List<String> words)
      throws IOException {
    line.writeArrayFieldStart(field);
    for (String word : words) {
      line.writeString(word);
    }
    line.writeEndArray();
  }

  @Override
  public void close() {
    rows.close();
  }
}
