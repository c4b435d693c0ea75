package io.cloudkon.bench.rivals;

import io.cloudkon.core.error.CloudKonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Celery's worker, which keeps running while its clients are measured. */
final class CeleryWorker {
  private static final String READY = "READY";

  private CeleryWorker() {}

  /**
   * Starts the worker and returns when it receives; {@link ProcessRunner#end} ends it.
   *
   * @throws CloudKonException if it does not start
   */
  @SuppressWarnings("MustBeClosedChecker") // the process owns the reader
  static Process start(ProcessRunner runner, List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    Process process = runner.stand("celery-worker", command, environment);
    BufferedReader lines = process.inputReader();
    String line = lines.readLine();
    while (line != null && !line.equals(READY)) {
      line = lines.readLine();
    }
    if (line == null) {
      ProcessRunner.end(process);
      throw new CloudKonException("it did not start");
    }
    return process;
  }
}
