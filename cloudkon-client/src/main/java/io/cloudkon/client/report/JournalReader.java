package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.client.workload.WholeLines;
import io.cloudkon.core.error.CloudKonException;
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
      return Files.isRegularFile(path) ? header(path) : Optional.empty();
    } catch (CloudKonException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads only the journal's header; empty if it is missing, incomplete or of another version. Only
   * {@link JournalEntry.Stored} entries may precede it.
   *
   * @throws CloudKonException if the journal cannot be read
   */
  static Optional<RunHeader> header(Path path) {
    long whole = AppendFile.lengthOfWholeLines(path);
    long bytes = 0;
    try (BufferedReader lines = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        bytes += line.length() + 1;
        JournalEntry entry = bytes > whole ? null : JournalLine.decode(line).orElse(null);
        if (entry instanceof RunHeader header) {
          return Optional.of(header);
        }
        if (!(entry instanceof JournalEntry.Stored)) {
          return Optional.empty();
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw AppendFile.failed(path, "read", e);
    }
  }

  /**
   * Whether a journal whose header cannot be read begins with something that this version does not
   * write. Otherwise it ends before its header, and nothing of its run was sent.
   *
   * @throws CloudKonException if the journal cannot be read
   */
  static boolean isOfAnotherVersion(Path path) {
    long left = AppendFile.lengthOfWholeLines(path);
    try (BufferedReader lines = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      while (left > 0) {
        String line = lines.readLine();
        if (line == null) {
          return false;
        }
        left -= line.length() + 1;
        if (!(JournalLine.decode(line).orElse(null) instanceof JournalEntry.Stored)) {
          return true;
        }
      }
      return false;
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

  /** Reads all whole entries from a file that stays open. */
  @SuppressWarnings("StreamResourceLeak")
  static long read(Path path, RandomAccessFile file, Consumer<JournalEntry> to) {
    long bytes = 0;
    long number = 0;
    long damaged = 0;
    try {
      long whole = WholeLines.length(file);
      file.seek(0);
      // Latin-1: a character is a byte, whatever a crash left there.
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  new FileInputStream(file.getFD()), StandardCharsets.ISO_8859_1));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        Optional<JournalEntry> entry = JournalLine.decode(line);
        if (entry.isEmpty() || bytes + line.length() >= whole) {
          damaged = damaged == 0 ? number : damaged;
          continue;
        }
        if (damaged > 0) {
          throw new CloudKonException(
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
