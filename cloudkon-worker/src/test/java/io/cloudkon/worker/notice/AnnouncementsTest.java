package io.cloudkon.worker.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.protocol.notice.NoticeEvent;
import io.cloudkon.core.protocol.notice.NoticeEvent.Interruption;
import io.cloudkon.core.protocol.notice.NoticeEvent.Maintenance;
import io.cloudkon.core.protocol.notice.NoticeEvent.Rebalance;
import io.cloudkon.core.protocol.notice.NoticeMachine;
import io.cloudkon.core.testing.FakeImds;
import io.cloudkon.core.testing.FakeImds.Mood;
import io.cloudkon.worker.imds.MetadataService;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AnnouncementsTest {
  private static final Maintenance NONE = new Maintenance(List.of());

  /** For an answer that a slow machine gives late; no test waits for it to pass. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final FakeImds imds = new FakeImds();
  private final MetadataService service = new MetadataService(imds.endpoint(), PATIENCE);
  private final Announcements announcements = new Announcements(service);

  @AfterEach
  void close() {
    service.close();
    imds.close();
  }

  private List<NoticeEvent> read() throws IOException, InterruptedException {
    return announcements.read();
  }

  private static long at(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @Test
  void instance_of_which_nothing_is_announced_has_no_maintenance_ahead() throws Exception {
    imds.set("autoscaling/target-lifecycle-state", "InService");

    assertThat(read()).containsExactly(NONE);
  }

  @Test
  void all_that_is_announced_is_told_what_presses_first() throws Exception {
    imds.set(
            "spot/instance-action",
            "{\"action\": \"terminate\", \"time\": \"2026-11-22T08:22:00Z\"}")
        .set("events/recommendations/rebalance", "{\"noticeTime\": \"2026-11-22T08:20:00Z\"}")
        .set("autoscaling/target-lifecycle-state", "Terminated");

    assertThat(read())
        .containsExactly(
            new Interruption(at("2026-11-22T08:22:00Z")),
            new Interruption(NoticeMachine.NEVER),
            new Rebalance(),
            NONE);
  }

  @Test
  void maintenance_that_is_over_or_called_off_is_not_ahead() throws Exception {
    imds.set(
        "events/maintenance/scheduled",
        """
        [{"NotBefore": "21 Jan 2027 09:00:43 GMT", "Code": "system-reboot", "State": "active"},
         {"NotBefore": "1 Feb 2027 00:00:00 GMT", "Code": "instance-stop", "State": "active"},
         {"NotBefore": "20 Jan 2027 09:00:43 GMT", "Code": "system-reboot", "State": "completed"},
         {"NotBefore": "19 Jan 2027 09:00:43 GMT", "Code": "instance-stop", "State": "canceled"}]
        """);

    assertThat(read())
        .containsExactly(
            new Maintenance(List.of(at("2027-01-21T09:00:43Z"), at("2027-02-01T00:00:00Z"))));
  }

  @Test
  void interruption_whose_time_cannot_be_read_is_one_all_the_same() throws Exception {
    imds.set("spot/instance-action", "{\"action\": \"stop\", \"time\": \"soon\"}");

    assertThat(read()).containsExactly(new Interruption(NoticeMachine.NEVER), NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>hello</html>", "{\"action\":", "", "[]", "\"terminate\"", "{}"})
  void answer_that_cannot_be_read_is_no_announcement(String odd) throws Exception {
    imds.set("spot/instance-action", odd).set("events/recommendations/rebalance", odd);

    assertThat(read()).containsExactly(NONE);
  }

  @Test
  void maintenance_that_cannot_be_read_is_not_called_off() throws Exception {
    imds.set("events/maintenance/scheduled", "<html>");

    assertThat(read()).isEmpty();
  }

  @Test
  void service_that_is_busy_announces_nothing_and_calls_nothing_off() {
    imds.is(Mood.BUSY);

    assertThatThrownBy(this::read).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "autoscaling/target-lifecycle-state",
        "events/recommendations/rebalance",
        "events/maintenance/scheduled"
      })
  void interruption_is_told_although_another_path_is_refused(String path) throws Exception {
    imds.set("spot/instance-action", "{\"action\": \"stop\", \"time\": \"soon\"}").refuse(path);

    assertThat(read()).contains(new Interruption(NoticeMachine.NEVER));
  }

  @Test
  void maintenance_that_the_service_does_not_say_is_not_called_off() throws Exception {
    imds.refuse("events/maintenance/scheduled");

    assertThat(read()).isEmpty();
  }
}
