package io.cloudkon.core.aws;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import org.junit.jupiter.api.Test;

final class ProbeTest {
  private static final Runnable FINE = () -> {};

  private static Runnable failing(RuntimeException e) {
    return () -> {
      throw e;
    };
  }

  private static Runnable missing(String resource) {
    return failing(new MissingResourceException("queue", resource, null));
  }

  private static Runnable unreachable() {
    return failing(new TransientServiceException("no answer", null));
  }

  @Test
  void reads_that_succeed_throw_nothing() {
    Probe probe = Probe.all(FINE, FINE);

    assertThatCode(probe::throwRefusals).doesNotThrowAnyException();
    assertThatCode(() -> probe.throwMissing(() -> "")).doesNotThrowAnyException();
  }

  @Test
  void service_that_cannot_be_reached_wins_over_what_is_missing() {
    Probe probe = Probe.all(missing("Q"), unreachable());

    assertThatThrownBy(probe::throwRefusals)
        .isExactlyInstanceOf(CloudKonException.class)
        .hasMessageStartingWith("no answer; check AWS_ENDPOINT_URL");
  }

  @Test
  void service_that_refuses_is_quoted() {
    Probe probe = Probe.all(FINE, failing(new CloudKonException("denied")));

    assertThatThrownBy(probe::throwRefusals).hasMessage("denied");
  }

  @Test
  void all_that_is_not_allowed_is_said_at_once() {
    Probe probe =
        Probe.all(
            failing(refused("sqs:GetQueueUrl", "queue", "Q")),
            FINE,
            failing(refused("dynamodb:GetItem", "table", "Q-runs")));

    assertThatThrownBy(probe::throwRefusals)
        .hasMessage(
            "2 actions are denied: sqs:GetQueueUrl on queue 'Q';"
                + " dynamodb:GetItem on table 'Q-runs';"
                + " check the credentials, and that they allow these");
  }

  @Test
  void what_else_may_be_the_reason_of_a_refusal_is_said_once_for_all() {
    RefusedException put = ofBucket("s3:PutObject");
    RefusedException get = ofBucket("s3:GetObject");

    assertThatThrownBy(Probe.all(failing(put), failing(get))::throwRefusals)
        .hasMessage(
            "2 actions are denied: s3:PutObject on bucket 'b'; s3:GetObject on bucket 'b';"
                + " check the credentials, and that they allow these; or say b@ACCOUNT");
  }

  private static RefusedException ofBucket(String action) {
    return new RefusedException(action, "bucket", "b", "HTTP 403", "or say b@ACCOUNT", null);
  }

  @Test
  void credentials_that_do_not_work_are_an_error_at_once() {
    Probe probe =
        Probe.all(failing(TransientServiceException.ofCredentials("ExpiredToken", null)), FINE);

    assertThatThrownBy(probe::throwRefusals).hasMessage("ExpiredToken");
  }

  private static RefusedException refused(String action, String kind, String resource) {
    return new RefusedException(action, kind, resource, "HTTP 403 AccessDenied", null);
  }

  @Test
  void first_that_is_missing_is_named() {
    Probe probe = Probe.all(missing("Q"), missing("other"));

    assertThatCode(probe::throwRefusals).doesNotThrowAnyException();
    assertThatThrownBy(() -> probe.throwMissing(() -> "; clusters here: a"))
        .isInstanceOf(MissingResourceException.class)
        .hasMessageContaining("'Q'");
  }
}
