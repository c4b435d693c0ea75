package io.cloudkon.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The user's settings that the launcher itself heeds, with stand-ins for Java and for root. */
class LauncherSettingsIT {
  @TempDir Path folder;
  private BareCheckout checkout;
  private Path seen;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = BareCheckout.below(folder);
    checkout.makeJar("cloudkon-client");
    checkout.makeJar("cloudkon-worker");
    seen = folder.resolve("seen.txt");
    checkout.program("id", "echo 0\n");
    checkout.program("unshare", "[ \"$4\" != true ] || exit 0; shift 3; exec \"$@\"\n");
    checkout.program("locale", "echo C.UTF-8\n");
  }

  /** The view of the Java that is started: its arguments, and the variables of the locale. */
  private String seen(Map<String, String> more, String... arguments) throws Exception {
    Map<String, String> environment = new HashMap<>(more);
    Path jdk =
        BareCheckout.jdk(
            folder.resolve("jdk"),
            "{ echo \"$@\"; env | grep -E '^(LC_|LANG=)'; } >'%s'; exit 0\n".formatted(seen));
    environment.put("JAVA_HOME", jdk.toString());
    environment.put("CLOUDKON_BUILD", "off");
    Started started = checkout.cloudkon(environment, arguments);
    assertThat(started.exitCode()).as(started.stderr()).isZero();
    return Files.readString(seen);
  }

  // ---- mounts of a worker of root

  private static final String OWN = "-Dcloudkon.mounts.own=true";

  @Test
  void worker_of_root_has_mounts_of_its_own() throws Exception {
    Path config = Files.writeString(folder.resolve("worker.properties"), "lease = 20s\n");

    assertThat(seen(Map.of(), "worker", "-s", "Q")).contains(OWN);
    assertThat(seen(Map.of(), "worker", "-s", "Q", "--config", config.toString())).contains(OWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mounts = off",
        "mounts=off",
        "  mounts: off  ",
        "mounts off\r",
        "lease = 20s\ntask-user = nobody",
        "task-user:nobody"
      })
  void worker_without_them_may_be_configured_in_a_file(String text) throws Exception {
    String config = Files.writeString(folder.resolve("my worker"), text + "\n").toString();

    assertThat(seen(Map.of(), "worker", "-s", "Q", "--config", config)).doesNotContain(OWN);
    assertThat(seen(Map.of(), "worker", "-s", "Q", "--config=" + config)).doesNotContain(OWN);
    assertThat(seen(Map.of("CLOUDKON_OPT_CONFIG", config), "worker", "-s", "Q"))
        .doesNotContain(OWN);
  }

  @Test
  void comment_is_no_setting_and_the_environment_and_the_command_line_outrank_the_file()
      throws Exception {
    Path comment = Files.writeString(folder.resolve("comment"), "#mounts = off\n! mounts = off\n");
    String off = Files.writeString(folder.resolve("off"), "mounts = off\n").toString();

    assertThat(seen(Map.of(), "worker", "-s", "Q", "--config", comment.toString())).contains(OWN);
    assertThat(seen(Map.of("CLOUDKON_OPT_MOUNTS", "on"), "worker", "-s", "Q", "--config", off))
        .contains(OWN);
    assertThat(seen(Map.of(), "worker", "-s", "Q", "--mounts", "on", "--config", off))
        .contains(OWN);
  }

  // ---- the locale

  @ParameterizedTest
  @CsvSource({
    "'', '', '', C.UTF-8, ''",
    "'', '', C, C.UTF-8, ''",
    "'', POSIX, de_DE.ISO-8859-1, C.UTF-8, ''",
    "C, de_DE.ISO-8859-1, '', C.UTF-8, C.UTF-8",
    "'', '', de_DE.ISO-8859-1, '', ''",
    "'', ja_JP.eucJP, C, ja_JP.eucJP, ''",
    "en_US, C, C, C, en_US",
    "'', '', de_DE.utf8, '', ''"
  })
  void locale_is_replaced_only_where_it_knows_ascii_alone(
      String all, String ctype, String lang, String newCtype, String newAll) throws Exception {
    String text = seen(Map.of("LC_ALL", all, "LC_CTYPE", ctype, "LANG", lang), "runs");

    assertThat(text.lines()).contains("LC_CTYPE=" + newCtype, "LC_ALL=" + newAll, "LANG=" + lang);
  }

  /** As of {@code LANG=de_DE} in a container. */
  @ParameterizedTest
  @CsvSource({"'', de_DE, C.UTF-8, ''", "de_DE, '', C.UTF-8, C.UTF-8", "'', de_DE.utf8, '', ''"})
  void locale_that_is_not_installed_is_replaced_too(
      String all, String lang, String newCtype, String newAll) throws Exception {
    checkout.program("locale", "[ $1 = -a ] && echo C.UTF-8 || echo ANSI_X3.4-1968\n");
    String text = seen(Map.of("LC_ALL", all, "LC_CTYPE", "", "LANG", lang), "runs");

    assertThat(text.lines()).contains("LC_CTYPE=" + newCtype, "LC_ALL=" + newAll, "LANG=" + lang);
  }
}
