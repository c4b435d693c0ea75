package io.cloudkon.client.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A {@link Journal} in a file of checksummed lines. Thread safe; writers wait for each other, syncs
 * included.
 */
public final class JournalFile implements Journal {
  private final AppendFile file;

  private JournalFile(AppendFile file) {
    this.file = file;
  }

  /**
   * An empty journal, in the place of one that may be there.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  public static JournalFile create(Path path) {
    return new JournalFile(AppendFile.create(path));
  }

  /**
   * Goes on behind the last whole entry; what a crash left of one is cut off.
   *
   * @throws io.cloudkon.core.error.CloudKonException if there is none, or it is damaged
   */
  public static JournalFile append(Path path) {
    return new JournalFile(AppendFile.reopen(path, JournalReader.read(path, entry -> {})));
  }

  @Override
  public synchronized void append(List<? extends JournalEntry> entries) {
    write(entries);
    file.sync();
  }

  @Override
  public synchronized void note(JournalEntry entry) {
    write(List.of(entry));
  }

  @Override
  public synchronized void close() {
    try (file) {
      file.sync();
    }
  }

  private void write(List<? extends JournalEntry> entries) {
    StringBuilder lines = new StringBuilder();
    for (JournalEntry entry : entries) {
      lines.append(JournalLine.encode(entry)).append('\n');
    }
    byte[] bytes = lines.toString().getBytes(StandardCharsets.US_ASCII);
    file.write(bytes, bytes.length);
  }
}
