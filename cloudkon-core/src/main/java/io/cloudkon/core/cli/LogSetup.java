package io.cloudkon.core.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;

/**
 * Logging of every CloudKon process: warnings to standard error, one line each. {@value
 * #LEVEL}{@code =INFO} or {@code DEBUG} logs more, and {@value #SDK_LEVEL} sets the level of the
 * AWS SDK; {@code -Dlogback.configurationFile=FILE} replaces all of it.
 *
 * <p>Found by Logback as a service. Code, not a {@code logback.xml}, because reading XML would
 * double the time that logging takes to start.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
  static final String LEVEL = "CLOUDKON_LOG";
  static final String SDK_LEVEL = "CLOUDKON_LOG_SDK";

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    configure(context, System.getenv());
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static void configure(LoggerContext context, Map<String, String> environment) {
    LogLine line = new LogLine();
    line.setContext(context);
    line.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(line);
    encoder.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(environment.get(LEVEL), Level.WARN));
    root.addAppender(console);
    // CloudKon itself reports what the SDK warns of, in one clear line
    Level sdk = Level.toLevel(environment.get(SDK_LEVEL), Level.ERROR);
    context.getLogger("software.amazon.awssdk").setLevel(sdk);
    context.getLogger("org.apache.hc").setLevel(sdk);
  }
}
