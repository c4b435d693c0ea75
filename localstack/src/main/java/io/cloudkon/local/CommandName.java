package io.cloudkon.local;

/** The name of the program in the commands that messages suggest. */
final class CommandName {
  private CommandName() {}

  /** The launcher, as its user called it. */
  static String asCalled() {
    return System.getProperty("cloudkon.launcher", "cloudkon");
  }
}
