package io.cloudkon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A measured client is started as a user's is. */
class BenchClusterTest {

  @Test
  void flags_of_a_client_are_those_of_the_launcher() throws IOException {
    String launcher = Files.readString(Checkout.home().resolve("cloudkon"));
    assertThat(value(launcher, "ck_patient").replace("$ck_late", value(launcher, "ck_late")))
        .isEqualTo(String.join(" ", BenchCluster.PATIENT));
  }

  private static String value(String launcher, String variable) {
    Matcher line =
        Pattern.compile("^" + variable + "=\"(.*)\"$", Pattern.MULTILINE).matcher(launcher);
    assertThat(line.find()).as(variable).isTrue();
    return line.group(1);
  }
}
