package io.cloudkon.client.spool;

/** Receives the positions of lines in a {@link TaskSpool} before they can be read. */
@FunctionalInterface
public interface Placed {
  /**
   * Receives the position of a line that is about to be written. Called under the spool's lock, so
   * it must return at once.
   *
   * @param line its index among those that are appended together, from 0
   * @param ordinal the task's ordinal
   * @param offset where the line begins in the file
   */
  void at(int line, int ordinal, long offset);
}
