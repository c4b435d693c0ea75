package io.cloudkon.worker.execute;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Wording of task outcomes. */
final class Texts {
  /** The frames shown of each exception: enough to find the place, few enough for every result. */
  private static final int FRAMES = 12;

  /** The number of causes shown: a chain of causes may be circular. */
  private static final int CAUSES = 5;

  private static final String OURS = HandlerCall.class.getName();

  /** Shells add the number of the signal that ended a command to 128. */
  private static final int SIGNALLED = 128;

  /** The highest number of the signals that have a name of their own, SIGSYS. */
  private static final int SIGNALS = 31;

  private Texts() {}

  static String exited(int exitCode) {
    return exitCode > SIGNALLED && exitCode <= SIGNALLED + SIGNALS
        ? "exit code " + exitCode + " (signal " + (exitCode - SIGNALLED) + ")"
        : "exit code " + exitCode;
  }

  /** Class and message, in one line. */
  static String error(Throwable thrown) {
    String message = thrown.getMessage();
    String name = thrown.getClass().getName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("");
  }

  /**
   * The nearest frames of the exception and of its causes, down to where the handler was called.
   */
  static byte[] trace(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    Throwable next = thrown;
    for (int i = 0; next != null && i < CAUSES; i++) {
      text.append(i == 0 ? "" : "Caused by: ").append(next).append('\n');
      frames(next.getStackTrace(), text);
      next = next.getCause();
    }
    return text.toString().getBytes(UTF_8);
  }

  private static void frames(StackTraceElement[] frames, StringBuilder text) {
    for (int i = 0; i < frames.length && !frames[i].getClassName().equals(OURS); i++) {
      if (i == FRAMES) {
        text.append("\t...\n");
        return;
      }
      text.append("\tat ").append(frames[i]).append('\n');
    }
  }
}
