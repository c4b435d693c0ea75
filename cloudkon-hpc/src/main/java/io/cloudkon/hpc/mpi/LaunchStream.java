package io.cloudkon.hpc.mpi;

import java.io.IOException;
import java.io.InputStream;

/** What an MPI program prints, out of the standard output of its mpiexec. For one reader. */
public final class LaunchStream extends InputStream {
  private static final int CHUNK = 16 * 1024;

  private final InputStream in;
  private final HydraOutput output;
  private byte[] ready = {};
  private int next;
  private boolean ended;

  /**
   * A stream that tells the output of everything it reads.
   *
   * @param in mpiexec's standard output, the caller's to close
   */
  public LaunchStream(InputStream in, HydraOutput output) {
    this.in = in;
    this.output = output;
  }

  @Override
  public int read() throws IOException {
    return fill() ? ready[next++] & 0xff : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int n = Math.min(length, ready.length - next);
    System.arraycopy(ready, next, to, offset, n);
    next += n;
    return n;
  }

  private boolean fill() throws IOException {
    byte[] chunk = new byte[CHUNK];
    while (next == ready.length && !ended) {
      int n = in.read(chunk);
      ended = n < 0;
      ready = ended ? output.finish() : output.take(chunk, n);
      next = 0;
    }
    return next < ready.length;
  }
}
