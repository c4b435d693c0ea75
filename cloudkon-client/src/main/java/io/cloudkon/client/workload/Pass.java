package io.cloudkon.client.workload;

import io.cloudkon.core.error.CloudKonException;
import java.io.Closeable;
import java.io.IOException;

/** One pass over a workload: receives what the parser finds. Called by one thread at a time. */
sealed interface Pass extends Closeable permits FirstPass, LaterPass {
  /** The format is known now. */
  void format(WorkloadFormat format);

  /** A line holds this task. */
  void task(TaskDraft draft, long line, long offset) throws BadLineException;

  /** Whether its lines may still have to be written by somebody. */
  boolean mayWait();

  /** The end was reached; called at most once. */
  void end(long bytes);

  /** What the pass ends with if a line is no task. */
  CloudKonException bad(long line, BadLineException e);

  /** What the pass ends with if the bytes cannot be read. */
  CloudKonException unreadable(IOException e);

  @Override
  void close();
}
