package io.cloudkon.core.handler;

import java.util.List;

/**
 * The code of a {@code java} HPC job: every rank calls it, all at the same time. Found as {@link
 * TaskHandler} is; one instance serves all ranks of a worker, on many threads at once, so it must
 * be thread safe.
 */
public interface RankHandler {

  /** The name by which a workload asks for it; letters, digits, dot, dash and underscore. */
  String name();

  /**
   * Runs one rank.
   *
   * @param world who this rank is, and how it talks to the others
   * @param args the job's arguments, the same for every rank
   * @return what this rank answers, at most {@code --capture} bytes of it are kept; rank 0's is the
   *     job's output too. Empty for nothing
   * @throws Exception any exception fails the job and ends its other ranks, its message is the
   *     job's error; {@link InterruptedException} is how a time limit, a cancel, a lost lease or
   *     another rank's end reaches it, and must not be swallowed
   */
  byte[] run(Communicator world, List<String> args) throws Exception;
}
