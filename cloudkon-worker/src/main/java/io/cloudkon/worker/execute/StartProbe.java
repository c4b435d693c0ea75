package io.cloudkon.worker.execute;

/** Repeats, with something harmless, the step that kept a task from its first instruction. */
@FunctionalInterface
public interface StartProbe {

  /** Throws an exception if the step still fails; its message says why. */
  void attempt() throws Exception;
}
