package io.cloudkon.client.workload;

import io.cloudkon.core.cli.Printable;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Opens the source that an argument of the command line names. */
final class Sources {
  /** The name of standard input in messages. */
  static final String STDIN = "<stdin>";

  private static final String EXPECTED = "expected the workload file, or - for standard input";

  private Sources() {}

  static WorkloadSource of(String fileOrDash, InputStream stdin) {
    if (fileOrDash.equals("-")) {
      return new SpoolSource(STDIN, stdin, false);
    }
    String name = Printable.line(fileOrDash);
    try {
      Path path = Path.of(fileOrDash);
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (attributes.isDirectory()) {
        throw refused(name, "is a directory", null);
      }
      if (!Files.isReadable(path)) {
        throw refused(name, "cannot be read: permission denied", null);
      }
      return attributes.isRegularFile()
          ? new FileSource(name, path, attributes)
          : new SpoolSource(name, new FileInputStream(path.toFile()), true);
    } catch (InvalidPathException e) {
      throw refused(name, "is not a file name: " + Printable.line(e.getReason()), e);
    } catch (IOException e) {
      throw refused(name, reason(e), e);
    }
  }

  /**
   * Opens the spool of an earlier client.
   *
   * @param sent the number of tasks that it put into bundles
   */
  static WorkloadSource spool(Path path, LongSupplier sent) {
    String name = Printable.line(path.toString());
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return FileSource.spool(name, path, attributes, sent);
    } catch (IOException e) {
      throw refused(name, reason(e), e);
    }
  }

  /** The report of a failure to read. */
  static UsageException unreadable(String name, IOException e) {
    return refused(name, reason(e), e);
  }

  /** The failure that ends a run whose workload can no longer be read. */
  static CloudKonException failed(String name, IOException e) {
    return new LocalFileException(
        name + ": " + reason(e) + "; expected the workload to stay until the run ends", e);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException gone -> "no such file";
      case AccessDeniedException denied -> "cannot be read: permission denied";
      case FileSystemException other when other.getReason() != null ->
          "cannot be read: " + Printable.line(String.valueOf(other.getReason()));
      default -> "cannot be read: " + Printable.line(String.valueOf(e.getMessage()));
    };
  }

  private static UsageException refused(String name, String problem, @Nullable Throwable cause) {
    String shown = name.isEmpty() ? "\"\"" : name;
    return new UsageException(shown + ": " + problem + "; " + EXPECTED, cause);
  }
}
