package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.List;

/** A request queue whose calls meet their fates. */
final class UnreliableRequestQueue implements RequestQueue {
  private final RequestQueue queue;
  private final QueueOperations operations;
  private final Injector injector;
  private final Replays replays = new Replays();

  UnreliableRequestQueue(RequestQueue queue, QueueOperations operations, Injector injector) {
    this.queue = queue;
    this.operations = operations;
    this.injector = injector;
  }

  @Override
  public String name() {
    return queue.name();
  }

  @Override
  public List<BatchFailure> send(List<OutgoingMessage> batch) {
    Fate fate = injector.begin(operations.send());
    return injector.batch(operations.send(), fate, batch, queue::send);
  }

  @Override
  public List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException {
    Fate fate = injector.begin(operations.receive());
    if (fate == Fate.THROTTLED) {
      throw injector.failure(operations.receive(), fate);
    }
    List<ReceivedMessage> received = queue.receive(max, wait, visibility);
    injector.happened(operations.receive());
    if (fate == Fate.ANSWER_LOST) {
      throw injector.failure(operations.receive(), fate);
    }
    replays.remember(received);
    return received;
  }

  @Override
  public List<BatchFailure> delete(List<String> handles) {
    Fate fate = injector.begin(operations.delete());
    if (fate == Fate.IGNORED) {
      return List.of();
    }
    List<BatchFailure> failures = injector.batch(operations.delete(), fate, handles, queue::delete);
    List<OutgoingMessage> again = replays.forget(handles, fate == Fate.REPLAYED);
    if (!again.isEmpty()) {
      injector.hold(operations.delete(), () -> queue.send(again));
    }
    return failures;
  }

  @Override
  public void changeVisibility(String handle, Duration visibility) {
    Fate fate = injector.begin(operations.visibility());
    if (fate == Fate.IGNORED) {
      return;
    }
    injector.end(
        operations.visibility(),
        fate,
        () -> {
          queue.changeVisibility(handle, visibility);
          return true;
        });
  }

  @Override
  public List<BatchFailure> changeVisibilities(List<VisibilityChange> batch) {
    Fate fate = injector.begin(operations.visibility());
    return fate == Fate.IGNORED
        ? List.of()
        : injector.batch(operations.visibility(), fate, batch, queue::changeVisibilities);
  }

  @Override
  public boolean endsReceivesAtOnce() {
    return queue.endsReceivesAtOnce();
  }

  @Override
  public QueueDepth depth() {
    return injector.call(operations.depth(), queue::depth);
  }
}
