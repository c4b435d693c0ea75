package io.cloudkon.core.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class LogSetupTest {

  private static LoggerContext configured(Map<String, String> environment) {
    LoggerContext context = new LoggerContext();
    LogSetup.configure(context, environment);
    return context;
  }

  @Test
  void logback_finds_it() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

    assertThat(context.getLogger("software.amazon.awssdk").getLevel()).isEqualTo(Level.ERROR);
  }

  @Test
  void level_is_warn_unless_the_environment_says_otherwise() {
    assertThat(configured(Map.of()).getLogger("io.cloudkon.X").getEffectiveLevel())
        .isEqualTo(Level.WARN);
    assertThat(
            configured(Map.of("CLOUDKON_LOG", "debug"))
                .getLogger("io.cloudkon")
                .getEffectiveLevel())
        .isEqualTo(Level.DEBUG);
    assertThat(
            configured(Map.of("CLOUDKON_LOG_SDK", "info"))
                .getLogger("software.amazon.awssdk.core")
                .getEffectiveLevel())
        .isEqualTo(Level.INFO);
  }

  @Test
  void event_is_one_line_whatever_it_carries() {
    LoggerContext context = configured(Map.of());
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("io.cloudkon.core.aws.AwsCloud"),
            Level.WARN,
            "two\nlines of {}",
            new IllegalStateException("cause"),
            new Object[] {"text"});

    assertThat(new LogLine().doLayout(event))
        .matches(
            "[0-9:.]{12} WARN AwsCloud: two lines of text:"
                + " java.lang.IllegalStateException: cause\n");
  }

  @Test
  void what_a_task_prints_drives_no_terminal() {
    LoggerContext context = configured(Map.of());
    LoggingEvent event =
        new LoggingEvent(
            "",
            context.getLogger("io.cloudkon.X"),
            Level.WARN,
            "task {}",
            new IllegalStateException("\u001b[2J"),
            new Object[] {"\u202ea"});

    assertThat(new LogLine().doLayout(event))
        .endsWith("task \\u202ea: java.lang.IllegalStateException: \\u001b[2J\n");
  }
}
