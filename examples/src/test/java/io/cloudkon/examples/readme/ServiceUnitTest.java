package io.cloudkon.examples.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/operations.md shows of infra/ is what stands there: the unit, and the alarms. */
class ServiceUnitTest {
  private static final Pattern UNIT =
      Pattern.compile("(<!-- unit -->\n+```\n)(.*?)(```\n+<!-- end -->)", Pattern.DOTALL);
  private static final Pattern ALARM =
      Pattern.compile("AlarmName: !Sub \"cloudkon-\\$\\{Queue}-(.*)\"");
  private static final Pattern WORDS = Pattern.compile("\\?\"([^\"]+)\"");
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
    String template = Documents.read(Documents.HOME.resolve("infra/cloudkon.yaml"));
    List<String> alarms =
        ALARM.matcher(template).results().map(alarm -> alarm.group(1)).sorted().toList();

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
    String template = Documents.read(Documents.HOME.resolve("infra/cloudkon.yaml"));
    String filter =
        template.lines().filter(line -> line.contains("FilterPattern: ")).findFirst().orElse("");
    List<String> words = WORDS.matcher(filter).results().map(found -> found.group(1)).toList();

    List<String> sources =
        Documents.sources().stream()
            .filter(source -> source.toString().contains("cloudkon-provisioner"))
            .map(Documents::read)
            .toList();
    assertThat(words)
        .isNotEmpty()
        .allMatch(said -> sources.stream().anyMatch(source -> source.contains(said)));
  }
}
