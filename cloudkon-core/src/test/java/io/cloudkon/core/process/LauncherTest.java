package io.cloudkon.core.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LauncherTest {

  @ParameterizedTest
  @CsvSource({
    "./cloudkon, /usr/bin:/bin, ./cloudkon",
    "../ck/cloudkon, /usr/bin:/bin, ../ck/cloudkon",
    "/opt/ck/bin/cloudkon, /usr/bin:/opt/ck/bin, cloudkon",
    "/opt/ck/bin/cloudkon, /usr/bin:/opt/ck/bin/, cloudkon",
    "/opt/ck/bin/cloudkon, /usr/bin:/bin, /opt/ck/bin/cloudkon",
    "/home/jo/my ck/cloudkon, /usr/bin, '''/home/jo/my ck/cloudkon'''",
    "cloudkon, /usr/bin, cloudkon",
    ", /usr/bin, cloudkon",
    "/opt/cloudkon, , /opt/cloudkon"
  })
  void commands_in_messages_begin_as_the_user_called_the_launcher(
      String called, String searched, String name) {
    assertThat(Launcher.name(called, searched)).isEqualTo(name);
  }
}
