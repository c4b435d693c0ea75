package io.cloudkon.faults;

import io.cloudkon.core.handler.TaskHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** {@code java deaf FILE}: creates the file and never ends, whoever interrupts it. */
public final class DeafHandler implements TaskHandler {

  @Override
  public String name() {
    return "deaf";
  }

  @Override
  public byte[] run(List<String> args) throws IOException {
    Files.createFile(Path.of(args.getFirst()));
    while (true) {
      boolean unused = Thread.interrupted();
      LockSupport.parkNanos(10_000_000);
    }
  }
}
