package io.cloudkon.worker.execute;

import io.cloudkon.hpc.mpi.HydraOutput;
import io.cloudkon.worker.execute.spawn.OutputSink;

/**
 * Extracts the output of an MPI program from the standard output of its mpiexec.
 *
 * @param output receives everything that mpiexec prints
 * @param program receives the output of the ranks
 */
record RankOutput(HydraOutput output, OutputSink program) implements OutputSink {
  @Override
  public void take(byte[] chunk, int count) {
    byte[] printed = output.take(chunk, count);
    program.take(printed, printed.length);
  }

  @Override
  public void end() {
    byte[] last = output.finish();
    program.take(last, last.length);
    program.end();
  }
}
