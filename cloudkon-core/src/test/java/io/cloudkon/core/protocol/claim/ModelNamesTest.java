package io.cloudkon.core.protocol.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.protocol.bundle.BundlePhase;
import io.cloudkon.core.protocol.table.TransitionTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the names and the tables of {@code docs/model/claim.pml} to those of the code. */
class ModelNamesTest {
  private static final String MODEL = model();

  /** A set of names in the model, and the enum that it stands for. */
  record Names(String inModel, Class<? extends Enum<?>> inCode) {}

  static Stream<Names> names() {
    return Stream.of(
        new Names("ClaimState", ClaimState.class),
        new Names("Mode", Acquisition.Mode.class),
        new Names("ClaimPhase", ClaimPhase.class),
        new Names("ClaimTrigger", ClaimPhase.Trigger.class),
        new Names("BundlePhase", BundlePhase.class),
        new Names("BundleTrigger", BundlePhase.Trigger.class));
  }

  @ParameterizedTest
  @MethodSource("names")
  void constants_of_the_model_are_those_of_the_code(Names names) {
    Pattern declaration =
        Pattern.compile("mtype = \\{ /\\* %s \\*/([^}]*)}".formatted(names.inModel()));
    String declared = declaration.matcher(MODEL).results().findFirst().orElseThrow().group(1);
    assertThat(Arrays.stream(declared.split(",")).map(String::strip))
        .containsExactlyElementsOf(
            constants(names.inCode()).map(name -> names.inModel() + "_" + name).toList());
  }

  @Test
  void table_of_a_claim_in_the_model_is_that_of_the_code() {
    assertThat(rowsOfModel("CLAIM_ROW")).containsExactlyElementsOf(rowsOf(ClaimPhase.TABLE));
  }

  @Test
  void table_of_a_bundle_in_the_model_is_that_of_the_code() {
    assertThat(rowsOfModel("BUNDLE_ROW")).containsExactlyElementsOf(rowsOf(BundlePhase.TABLE));
  }

  @Test
  void modes_of_the_model_are_those_of_a_run() {
    assertThat(found("(?m)^#define (\\w+) +\\d$").filter(name -> name.endsWith("_ONCE")))
        .containsExactlyElementsOf(constants(Consistency.class).toList());
  }

  private static Stream<String> constants(Class<? extends Enum<?>> of) {
    return Arrays.stream(of.getEnumConstants()).map(Enum::name);
  }

  private static List<String> rowsOfModel(String macro) {
    return found("(?m)^  %s\\((\\w+, \\w+, \\w+)\\)$".formatted(macro)).toList();
  }

  private static List<String> rowsOf(TransitionTable<?, ?> table) {
    return table.rows().stream()
        .map(row -> "%s, %s, %s".formatted(row.from(), row.trigger(), row.to()))
        .toList();
  }

  private static Stream<String> found(String pattern) {
    return Pattern.compile(pattern).matcher(MODEL).results().map((MatchResult r) -> r.group(1));
  }

  /** Maven says where the project lies; without Maven it is upwards from here. */
  private static String model() {
    String told = System.getProperty("cloudkon.home");
    Path at = Path.of(told == null ? "" : told).toAbsolutePath();
    while (!Files.isDirectory(at.resolve("cloudkon-core"))) {
      at = at.getParent();
    }
    try {
      return Files.readString(at.resolve("docs").resolve("model").resolve("claim.pml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
