package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.workload.WholeLines;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.LocalFileException;
import io.cloudkon.core.error.UsageException;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a journal back, entry by entry, in the order of writing. Stateless and thread safe. */
public final class JournalReader {
  private JournalReader() {}

  /** Like {@link #header}, but also empty if there is no journal or it cannot be read. */
  static Optional<RunHeader> headerIfReadable(Path path) {
    try {
      return Files.isRegularFile(path)
          ? HeldFiles.look(
              path, held -> held.read(file -> in(begin(path, file))), () -> header(path))
          : Optional.empty();
    } catch (CloudKonException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads only the journal's header; empty if it is missing, incomplete or of another version.
   *
   * @throws CloudKonException if the journal cannot be read
   */
  static Optional<RunHeader> header(Path path) {
    return in(begin(path));
  }

  private static Optional<RunHeader> in(Beginning beginning) {
    return beginning instanceof Beginning.Header(RunHeader header)
        ? Optional.of(header)
        : Optional.empty();
  }

  /**
   * The header of a run to resume.
   *
   * @param folder the run's folder, as messages name it
   * @throws UsageException if there is none that can be read; the message says whether anything of
   *     the run was sent
   * @throws CloudKonException if the journal cannot be read
   */
  static RunHeader headerToResume(Path path, Path folder) {
    return switch (begin(path)) {
      case Beginning.Header(RunHeader header) -> header;
      case Beginning.Unfinished _ ->
          throw new UsageException(
              "cannot resume from %s: its journal has no header; none of the run's tasks were sent, so submit it again"
                  .formatted(folder));
      case Beginning.Foreign _ ->
          throw new UsageException(
              "cannot resume from %s: this version cannot read its journal; resume it with the version that started it"
                  .formatted(folder));
    };
  }

  /**
   * The header of a journal that must have one.
   *
   * @throws LocalFileException if it has none that can be read; the message says why
   */
  public static RunHeader requireHeader(Path path) {
    return switch (begin(path)) {
      case Beginning.Header(RunHeader header) -> header;
      case Beginning.Unfinished _ ->
          throw new LocalFileException(
              "journal %s does not name its run: its client died before it sent anything"
                  .formatted(path));
      case Beginning.Foreign _ ->
          throw new LocalFileException(
              "journal %s does not name its run: it is damaged, or of another version of CloudKon; use the version that started the run"
                  .formatted(path));
    };
  }

  /** The beginning of a journal. */
  private sealed interface Beginning {
    /** Its header is whole. */
    record Header(RunHeader header) implements Beginning {}

    /** It ends before its header, and nothing of its run was sent. */
    record Unfinished() implements Beginning {}

    /** It has something else in the place of its header: another version wrote it. */
    record Foreign() implements Beginning {}
  }

  /**
   * Reads a journal up to its header. Only {@link JournalEntry.Stored} entries may precede it.
   *
   * @throws CloudKonException if the journal cannot be read
   */
  private static Beginning begin(Path path) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      return begin(path, file);
    } catch (IOException e) {
      throw AppendFile.failed(path, "read", e);
    }
  }

  /** Likewise from a file that stays open. */
  private static Beginning begin(Path path, RandomAccessFile file) {
    try {
      long left = WholeLines.length(file);
      BufferedReader lines = lines(file);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        left -= line.length() + 1;
        if (left < 0) {
          break;
        }
        switch (JournalLine.decode(line).orElse(null)) {
          case RunHeader header -> {
            return new Beginning.Header(header);
          }
          case JournalEntry.Stored stored -> {}
          case null, default -> {
            return new Beginning.Foreign();
          }
        }
      }
      return new Beginning.Unfinished();
    } catch (IOException e) {
      throw AppendFile.failed(path, "read", e);
    }
  }

  /**
   * Reads all whole entries. Anything after the last of them was being written when the client
   * died, and what it announces was not done yet; it is left out.
   *
   * @param to receives each entry
   * @return the number of bytes in whole entries
   * @throws CloudKonException if there is no journal, or if it is damaged before its end, because
   *     continuing could then send a task twice
   */
  public static long read(Path path, Consumer<JournalEntry> to) {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      return read(path, file, to);
    } catch (IOException e) {
      throw AppendFile.failed(path, "read", e);
    }
  }

  /** The lines of a file that stays open, from its beginning. */
  @SuppressWarnings("StreamResourceLeak")
  private static BufferedReader lines(RandomAccessFile file) throws IOException {
    file.seek(0);
    // Latin-1: a character is a byte, whatever a crash left there.
    return new BufferedReader(
        new InputStreamReader(new FileInputStream(file.getFD()), StandardCharsets.ISO_8859_1));
  }

  /** Reads all whole entries from a file that stays open. */
  static long read(Path path, RandomAccessFile file, Consumer<JournalEntry> to) {
    long bytes = 0;
    long number = 0;
    long damaged = 0;
    try {
      long whole = WholeLines.length(file);
      BufferedReader lines = lines(file);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        Optional<JournalEntry> entry = JournalLine.decode(line);
        if (entry.isEmpty() || bytes + line.length() >= whole) {
          damaged = damaged == 0 ? number : damaged;
          continue;
        }
        if (damaged > 0) {
          throw new LocalFileException(
              "journal %s: line %d is damaged though whole lines follow; restore the file, or submit the run again"
                  .formatted(path, damaged));
        }
        bytes += line.length() + 1;
        to.accept(entry.get());
      }
    } catch (IOException e) {
      throw AppendFile.failed(path, "read", e);
    }
    return bytes;
  }
}
