package io.cloudkon.core.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Formats an event as one line: time, level, class, message; a stack trace only if debugging is on.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

  @Override
  public String doLayout(ILoggingEvent event) {
    String logger = event.getLoggerName();
    StringBuilder line =
        new StringBuilder(TIME.format(Instant.ofEpochMilli(event.getTimeStamp())))
            .append(' ')
            .append(event.getLevel())
            .append(' ')
            .append(logger.substring(logger.lastIndexOf('.') + 1))
            .append(": ")
            .append(event.getFormattedMessage());
    @Nullable IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.append(": ").append(thrown.getClassName()).append(": ").append(thrown.getMessage());
    }
    StringBuilder one =
        new StringBuilder(line.toString().replaceAll("\\s*\\R\\s*", " ")).append('\n');
    if (thrown != null && isDebugged()) {
      one.append(ThrowableProxyUtil.asString(thrown));
    }
    return Printable.text(one.toString());
  }

  private static boolean isDebugged() {
    return !System.getenv().getOrDefault(Cli.DEBUG, "0").equals("0");
  }
}
