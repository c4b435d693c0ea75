package io.cloudkon.client.answers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Limits;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code results.jsonl} line by line, from any offset. Ignores an incomplete last line, which
 * the client is still writing or left behind when it died. Not thread safe.
 */
final class AnswerFile implements Closeable {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .configure(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, true)
          .build();

  static {
    JSON.getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build());
  }

  private static final int NONE = -1;

  private final Path path;
  private final RandomAccessFile file;
  private final byte[] buffer = new byte[16 * 1024];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /** The offset of the buffer's first byte in the file. */
  private long base;

  private int at;
  private int end;

  private AnswerFile(Path path, RandomAccessFile file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Opens a run's answers.
   *
   * @throws UsageException if there is no such file
   * @throws LocalFileException if it cannot be opened
   */
  static AnswerFile open(Path path) {
    try {
      return new AnswerFile(path, new RandomAccessFile(path.toFile(), "r"));
    } catch (IOException e) {
      if (!Files.notExists(path)) {
        throw failed(path, e);
      }
      throw new UsageException(
          "%s cannot be read: expected a run's folder with results".formatted(path), e);
    }
  }

  /** The offset of the next line, in bytes. */
  long offset() {
    return base + at;
  }

  /** Moves to the beginning of a line. */
  void seek(long offset) {
    if (offset >= base && offset <= base + end) {
      at = (int) (offset - base);
      return;
    }
    try {
      file.seek(offset);
    } catch (IOException e) {
      throw failed(e);
    }
    base = offset;
    at = 0;
    end = 0;
  }

  /** The next line; null after the last complete one. */
  @Nullable JsonNode next() {
    long offset = offset();
    line.reset();
    while (true) {
      if (at == end && !fill()) {
        return null;
      }
      int from = at;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      line.write(buffer, from, at - from);
      if (at < end) {
        at++;
        return parsed(offset);
      }
    }
  }

  private JsonNode parsed(long offset) {
    try {
      JsonNode node = JSON.readTree(line.toByteArray());
      int index = node == null ? NONE : node.path(Column.INDEX.key()).asInt(NONE);
      if (index >= 0 && index < Limits.TASKS_PER_RUN) {
        return node;
      }
    } catch (JsonProcessingException e) {
      throw damaged(offset);
    } catch (IOException e) {
      throw failed(e);
    }
    throw damaged(offset);
  }

  private CloudKonException damaged(long offset) {
    return new LocalFileException(
        "%s: no result at byte %d; restore the file".formatted(path, offset));
  }

  private boolean fill() {
    try {
      base += end;
      at = 0;
      end = Math.max(0, file.read(buffer));
      return end > 0;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private CloudKonException failed(IOException e) {
    return failed(path, e);
  }

  private static CloudKonException failed(Path path, IOException e) {
    return new LocalFileException("%s cannot be read: %s".formatted(path, reason(path, e)), e);
  }

  /** The system's reason, without the path that Java puts before it. */
  private static String reason(Path path, IOException e) {
    String text = String.valueOf(e.getMessage());
    String before = path + " (";
    return text.startsWith(before) && text.endsWith(")")
        ? text.substring(before.length(), text.length() - 1)
        : text;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
