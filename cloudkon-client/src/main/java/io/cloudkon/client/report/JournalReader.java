package io.cloudkon.client.report;

import io.cloudkon.client.report.JournalEntry.RunHeader;
import io.cloudkon.core.error.CloudKonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a journal back, entry by entry, in the order of writing. Stateless and thread safe. */
public final class JournalReader {
  private JournalReader() {}

  /**
   * Reads the first entry alone; empty if it is not whole, or of another version.
   *
   * @throws CloudKonException if the journal cannot be read
   */
  static Optional<RunHeader> header(Path path) {
    try (BufferedReader lines = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      return line != null && JournalLine.decode(line).orElse(null) instanceof RunHeader header
          ? Optional.of(header)
          : Optional.empty();
    } catch (IOException e) {
      throw AppendFile.failed(path, "read", e);
    }
  }

  /**
   * Reads all whole entries. What follows the last of them was being written as the client died,
   * and nothing was done yet of what it announces: it is left out.
   *
   * @param to takes each entry
   * @return how many bytes the whole entries take
   * @throws CloudKonException if there is no journal, or if it is damaged before its end: to go on
   *     then could send a task twice
   */
  public static long read(Path path, Consumer<JournalEntry> to) {
    long whole = AppendFile.lengthOfWholeLines(path);
    long bytes = 0;
    long number = 0;
    long damaged = 0;
    // Latin-1: a character is a byte, whatever a crash left there.
    try (BufferedReader lines = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        Optional<JournalEntry> entry = JournalLine.decode(line);
        if (entry.isEmpty() || bytes + line.length() >= whole) {
          damaged = damaged == 0 ? number : damaged;
          continue;
        }
        if (damaged > 0) {
          throw new CloudKonException(
              "journal %s: line %d is damaged though whole lines follow; restore the file, or submit the run anew"
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
