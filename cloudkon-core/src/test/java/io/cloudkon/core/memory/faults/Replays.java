package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Remembers received messages by handle, so that they can come again after they were deleted. */
final class Replays {
  private static final int KEPT = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, OutgoingMessage> received = new LinkedHashMap<>();
  private final Set<Integer> replayed = new HashSet<>();

  void remember(List<ReceivedMessage> messages) {
    lock.lock();
    try {
      for (ReceivedMessage message : messages) {
        received.put(
            message.handle(), new OutgoingMessage(message.attributes(), message.payload()));
      }
      var oldest = received.keySet().iterator();
      while (received.size() > KEPT) {
        oldest.next();
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets these handles; gives the messages among them that did not come again yet. */
  List<OutgoingMessage> forget(List<String> handles, boolean replay) {
    List<OutgoingMessage> again = new ArrayList<>();
    lock.lock();
    try {
      for (String handle : handles) {
        OutgoingMessage message = received.remove(handle);
        if (replay && message != null && replayed.add(fingerprint(message))) {
          again.add(message);
        }
      }
    } finally {
      lock.unlock();
    }
    return again;
  }

  private static int fingerprint(OutgoingMessage message) {
    return 31 * Arrays.hashCode(message.payload()) + message.attributes().hashCode();
  }
}
