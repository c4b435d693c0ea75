package io.cloudkon.client.dead;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.QueueDepth;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.VisibilityChange;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A queue of tasks or jobs to which the new run sends; reports which tasks it has accepted. */
record RedriveQueue(RequestQueue queue, Runnable sending, Consumer<Task> accepted)
    implements RequestQueue {

  @Override
  public String name() {
    return queue.name();
  }

  @Override
  public List<BatchFailure> send(List<OutgoingMessage> batch) {
    sending.run();
    List<BatchFailure> failures = queue.send(batch);
    Set<Integer> refused = failures.stream().map(BatchFailure::index).collect(Collectors.toSet());
    for (int i = 0; i < batch.size(); i++) {
      if (!refused.contains(i)) {
        tasks(batch.get(i)).forEach(accepted);
      }
    }
    return failures;
  }

  private static List<Task> tasks(OutgoingMessage message) {
    try {
      return BundleCodec.decode(message.payload()).tasks();
    } catch (MalformedMessageException e) {
      throw new IllegalStateException("the client's own bundle", e);
    }
  }

  @Override
  public List<ReceivedMessage> receive(int max, Duration wait, Duration visibility)
      throws InterruptedException {
    return queue.receive(max, wait, visibility);
  }

  @Override
  public List<BatchFailure> delete(List<String> handles) {
    return queue.delete(handles);
  }

  @Override
  public void changeVisibility(String handle, Duration visibility) {
    queue.changeVisibility(handle, visibility);
  }

  @Override
  public List<BatchFailure> changeVisibilities(List<VisibilityChange> batch) {
    return queue.changeVisibilities(batch);
  }

  @Override
  public QueueDepth depth() {
    return queue.depth();
  }
}
