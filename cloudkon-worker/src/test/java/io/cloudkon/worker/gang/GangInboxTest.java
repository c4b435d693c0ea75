package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GangInboxTest {
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final GangInbox inbox = new GangInbox();

  @Test
  void what_was_told_comes_in_its_order() throws Exception {
    inbox.tell(new GangEvent.Drain());
    inbox.tell(new SubWorkerEvent.Drain());

    assertThat(inbox.poll(LONG_NANOS))
        .isEqualTo(new GangInbox.Happening.Managed(new GangEvent.Drain()));
    assertThat(inbox.poll(LONG_NANOS))
        .isEqualTo(new GangInbox.Happening.Served(new SubWorkerEvent.Drain()));
    assertThat(inbox.poll(1)).isNull();
  }

  @Test
  void sickness_of_the_worker_concerns_its_ranks() throws Exception {
    inbox.post(new WorkerEvent.FellSick());
    inbox.post(new WorkerEvent.Recovered());

    assertThat(inbox.poll(LONG_NANOS))
        .isEqualTo(new GangInbox.Happening.Served(new SubWorkerEvent.FellSick()));
    assertThat(inbox.poll(LONG_NANOS))
        .isEqualTo(new GangInbox.Happening.Served(new SubWorkerEvent.Recovered()));
  }

  @Test
  void nothing_comes_before_what_is_due_however_much_was_told() throws Exception {
    inbox.tell(new GangEvent.Drain());

    assertThat(inbox.poll(0)).isNull();
    assertThat(inbox.poll(-1)).isNull();
    assertThat(inbox.poll(LONG_NANOS)).isNotNull();
  }
}
