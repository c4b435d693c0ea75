package io.cloudkon.core.handler;

import java.util.List;

/**
 * The code of a {@code java} HPC job, which all ranks run at the same time. Implementations are
 * found in the same way as a {@link TaskHandler}. One instance serves all ranks of a worker, on
 * many threads at once, so it must be thread safe.
 */
public interface RankHandler {

  /** The name of this handler in a workload; letters, digits, dot, dash and underscore. */
  String name();

  /**
   * Runs one rank.
   *
   * @param world this rank's number and its connection to the other ranks
   * @param args the job's arguments, the same for every rank
   * @return this rank's output, of which at most {@code --capture} bytes are kept; that of rank 0
   *     is also the job's output. Empty for no output
   * @throws Exception any exception fails the job and ends its other ranks; its message becomes the
   *     job's error. {@link InterruptedException} signals a time limit, a cancellation, a lost
   *     lease or another rank's end, and must not be swallowed
   */
  byte[] run(Communicator world, List<String> args) throws Exception;
}
