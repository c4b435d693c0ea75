package io.cloudkon.client.template;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.cloudkon.client.workload.GeneratedLines;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tasks of a template as a workload, one per line. Not thread safe. */
final class TemplateLines extends GeneratedLines {
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private final Template template;
  private final Rows rows;

  TemplateLines(Template template, Rows rows) {
    this.template = template;
    this.rows = rows;
  }

  @Override
  protected boolean next(OutputStream to) throws IOException {
    @Nullable Row row = rows.next();
    if (row == null) {
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
