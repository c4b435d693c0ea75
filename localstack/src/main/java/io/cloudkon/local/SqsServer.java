package io.cloudkon.local;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.http.scaladsl.Http;
import org.elasticmq.NodeAddress;
import org.elasticmq.actor.QueueManagerActor;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.elasticmq.util.NowProvider;
import scala.Option;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.FutureConverters;

/**
 * ElasticMQ, which does not authenticate clients, behind connections that only this process has.
 * ElasticMQ listens only for a moment, and accepts only as many connections as are opened here
 * meanwhile. Another process may connect first, so a {@link QueuesGate} refuses every request until
 * each connection of this process has answered, that is, until all places are its own. If one does
 * not answer, all connections are ended, also those of others. Thread-safe.
 */
final class SqsServer implements AutoCloseable {
  private static final int AT_ONCE = 16;
  private static final int TRIES = 5;

  /** The first connections load most of ElasticMQ's code, beside whatever else the machine does. */
  private static final Duration FIRST_ANSWER_LIMIT = Duration.ofSeconds(60);

  /** After the answer before it. */
  private static final Duration NEXT_ANSWER_LIMIT = Duration.ofSeconds(10);

  private static final byte[] TRIAL =
      "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /**
   * Idle connections stay open until the side that opened them closes them, so that none ends
   * during a request. The JVM's shutdown must not wait for open long polls.
   */
  private static final String SETTINGS =
      """
      pekko.loglevel = WARNING
      pekko.stdout-loglevel = OFF
      pekko.http.server.idle-timeout = infinite
      pekko.http.server.max-connections = %d
      pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
      """
          .formatted(AT_ONCE);

  private final NodeAddress address;
  private final Duration nextAnswerLimit;
  private final IntConsumer bound;
  private final SqsLimits limits = new SqsLimits();
  private final ActorSystem actors;
  private final ActorRef queues;
  private final Deque<SocketChannel> ready = new ArrayDeque<>();
  private volatile boolean closed;

  /**
   * Starts ElasticMQ.
   *
   * @param port the port that clients use, for the URLs of the queues
   */
  SqsServer(int port) {
    this(port, NEXT_ANSWER_LIMIT, _ -> {});
  }

  /**
   * Starts ElasticMQ.
   *
   * @param nextAnswerLimit how long a connection may take to answer after another one
   * @param bound receives each port on which ElasticMQ listens, before any connection is opened
   */
  SqsServer(int port, Duration nextAnswerLimit, IntConsumer bound) {
    this.nextAnswerLimit = nextAnswerLimit;
    this.bound = bound;
    this.address = new NodeAddress("http", "127.0.0.1", port, "");
    Config settings = ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load());
    this.actors = ActorSystem.create("elasticmq", settings);
    this.queues =
        actors.actorOf(
            Props.create(
                QueueManagerActor.class,
                () -> new QueueManagerActor(new NowProvider(), limits, Option.empty())));
  }

  /** Opens connections if there are none, so that the next {@link #connect} does not wait. */
  synchronized void prepare() throws IOException {
    for (int i = 0; ready.isEmpty() && i < TRIES && !closed; i++) {
      ready.addAll(open());
    }
    if (ready.isEmpty()) {
      throw new IOException("another process takes ElasticMQ's connections");
    }
  }

  /** Returns a connection, which the caller owns from then on. */
  synchronized SocketChannel connect() throws IOException {
    prepare();
    return ready.remove();
  }

  /** Opens several connections; returns none if any of them does not answer. */
  private List<SocketChannel> open() throws IOException {
    ActorRef gate = actors.actorOf(QueuesGate.to(queues));
    Http.ServerBinding listening = listen(gate);
    List<SocketChannel> opened = new ArrayList<>();
    boolean ours = false;
    try {
      bound.accept(listening.localAddress().getPort());
      for (int i = 0; i < AT_ONCE; i++) {
        opened.add(Loopback.connect(listening.localAddress().getPort()));
      }
      ours = allAnswer(opened) && isUnbound(listening);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (ours) {
        gate.tell(QueuesGate.OPEN, ActorRef.noSender());
      } else {
        opened.forEach(Closing::quietly);
        listening.terminate(FiniteDuration.apply(1, TimeUnit.SECONDS));
        actors.stop(gate);
      }
    }
    return ours ? opened : List.of();
  }

  private Http.ServerBinding listen(ActorRef gate) {
    return SQSRestServerBuilder.withActorSystem(actors)
        .withQueueManagerActor(gate)
        .withInterface("127.0.0.1")
        .withPort(0)
        .withServerAddress(address)
        .withSQSLimits(limits)
        .withAWSRegion("us-east-1")
        .withAWSAccountId("000000000000")
        .start()
        .waitUntilStarted();
  }

  /** Ends the listening. While all places are taken, nobody else was accepted meanwhile. */
  private boolean isUnbound(Http.ServerBinding listening) throws InterruptedException {
    try {
      FutureConverters.asJava(listening.unbind())
          .toCompletableFuture()
          .get(nextAnswerLimit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** Tests connections. One that does not answer may be another process's. */
  private boolean allAnswer(List<SocketChannel> connections) throws InterruptedException {
    CompletionService<Boolean> answers =
        new ExecutorCompletionService<>(Thread::startVirtualThread);
    connections.forEach(connection -> answers.submit(() -> answer(connection), true));
    Duration limit = FIRST_ANSWER_LIMIT;
    for (SocketChannel _ : connections) {
      Future<Boolean> next = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null || next.state() != Future.State.SUCCESS) {
        return false;
      }
      limit = nextAnswerLimit;
    }
    return true;
  }

  /**
   * Sends the test request and reads its whole answer, so that the connection is as good as new.
   */
  private static void answer(SocketChannel channel) {
    try {
      RelayedConnection.write(channel, ByteBuffer.wrap(TRIAL));
      ByteBuffer buffer = ByteBuffer.allocate(4096);
      String text = "";
      while (!text.endsWith("\r\n\r\nOK")) {
        if (channel.read(buffer) < 0) {
          throw new EOFException("closed instead of answered");
        }
        text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    // First, so that connections that are being opened fail and the lock is free.
    actors.terminate();
    synchronized (this) {
      ready.forEach(Closing::quietly);
      ready.clear();
    }
  }
}
