package io.cloudkon.client.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A {@link Journal} in a file of checksummed lines. Thread safe; writers wait for each other, but
 * only the caller of a sync waits for the disk. Only one process at a time has it open, so that a
 * suspended client that continues does not write into a journal that another one has taken over.
 */
public final class JournalFile implements Journal {
  private final Path path;
  private final AppendFile file;

  private JournalFile(Path path, AppendFile file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Creates an empty journal, replacing an existing one.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it cannot be written
   */
  public static JournalFile create(Path path) {
    return new JournalFile(path, AppendFile.createAlone(path));
  }

  /**
   * Opens a journal to continue after its last whole entry; a partial entry that a crash left is
   * cut off.
   *
   * @throws io.cloudkon.core.error.CloudKonException if there is none, or it is damaged, or another
   *     process has it open
   */
  public static JournalFile append(Path path) {
    AppendFile file = AppendFile.reopenAlone(path);
    try {
      file.cut(file.read(back -> JournalReader.read(path, back, entry -> {})));
      return new JournalFile(path, file);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  @Override
  public synchronized void read(Consumer<JournalEntry> to) {
    long unused = file.read(back -> JournalReader.read(path, back, to));
  }

  @Override
  public void append(List<? extends JournalEntry> entries) {
    write(entries);
    file.sync();
  }

  @Override
  public void note(JournalEntry entry) {
    write(List.of(entry));
  }

  @Override
  public void sync() {
    file.sync();
  }

  @Override
  public synchronized void close() {
    try (file) {
      file.sync();
    }
  }

  private synchronized void write(List<? extends JournalEntry> entries) {
    StringBuilder lines = new StringBuilder();
    for (JournalEntry entry : entries) {
      lines.append(JournalLine.encode(entry)).append('\n');
    }
    byte[] bytes = lines.toString().getBytes(StandardCharsets.US_ASCII);
    file.write(bytes, bytes.length);
  }
}
