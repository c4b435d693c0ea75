package io.cloudkon.client.report;

import java.io.Closeable;
import java.util.List;
import java.util.function.Consumer;

/**
 * The client's own log of its run, from which {@code --resume} knows what was sent. Thread safe.
 */
public interface Journal extends Closeable {

  /**
   * Reads the entries in the order of writing, including those of former clients of the run.
   *
   * @throws io.cloudkon.core.error.CloudKonException if it is damaged
   */
  void read(Consumer<JournalEntry> to);

  /**
   * Writes entries and returns when they are on disk: one sync for all of them.
   *
   * @throws io.cloudkon.core.error.CloudKonException if they cannot be kept; then what they
   *     announce must not happen
   */
  void append(List<? extends JournalEntry> entries);

  /**
   * Writes an entry that a crash may lose: it is on disk only after the next {@link #append}, the
   * next {@link #sync}, or {@link #close}.
   */
  void note(JournalEntry entry);

  /**
   * Returns when every entry noted before the call is on disk.
   *
   * @throws io.cloudkon.core.error.CloudKonException if they cannot be kept
   */
  void sync();

  @Override
  void close();

  /** A journal that keeps nothing: a run with {@code --out none} cannot be resumed. */
  static Journal none() {
    return new Journal() {
      @Override
      public void read(Consumer<JournalEntry> to) {}

      @Override
      public void append(List<? extends JournalEntry> entries) {}

      @Override
      public void note(JournalEntry entry) {}

      @Override
      public void sync() {}

      @Override
      public void close() {}
    };
  }
}
