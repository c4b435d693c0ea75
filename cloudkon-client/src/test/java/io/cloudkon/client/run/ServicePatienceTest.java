package io.cloudkon.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServicePatienceTest {
  private static final RefusedException DENIED =
      new RefusedException("sqs:ReceiveMessage", "queue", "Q-response-c", "HTTP 403", null);
  private static final MissingResourceException MISSING =
      new MissingResourceException("queue", "Q", null);

  private final ManualTime time = new ManualTime();

  @Test
  void response_queue_that_never_worked_is_hopeless_at_once() {
    assertThat(new ServicePatience(time).isHopeless(DENIED)).isTrue();
  }

  @Test
  void response_queue_that_worked_is_waited_for_for_five_minutes() {
    ServicePatience queue = new ServicePatience(time);
    queue.allowed("sqs:ReceiveMessage");
    assertThat(queue.isHopeless(DENIED)).isFalse();
    time.advance(Duration.ofMinutes(4));
    queue.allowed("sqs:ReceiveMessage");
    assertThat(queue.isHopeless(DENIED)).isFalse();
    time.advance(Duration.ofMinutes(5));
    assertThat(queue.isHopeless(DENIED)).isTrue();
  }

  @Test
  void former_queue_is_waited_for_though_this_client_never_read_it() {
    ServicePatience queue = ServicePatience.thatWorked(time);
    queue.throwIfHopeless(DENIED);
    time.advance(ServicePatience.PATIENCE);
    queue.throwIfHopeless(new TransientServiceException("HTTP 503", null));
    assertThatThrownBy(() -> queue.throwIfHopeless(DENIED)).isSameAs(DENIED);
  }

  @Test
  void queue_that_worked_may_be_missing_for_fifteen_seconds() {
    ServicePatience queue = new ServicePatience(time);
    assertThat(queue.isHopeless(MISSING)).isTrue();
    queue.worked();
    assertThat(queue.isHopeless(MISSING)).isFalse();
    time.advance(Duration.ofSeconds(14));
    queue.worked();
    assertThat(queue.isHopeless(MISSING)).isFalse();
    time.advance(Duration.ofSeconds(15));
    assertThat(queue.isHopeless(MISSING)).isTrue();
  }
}
