package io.cloudkon.client.cli;

/**
 * The start time of this process's command, which is when its main method was entered. Thread safe.
 */
final class CommandStart {
  private static volatile long micros = System.currentTimeMillis() * 1000;

  private CommandStart() {}

  /** Records that the command starts now. */
  static void isNow() {
    micros = System.currentTimeMillis() * 1000;
  }

  /** The start time by this machine's clock, in epoch microseconds. */
  static long micros() {
    return micros;
  }
}
