package io.cloudkon.core.memory.faults;

import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.ResponseQueue;
import java.time.Duration;
import java.util.List;

/** Response queues whose calls meet their fates. */
final class UnreliableResponseQueue implements ResponseQueue {
  private final ResponseQueue queues;
  private final Injector injector;
  private final Replays replays = new Replays();

  UnreliableResponseQueue(ResponseQueue queues, Injector injector) {
    this.queues = queues;
    this.injector = injector;
  }

  @Override
  public void create(String queue) {
    injector.call(
        Operation.RESPONSE_CREATE,
        () -> {
          queues.create(queue);
          return true;
        });
  }

  @Override
  public void remove(String queue) {
    injector.call(
        Operation.RESPONSE_REMOVE,
        () -> {
          queues.remove(queue);
          return true;
        });
  }

  @Override
  public List<String> list() {
    return injector.call(Operation.RESPONSE_LIST, queues::list);
  }

  @Override
  public List<BatchFailure> send(String queue, List<OutgoingMessage> batch) {
    Fate fate = injector.begin(Operation.RESPONSE_SEND);
    return injector.batch(
        Operation.RESPONSE_SEND, fate, batch, messages -> queues.send(queue, messages));
  }

  @Override
  public List<ReceivedMessage> receive(String queue, int max, Duration wait, Duration visibility)
      throws InterruptedException {
    Fate fate = injector.begin(Operation.RESPONSE_RECEIVE);
    if (fate == Fate.THROTTLED) {
      throw injector.failure(Operation.RESPONSE_RECEIVE, fate);
    }
    List<ReceivedMessage> received = queues.receive(queue, max, wait, visibility);
    injector.happened(Operation.RESPONSE_RECEIVE);
    if (fate == Fate.ANSWER_LOST) {
      throw injector.failure(Operation.RESPONSE_RECEIVE, fate);
    }
    replays.remember(received);
    return received;
  }

  @Override
  public List<BatchFailure> delete(String queue, List<String> handles) {
    Fate fate = injector.begin(Operation.RESPONSE_DELETE);
    if (fate == Fate.IGNORED) {
      return List.of();
    }
    List<BatchFailure> failures =
        injector.batch(
            Operation.RESPONSE_DELETE, fate, handles, batch -> queues.delete(queue, batch));
    List<OutgoingMessage> again = replays.forget(handles, fate == Fate.REPLAYED);
    if (!again.isEmpty()) {
      injector.hold(Operation.RESPONSE_DELETE, () -> queues.send(queue, again));
    }
    return failures;
  }
}
