package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import java.io.Closeable;
import java.io.IOException;

/** One pass over a workload, which receives the parsed tasks. Called by one thread at a time. */
sealed interface Pass extends Closeable permits FirstPass, LaterPass {
  /** Receives the format once it is known. */
  void format(WorkloadFormat format);

  /** Receives the task of a line. */
  void task(TaskDraft draft, long line, long offset) throws BadLineException;

  /** Whether reading may have to wait for lines that are not written yet. */
  boolean mayWait();

  /** Handles the end of the workload; called at most once. */
  void end(long bytes);

  /** The failure that ends the pass if a line is not a task. */
  CloudKonException bad(long line, BadLineException e);

  /** The failure that ends the pass if the bytes cannot be read. */
  CloudKonException unreadable(IOException e);

  @Override
  void close();
}
