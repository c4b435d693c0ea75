package io.cloudkon.client.template;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.UsageException;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Values from a file, separated by line ends or NUL bytes. A line may end in CR LF, and the last
 * one needs no line end.
 *
 * @param name the file's name in messages
 * @param opener opens the file each time it is read
 * @param nul whether values end at NUL bytes
 * @param empty the number of empty values, once all have been read
 */
record ReadValues(String name, Opener opener, boolean nul, AtomicLong empty)
    implements ValueSource {
  /** The longest argument with which Linux starts a program. */
  static final int MAX_BYTES = 128 * 1024 - 1;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** Opens the stream of the values. */
  @FunctionalInterface
  interface Opener {
    InputStream open() throws IOException;
  }

  /**
   * The values of a file.
   *
   * @param again whether it is read more than once; a pipe's values are then kept in memory
   */
  static ReadValues ofFile(String file, boolean nul, boolean again) {
    Path path = Path.of(file);
    boolean kept = again && Files.exists(path) && !Files.isRegularFile(path);
    Opener opener = kept ? kept(path) : () -> Files.newInputStream(path);
    return new ReadValues(Printable.line(file), opener, nul, new AtomicLong());
  }

  private static Opener kept(Path path) {
    AtomicReference<byte @Nullable []> content = new AtomicReference<>();
    return () -> {
      byte[] known = content.get();
      if (known == null) {
        try (InputStream in = Files.newInputStream(path)) {
          known = in.readAllBytes();
        }
        content.set(known);
      }
      return new ByteArrayInputStream(known);
    };
  }

  /** Standard input, which can be read only once. */
  static ReadValues ofStandardInput(InputStream stdin, boolean nul) {
    return new ReadValues("<stdin>", () -> stdin, nul, new AtomicLong());
  }

  @Override
  public Optional<String> note() {
    long count = empty.get();
    if (count == 0) {
      return Optional.empty();
    }
    String what = nul ? "value of %s is empty" : "blank line of %s is taken as an empty value";
    String whats = nul ? "values of %s are empty" : "blank lines of %s are taken as empty values";
    return Optional.of("%,d %s".formatted(count, (count == 1 ? what : whats).formatted(name)));
  }

  @Override
  public Cursor open() {
    try {
      return new Reader(new BufferedInputStream(opener.open()));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private UsageException unreadable(IOException e) {
    String reason =
        switch (e) {
          case NoSuchFileException gone -> "no such file";
          case AccessDeniedException denied -> "permission denied";
          case FileSystemException other when other.getReason() != null -> other.getReason();
          default -> String.valueOf(e.getMessage());
        };
    return new UsageException(
        "%s: cannot be read: %s; expected a file with one value per line".formatted(name, reason),
        e);
  }

  private final class Reader implements Cursor {
    private final InputStream in;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
    private final ByteArrayOutputStream value = new ByteArrayOutputStream();
    private long number;
    private long blank;

    Reader(InputStream in) {
      this.in = in;
    }

    @Override
    public @Nullable String next() {
      value.reset();
      number++;
      try {
        if (!read()) {
          empty.set(blank);
          return null;
        }
        String text = decoded();
        blank += text.isEmpty() ? 1 : 0;
        return text;
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    /** Reads a value; returns false at the end. */
    private boolean read() throws IOException {
      int end = nul ? 0 : '\n';
      int b = in.read();
      if (b < 0) {
        return false;
      }
      for (; b >= 0 && b != end; b = in.read()) {
        if (b == 0) {
          throw refused("has a NUL byte", "expected text; with -0 values end at NUL bytes");
        }
        if (value.size() == MAX_BYTES) {
          throw refused(
              "is too long", "expected at most " + MAX_BYTES + " bytes, as an argument may have");
        }
        value.write(b);
      }
      return true;
    }

    private String decoded() {
      try {
        String text = utf8.decode(ByteBuffer.wrap(value.toByteArray())).toString();
        if (number == 1 && text.startsWith(BYTE_ORDER_MARK)) {
          text = text.substring(1);
        }
        return !nul && text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      } catch (CharacterCodingException e) {
        throw refused("is not valid UTF-8", "expected text in UTF-8");
      }
    }

    private UsageException refused(String problem, String expected) {
      return new UsageException(
          "%s:%d: the value %s; %s".formatted(name, number, problem, expected));
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        // everything needed was read already
      }
    }
  }
}
