package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.client.session.Meters;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.time.SystemTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SessionBucketTest {
  @TempDir Path temp;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);

  @Test
  void other_threads_submit_while_the_store_does_not_answer_a_first_large_task() throws Exception {
    SystemTime time = new SystemTime();
    Cluster of = new MemoryCloud(time).setup("Q");
    Cluster slow =
        new Cluster(
            of.name(),
            of.requests(),
            of.dead(),
            of.responses(),
            of.claims(),
            of.workers(),
            of.runs(),
            of.decisions(),
            slowToList(of.blobs()),
            of.hpc());
    Session session =
        Session.start(
            new SessionCluster(slow, Meters.local(time), UnaryOperator.identity(), () -> {}),
            SessionConfig.cluster("Q").folder(temp.resolve("files")));
    SessionTask task = SessionTask.java("echo", "x".repeat(Limits.TASK_BYTES));
    CompletableFuture<CompletableFuture<SessionResult>> large =
        CompletableFuture.supplyAsync(() -> session.submit(task));
    asked.await();

    var unused = session.submit(SessionTask.noop());

    assertThat(large).isNotDone();
    answer.countDown();
    var also = large.get();
    assertThat(session.leave()).isEqualTo(2);
  }

  private BlobStore slowToList(BlobStore store) {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("list")) {
                asked.countDown();
                answer.await();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
