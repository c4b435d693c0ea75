package io.cloudkon.client.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;

/**
 * {@code report.json}: the components of {@link RunReport} by their names, indented. Stateless and
 * thread safe.
 */
public final class ReportJson {
  private static final int DECIMALS = 9;
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .registerModule(
              new SimpleModule()
                  .addSerializer(Double.class, new PlainNumber())
                  .addSerializer(double.class, new PlainNumber())
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addKeySerializer(Stage.class, new StageKey()));

  private ReportJson() {}

  /** The report as JSON text. */
  public static String toJson(RunReport report) {
    try {
      return MAPPER.writeValueAsString(report) + '\n';
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("report of run " + report.run() + " is no JSON", e);
    }
  }

  /**
   * Writes the report atomically: readers see the old file or the complete new one.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  public static void write(Path path, RunReport report) {
    Path half = path.resolveSibling(path.getFileName() + ".tmp");
    byte[] json = toJson(report).getBytes(StandardCharsets.UTF_8);
    try (AppendFile file = AppendFile.create(half)) {
      file.write(json, json.length);
      file.sync();
    }
    try {
      Files.move(half, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      AppendFile.syncFolder(path);
    } catch (IOException e) {
      throw AppendFile.failed(path, "write", e);
    }
  }

  /** Writes numbers without an exponent, rounded to nine decimals. */
  private static final class PlainNumber extends JsonSerializer<Double> {
    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
      json.writeNumber(
          (rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros()).toPlainString());
    }
  }

  private static final class StageKey extends JsonSerializer<Stage> {
    @Override
    public void serialize(Stage stage, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeFieldName(stage.key());
    }
  }
}
