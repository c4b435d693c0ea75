package io.cloudkon.worker.execute;

import io.cloudkon.hpc.mpi.HydraOutput;
import io.cloudkon.worker.execute.spawn.OutputSink;

/**
 * Passes on what an MPI program prints, out of the standard output of its mpiexec.
 *
 * @param output told of everything that mpiexec prints
 * @param program takes what its ranks print
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
