package io.cloudkon.local;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Status;

/**
 * Stands between ElasticMQ's HTTP server and its queues. Fails every request until it is opened,
 * and passes on all later ones: each action on a queue asks the manager of the queues first.
 */
final class QueuesGate extends AbstractActor {
  /** Opens the gate. */
  static final Object OPEN = new Object();

  private final ActorRef queues;

  private QueuesGate(ActorRef queues) {
    this.queues = queues;
  }

  /** A closed gate in front of the manager of the queues. */
  static Props to(ActorRef queues) {
    return Props.create(QueuesGate.class, () -> new QueuesGate(queues));
  }

  @Override
  public Receive createReceive() {
    Receive open =
        receiveBuilder().matchAny(request -> queues.forward(request, getContext())).build();
    return receiveBuilder()
        .matchEquals(OPEN, _ -> getContext().become(open))
        .matchAny(_ -> getSender().tell(new Status.Failure(new NotOpenException()), getSelf()))
        .build();
  }

  /** ElasticMQ logs it; without a stack, as strangers cause it. */
  private static final class NotOpenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotOpenException() {
      super("another process has connected to ElasticMQ, and is refused", null, false, false);
    }
  }
}
