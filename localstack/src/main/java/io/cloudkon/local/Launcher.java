package io.cloudkon.local;

/** The program that started this process. */
final class Launcher {
  private Launcher() {}

  /** How its user called it, for commands in messages. */
  static String name() {
    return System.getProperty("cloudkon.launcher", "cloudkon");
  }
}
