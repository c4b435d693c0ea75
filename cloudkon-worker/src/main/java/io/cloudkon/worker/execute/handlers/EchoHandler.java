package io.cloudkon.worker.execute.handlers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cloudkon.core.handler.TaskHandler;
import java.util.List;

/** {@code java echo ARGS...}: answers its arguments, separated by spaces, in UTF-8. */
public final class EchoHandler implements TaskHandler {

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public byte[] run(List<String> args) {
    return String.join(" ", args).getBytes(UTF_8);
  }
}
