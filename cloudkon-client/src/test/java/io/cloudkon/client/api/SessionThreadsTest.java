package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.session.Meters;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.time.SystemTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SessionThreadsTest {
  private static final InheritableThreadLocal<String> OWN = new InheritableThreadLocal<>();

  private final SystemTime time = new SystemTime();
  private final Cluster cluster = new MemoryCloud(time).setup("Q");
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

  private void note() {
    seen.add(OWN.get() + " " + Thread.currentThread().getContextClassLoader());
  }

  /** The queue of a cluster whose senders are looked at. */
  private RequestQueue noted(RequestQueue queue) {
    return (RequestQueue)
        Proxy.newProxyInstance(
            RequestQueue.class.getClassLoader(),
            new Class<?>[] {RequestQueue.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("send")) {
                note();
              }
              try {
                return method.invoke(queue, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void threads_take_nothing_over_from_the_one_that_connects() throws Exception {
    Cluster noted =
        new Cluster(
            cluster.name(),
            noted(cluster.requests()),
            cluster.dead(),
            cluster.responses(),
            cluster.claims(),
            cluster.workers(),
            cluster.runs(),
            cluster.decisions(),
            cluster.blobs(),
            cluster.hpc());
    Thread here = Thread.currentThread();
    ClassLoader before = here.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[0], before)) {
      OWN.set("of the program");
      here.setContextClassLoader(loader);
      SessionConfig config = SessionConfig.cluster("Q").noFiles();
      try (Session session =
          Session.start(
              new SessionCluster(noted, Meters.local(time), UnaryOperator.identity(), () -> {}),
              config)) {
        var unused = session.submit(SessionTask.exec("true"));
        String sender = seen.take();
        assertThat(session.leave()).isEqualTo(1);
        assertThat(sender).isEqualTo("null " + SessionThreads.class.getClassLoader());
      }
      SessionThreads.start("cloudkon-test", this::note).join();
      assertThat(seen.take()).isEqualTo("null " + SessionThreads.class.getClassLoader());
    } finally {
      here.setContextClassLoader(before);
      OWN.remove();
    }
  }
}
