package io.cloudkon.core.handler;

import java.util.List;

/**
 * The code of a {@code java} task. Implementations are found by {@link java.util.ServiceLoader} in
 * the jars of {@code worker --handlers DIR} and in jars that clients ship. One instance serves all
 * tasks of a worker, on many threads at once, so it must be thread safe.
 */
public interface TaskHandler {

  /** The name of this handler in a workload; letters, digits, dot, dash and underscore. */
  String name();

  /**
   * Runs one task.
   *
   * @param args the task's arguments
   * @return the task's output, of which at most {@code --capture} bytes are kept; empty for no
   *     output
   * @throws Exception any exception fails the task; its message becomes the task's error. {@link
   *     InterruptedException} signals a time limit, a cancellation or a lost lease, and must not be
   *     swallowed
   */
  byte[] run(List<String> args) throws Exception;
}
