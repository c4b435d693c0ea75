package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import java.util.concurrent.TimeUnit;

/** What an inbox was told, where no loop takes it. */
final class Told {
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final GangInbox inbox;

  Told(GangInbox inbox) {
    this.inbox = inbox;
  }

  /** The next word to the manager's machine; waits for it. */
  GangEvent manager() throws InterruptedException {
    GangInbox.Happening next = inbox.poll(LONG_NANOS);
    assertThat(next).isInstanceOf(GangInbox.Happening.Managed.class);
    return ((GangInbox.Happening.Managed) next).event();
  }

  /** The next word to the sub-worker's machine; waits for it. */
  SubWorkerEvent subWorker() throws InterruptedException {
    GangInbox.Happening next = inbox.poll(LONG_NANOS);
    assertThat(next).isInstanceOf(GangInbox.Happening.Served.class);
    return ((GangInbox.Happening.Served) next).event();
  }

  /** No more was told so far. */
  void nothingElse() throws InterruptedException {
    assertThat(inbox.poll(1)).isNull();
  }
}
