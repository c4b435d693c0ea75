package io.cloudkon.faults;

import io.cloudkon.core.handler.TaskHandler;
import java.util.List;

/** {@code java halt}: ends the JVM that runs it, without a word. */
public final class HaltHandler implements TaskHandler {

  @Override
  public String name() {
    return "halt";
  }

  @Override
  public byte[] run(List<String> args) {
    Runtime.getRuntime().halt(1);
    return new byte[0];
  }
}
