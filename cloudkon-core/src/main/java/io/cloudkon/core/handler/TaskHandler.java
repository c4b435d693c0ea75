package io.cloudkon.core.handler;

import java.util.List;

/**
 * The code of a {@code java} task. Found by {@link java.util.ServiceLoader} in the jars of {@code
 * worker --handlers DIR}; one instance serves all tasks of a worker, on many threads at once, so it
 * must be thread safe.
 */
public interface TaskHandler {

  /** The name by which a workload asks for it; letters, digits, dot, dash and underscore. */
  String name();

  /**
   * Runs one task.
   *
   * @param args the task's arguments
   * @return what the task answers, at most {@code --capture} bytes of it are kept; empty for
   *     nothing
   * @throws Exception any exception fails the task, its message is the task's error; {@link
   *     InterruptedException} is how a time limit, a cancel or a lost lease reaches it, and must
   *     not be swallowed
   */
  byte[] run(List<String> args) throws Exception;
}
