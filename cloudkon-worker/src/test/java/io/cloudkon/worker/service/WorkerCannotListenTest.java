package io.cloudkon.worker.service;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.faults.Misbehaviour;
import io.cloudkon.core.model.Consistency;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker that cannot listen to others never was: nobody sees it, and nobody misses it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WorkerCannotListenTest {
  @TempDir Path temp;

  @Test
  void worker_whose_port_is_taken_leaves_no_entry() throws Exception {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    try (ServerSocket taken = new ServerSocket(0, 1, loopback);
        WorkerBed bed =
            new WorkerBed(Misbehaviour.none(), Consistency.EXACTLY_ONCE, WorkerBed.SHORT, temp)) {
      bed.hpc = true;
      bed.rmiPort = taken.getLocalPort();

      assertThatThrownBy(bed::worker)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("--rmi-port %d: cannot listen there", taken.getLocalPort());

      await()
          .during(Duration.ofSeconds(1)) // an entry is written by a thread of its own
          .until(() -> bed.reliable.workers().list().isEmpty());
      bed.rmiPort = 0;
      bed.worker();
      await().until(() -> bed.reliable.workers().list().size() == 1);
    }
  }
}
