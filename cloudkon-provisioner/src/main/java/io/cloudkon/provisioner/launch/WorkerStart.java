package io.cloudkon.provisioner.launch;

import java.io.IOException;
import java.nio.file.Path;

/** Starts the process of a worker. */
@FunctionalInterface
interface WorkerStart {

  /**
   * Starts a process; returns before it has written its file.
   *
   * @param token the token of its launch
   * @param id the id of its instance
   * @param file the file into which it writes its number; if another process has already done so,
   *     it ends
   * @param log the file for its output
   * @param command the shell command that it becomes
   * @throws IOException if this machine cannot start another process
   */
  Process start(String token, String id, Path file, Path log, String command) throws IOException;
}
