package io.cloudkon.worker.imds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.testing.FakeImds;
import io.cloudkon.core.testing.FakeImds.Mood;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MetadataServiceTest {
  private static final String TOKEN = "PUT /latest/api/token";
  private static final Duration SHORT = Duration.ofMillis(200);

  /** For an answer that a slow machine gives late; no test waits for it to pass. */
  private static final Duration LONG = Duration.ofSeconds(30);

  private final FakeImds imds = new FakeImds().set("instance-id", "i-1\n");
  private final MetadataService service = new MetadataService(imds.endpoint(), LONG);

  @AfterEach
  void close() {
    service.close();
    imds.close();
  }

  @Test
  void questions_are_asked_under_one_token() throws Exception {
    assertThat(service.get("instance-id")).contains("i-1");
    assertThat(service.get("spot/instance-action")).isEmpty();

    assertThat(imds.asked())
        .containsExactly(
            TOKEN,
            "GET /latest/meta-data/instance-id",
            "GET /latest/meta-data/spot/instance-action");
  }

  @Test
  void token_that_is_valid_no_more_is_renewed() throws Exception {
    assertThat(service.get("instance-id")).contains("i-1");
    imds.expireTokens();

    assertThat(service.get("instance-id")).contains("i-1");
    assertThat(imds.asked(TOKEN)).isEqualTo(2);
  }

  @Test
  void token_that_is_refused_twice_is_a_failure_and_no_endless_loop() {
    imds.is(Mood.FORGETS);

    assertThatThrownBy(() -> service.get("instance-id"))
        .isInstanceOf(IOException.class)
        .hasMessage("instance-id: status 401");
    assertThat(imds.asked(TOKEN)).isEqualTo(2);
  }

  @Test
  void token_that_cannot_be_sent_back_is_a_failure_and_forgotten() throws Exception {
    imds.is(Mood.GIVES_ODD_TOKENS);
    assertThatThrownBy(() -> service.get("instance-id")).isInstanceOf(IOException.class);
    imds.is(Mood.WELL);

    assertThat(service.get("instance-id")).contains("i-1");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mood.class,
      names = {"BUSY", "SWITCHED_OFF"})
  void refusal_is_a_failure_that_names_the_status(Mood mood) {
    imds.is(mood);

    assertThatThrownBy(() -> service.get("instance-id"))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("/latest/api/token: status (503|403)");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mood.class,
      names = {"HANGS", "STOPS_HALFWAY"})
  void answer_that_does_not_come_is_not_waited_for(Mood mood) throws Exception {
    assertThat(service.get("instance-id")).contains("i-1");
    imds.is(mood);

    assertThatThrownBy(() -> service.get("instance-id", SHORT))
        .isInstanceOf(IOException.class)
        .hasMessage("no answer in time");
    imds.is(Mood.WELL);
    assertThat(service.get("instance-id")).contains("i-1");
  }

  @Test
  void answer_that_never_ends_is_not_kept() {
    imds.set("instance-id", "x".repeat(1 << 17));

    assertThatThrownBy(() -> service.get("instance-id")).isInstanceOf(IOException.class);
  }

  @Test
  void nobody_there_is_a_failure() {
    URI gone = imds.endpoint();
    imds.close();
    try (MetadataService lonely = new MetadataService(gone)) {
      assertThatThrownBy(() -> lonely.get("instance-id")).isInstanceOf(IOException.class);
    }
  }
}
