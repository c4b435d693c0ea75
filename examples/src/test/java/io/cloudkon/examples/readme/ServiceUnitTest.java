package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/operations.md shows of infra/ is what stands there: the unit, and the alarms. */
class ServiceUnitTest {
  private static final Pattern UNIT =
      Pattern.compile("(<!-- unit -->\n+```\n)(.*?)(```\n+<!-- end -->)", Pattern.DOTALL);
  private static final Pattern ALARM =
      Pattern.compile("AlarmName: !Sub \"cloudkon-\\$\\{Queue}-(.*)\"");
  private static final Pattern WORDS = Pattern.compile("\\?\"([^\"]+)\"");

  /** A string in a source. */
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

  /** Where the words of a provisioner's log stand. */
  private static final Pattern LOGGING =
      Pattern.compile("cloudkon-provisioner/src/main|cloudkon/core/protocol/provisioning/");

  private static final String TEMPLATE =
      Documents.read(Documents.HOME.resolve("infra/cloudkon.yaml"));
  private static final String UPDATE =
      "mvn -pl examples -am test -Dtest=ServiceUnitTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dcloudkon.docs.update=true";

  @Test
  void unit_in_the_document_is_the_one_that_is_installed() throws IOException {
    String unit = Documents.read(Documents.HOME.resolve("infra/image/cloudkon-worker.service"));
    String document = Documents.read(Documents.OPERATIONS);
    if (Boolean.getBoolean("cloudkon.docs.update")) {
      document = UNIT.matcher(document).replaceFirst("$1" + Matcher.quoteReplacement(unit) + "$3");
      Files.writeString(Documents.OPERATIONS, document);
    }

    Matcher shown = UNIT.matcher(document);
    assertThat(shown.find()).isTrue();
    assertThat(shown.group(2)).as("put docs/operations.md right with: %s", UPDATE).isEqualTo(unit);
  }

  @Test
  void every_alarm_of_the_stack_has_a_runbook() {
    List<String> alarms =
        ALARM.matcher(TEMPLATE).results().map(alarm -> alarm.group(1)).sorted().toList();

    List<String> runbooks =
        Documents.read(Documents.OPERATIONS)
            .lines()
            .filter(line -> line.startsWith("### Alarm: "))
            .map(line -> line.substring("### Alarm: ".length()))
            .sorted()
            .toList();

    assertThat(runbooks).isNotEmpty().isEqualTo(alarms);
  }

  @Test
  void words_that_the_alarm_for_launches_looks_for_are_those_of_the_provisioner() {
    List<String> lines =
        Documents.sources().stream()
            .filter(source -> LOGGING.matcher(source.toString()).find())
            .flatMap(source -> literals(Documents.read(source)))
            .toList();

    assertThat(words())
        .hasSizeGreaterThan(4)
        .allSatisfy(word -> assertThat(lines).anyMatch(line -> line.contains(word)));
  }

  @Test
  void alarm_for_launches_does_not_hear_that_the_fleet_is_as_large_as_it_may_be() {
    List<String> news =
        Stream.of("FleetNews.java", "LaunchLimits.java")
            .flatMap(name -> literals(source(name)))
            .toList();

    assertThat(news)
        .anyMatch(line -> line.contains("nothing is launched: "))
        .anyMatch(line -> line.contains("the maximum of %s is reached"))
        .noneMatch(line -> words().stream().anyMatch(line::contains));
  }

  @Test
  void alarm_for_launches_goes_off_while_they_fail_as_seldom_as_they_may_be_tried() {
    long longest =
        Math.max(
            number(source("LaunchLimits.java"), "LONGEST_MILLIS = ([\\d_]+)"),
            number(source("LaunchRefusals.java"), "LIMIT_MILLIS = ([\\d_]+)"));
    // and some looks to notice it, and to decide
    long between = longest + ProvisioningSettings.BOOT_TIMEOUT_MILLIS + 30_000;
    String alarm = resource("LaunchFailures");
    long window =
        Duration.ofSeconds(number(alarm, "Period: (\\d+)"))
            .multipliedBy(number(alarm, "EvaluationPeriods: (\\d+)"))
            .toMillis();

    assertThat(between).isGreaterThan(Duration.ofMinutes(10).toMillis());
    assertThat(window / between).isGreaterThanOrEqualTo(number(alarm, "DatapointsToAlarm: (\\d+)"));
  }

  private static List<String> words() {
    String filter =
        TEMPLATE.lines().filter(line -> line.contains("FilterPattern: ")).findFirst().orElse("");
    return WORDS.matcher(filter).results().map(found -> found.group(1)).toList();
  }

  private static String resource(String name) {
    String from = TEMPLATE.substring(TEMPLATE.indexOf("\n  " + name + ":\n"));
    return from.substring(0, from.indexOf("AlarmActions"));
  }

  private static long number(String text, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(text);
    assertThat(found.find()).as(pattern).isTrue();
    return Long.parseLong(found.group(1).replace("_", ""));
  }

  private static String source(String name) {
    return Documents.sources().stream()
        .filter(source -> source.getFileName().toString().equals(name))
        .map(Documents::read)
        .findFirst()
        .orElseThrow(() -> new AssertionError("there is no source " + name));
  }

  private static Stream<String> literals(String source) {
    return LITERAL.matcher(source).results().map(found -> found.group(1));
  }
}
