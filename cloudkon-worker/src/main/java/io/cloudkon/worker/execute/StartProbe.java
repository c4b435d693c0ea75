package io.cloudkon.worker.execute;

/** Tries again, with something harmless, what kept a task from its first instruction. */
@FunctionalInterface
public interface StartProbe {

  /** Throws whatever still keeps it from working; its message says what. */
  void attempt() throws Exception;
}
