package io.cloudkon.provisioner.launch;

import java.io.IOException;
import java.nio.file.Path;

/** Starts the process of a worker. */
@FunctionalInterface
interface WorkerStart {

  /**
   * Starts one; returns before it has written its file.
   *
   * @param token of its launch
   * @param id of its instance
   * @param file where it writes its number, unless another process has: then it ends
   * @param log where its output goes
   * @param command what it is to become, for a shell
   * @throws IOException if this machine has no room for it
   */
  Process start(String token, String id, Path file, Path log, String command) throws IOException;
}
