package io.cloudkon.client.cli;

/** When the command that this process runs began: as its main method was entered. Thread safe. */
final class CommandStart {
  private static volatile long micros = System.currentTimeMillis() * 1000;

  private CommandStart() {}

  /** A command begins. */
  static void isNow() {
    micros = System.currentTimeMillis() * 1000;
  }

  /** By this machine's clock, epoch microseconds. */
  static long micros() {
    return micros;
  }
}
