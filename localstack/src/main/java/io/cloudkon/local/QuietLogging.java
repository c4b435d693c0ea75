package io.cloudkon.local;

/**
 * Restricts the libraries' logs to warnings on standard error, together with {@code
 * simplelogger.properties}.
 */
final class QuietLogging {
  private QuietLogging() {}

  /** Must be called before the first class of a library is loaded. */
  static void install() {
    System.setProperty("log4j2.configurationFile", "cloudkon-log4j2.xml");
  }
}
