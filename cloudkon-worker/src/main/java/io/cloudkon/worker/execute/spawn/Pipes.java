package io.cloudkon.worker.execute.spawn;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;

/**
 * The pipes of a command that is about to start. Closing closes the command's ends, and also ours
 * if they are unused.
 */
final class Pipes implements AutoCloseable {
  private static final int NONE = -1;
  private static final int LOWEST = 3;

  private final int[] its = {NONE, NONE, NONE};
  private final int[] ours = {NONE, NONE, NONE};

  private Pipes() {}

  /**
   * Creates the pipes.
   *
   * @param input whether the command has a standard input
   * @param uid the user who gets them; -1 means this process's own user
   */
  static Pipes open(boolean input, int uid, SegmentAllocator memory) throws IOException {
    Pipes pipes = new Pipes();
    try {
      MemorySegment two = memory.allocate(JAVA_INT, 2);
      for (int i = input ? 0 : 1; i < pipes.its.length; i++) {
        pipes.open(i, two, uid);
      }
    } catch (IOException e) {
      pipes.close();
      throw e;
    }
    return pipes;
  }

  private void open(int which, MemorySegment two, int uid) throws IOException {
    if (Libc.pipe(two) != 0) {
      throw new IOException(
          "Cannot run program: no pipe can be made; is the limit of open files too low? (ulimit"
              + " -n)");
    }
    int reading = two.getAtIndex(JAVA_INT, 0);
    int writing = two.getAtIndex(JAVA_INT, 1);
    its[which] = which == 0 ? reading : writing;
    ours[which] = which == 0 ? writing : reading;
    if (uid != NONE) {
      Libc.giveTo(uid, its[which]); // it may reopen them as /dev/stderr
    }
    if (Math.min(reading, writing) < LOWEST) {
      throw new IOException("Cannot run program: this process has no standard streams");
    }
  }

  int in() {
    return its[0];
  }

  int out() {
    return its[1];
  }

  int err() {
    return its[2];
  }

  /**
   * Hands over our ends, and a descriptor of the process that got the other ends.
   *
   * @throws IOException if the descriptor cannot be opened
   */
  int[] ofChild(int pid) throws IOException {
    int process = Libc.processDescriptor(pid);
    if (process < 0) {
      throw new IOException(
          "Cannot run program: it cannot be watched; is the limit of open files too low? (ulimit"
              + " -n)");
    }
    int[] all = Arrays.copyOf(ours, ours.length + 1);
    all[ours.length] = process;
    Arrays.fill(ours, NONE);
    return all;
  }

  @Override
  public void close() {
    close(its);
    close(ours);
  }

  private static void close(int[] descriptors) {
    for (int descriptor : descriptors) {
      if (descriptor != NONE) {
        Libc.close(descriptor);
      }
    }
  }
}
