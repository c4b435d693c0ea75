package io.cloudkon.core.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What this JVM allocates, as its flight recorder sees it. */
public final class Allocations {
  /** Where a large object lands depends on how much room a thread's buffer has just then. */
  private static final List<String> LARGE =
      List.of("jdk.ObjectAllocationOutsideTLAB", "jdk.ObjectAllocationInNewTLAB");

  private Allocations() {}

  /** What may fail. */
  public interface Body {
    void run() throws IOException;
  }

  /** The size in bytes of the largest object that any thread allocates meanwhile. */
  public static long largestOf(Body body) throws IOException {
    Path file = Files.createTempFile("allocations", ".jfr");
    try (Recording recording = new Recording()) {
      LARGE.forEach(event -> recording.enable(event).withoutStackTrace());
      recording.start();
      body.run();
      recording.stop();
      recording.dump(file);
      long largest = 0;
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        largest = Math.max(largest, event.getLong("allocationSize"));
      }
      return largest;
    } finally {
      Files.delete(file);
    }
  }
}
