package io.cloudkon.local;

/**
 * Keeps the libraries from writing anything but warnings, and those to standard error. The other
 * half is {@code simplelogger.properties}.
 */
final class QuietLogging {
  private QuietLogging() {}

  /** To be called before the first class of a library is loaded. */
  static void install() {
    System.setProperty("log4j2.configurationFile", "cloudkon-log4j2.xml");
  }
}
