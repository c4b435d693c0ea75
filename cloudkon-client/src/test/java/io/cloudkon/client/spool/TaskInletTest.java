package io.cloudkon.client.spool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.workload.LineCheck;
import io.cloudkon.client.workload.RunChecks;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.testing.ManualTime;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TaskInletTest {
  private static final String LARGE = "java echo " + "x".repeat(Limits.TASK_BYTES);

  private final TaskSpool spool = TaskSpool.temporary();
  private final AtomicInteger lists = new AtomicInteger();
  private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
  private final ManualTime time = new ManualTime();

  @AfterEach
  void close() throws Exception {
    spool.close();
  }

  /** An inlet whose blob store only lists. */
  private TaskInlet inlet(Supplier<List<String>> list) {
    BlobStore blobs =
        (BlobStore)
            Proxy.newProxyInstance(
                BlobStore.class.getClassLoader(),
                new Class<?>[] {BlobStore.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("list");
                  lists.incrementAndGet();
                  return list.get();
                });
    return new TaskInlet(spool, RunChecks.of(Consistency.EXACTLY_ONCE), blobs, "run", time);
  }

  private int take(TaskInlet inlet, long number, String task) {
    byte[] line = task.getBytes(UTF_8);
    return inlet.take(
        List.of(new LineCheck.Line(line, 0, line.length, number)),
        (checked, ordinal) -> taken.add(checked.id()));
  }

  @Test
  void bucket_is_looked_for_until_it_was_found() {
    TaskInlet inlet = inlet(List::of);

    assertThat(take(inlet, 1, "noop")).isEqualTo(1);
    assertThat(lists).hasValue(0);
    assertThat(take(inlet, 2, LARGE)).isEqualTo(1);
    assertThat(take(inlet, 3, LARGE)).isEqualTo(1);

    assertThat(lists).hasValue(1);
    assertThat(taken).containsExactly("1", "2", "3");
  }

  @Test
  void task_that_needs_a_bucket_is_refused_if_there_is_none() {
    TaskInlet inlet =
        inlet(() -> {
          throw MissingResourceException.bucket("B", "-s Q", null);
        });

    assertThatThrownBy(() -> take(inlet, 1, LARGE))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("the task needs a bucket because it is large or has files: bucket");
    assertThat(take(inlet, 1, "noop")).isEqualTo(1);
  }

  /** The sender waits for the store, as it does when the store fails a moment later. */
  @Test
  void task_that_needs_a_bucket_is_taken_while_the_store_fails_transiently() {
    AtomicInteger failures = new AtomicInteger(2);
    TaskInlet inlet =
        inlet(() -> {
          if (failures.getAndDecrement() > 0) {
            throw new TransientServiceException("HTTP 503", null);
          }
          return List.of();
        });

    for (int i = 1; i <= 4; i++) {
      assertThat(take(inlet, i, LARGE)).isEqualTo(1);
      time.advanceMillis(5_000);
    }

    assertThat(taken).containsExactly("1", "2", "3", "4");
    assertThat(lists).hasValue(3);
  }

  @Test
  void failed_question_is_not_repeated_for_five_seconds() {
    TaskInlet inlet =
        inlet(() -> {
          time.advanceMillis(10_000);
          throw new TransientServiceException("timeout", null);
        });

    for (int i = 1; i <= 3; i++) {
      assertThat(take(inlet, i, LARGE)).isEqualTo(1);
    }
    assertThat(lists).hasValue(1);
    time.advanceMillis(4_999);
    assertThat(take(inlet, 4, LARGE)).isEqualTo(1);
    assertThat(lists).hasValue(1);
    time.advanceMillis(1);
    assertThat(take(inlet, 5, LARGE)).isEqualTo(1);
    assertThat(lists).hasValue(2);
  }

  @Test
  void threads_share_one_answer() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    TaskInlet inlet =
        inlet(() -> {
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          throw new TransientServiceException("timeout", null);
        });
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      int number = i;
      threads.add(Thread.ofPlatform().start(() -> take(inlet, number, LARGE)));
    }
    for (Thread thread : threads) {
      await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    answer.countDown();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(taken).containsExactlyInAnyOrder("1", "2", "3", "4");
    assertThat(lists).hasValue(1);
  }

  @Test
  void other_tasks_do_not_wait_while_the_bucket_is_looked_for() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    TaskInlet inlet =
        inlet(() -> {
          asked.countDown();
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return List.of();
        });
    CompletableFuture<Integer> large = CompletableFuture.supplyAsync(() -> take(inlet, 1, LARGE));
    asked.await();

    assertThat(take(inlet, 2, "noop")).isEqualTo(1);

    assertThat(large).isNotDone();
    answer.countDown();
    assertThat(large.get()).isEqualTo(1);
    assertThat(taken).containsExactly("2", "1");
  }

  @Test
  void id_that_another_task_took_while_the_bucket_was_looked_for_is_refused() {
    List<TaskInlet> inlet = new ArrayList<>();
    inlet.add(
        inlet(() -> {
          take(inlet.getFirst(), 2, "{\"id\":\"same\",\"noop\":true}");
          return List.of();
        }));
    String large = "{\"id\":\"same\",\"java\":\"echo\",\"args\":[\"%s\"]}";

    assertThatThrownBy(
            () -> take(inlet.getFirst(), 1, large.formatted("x".repeat(Limits.TASK_BYTES))))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("is also that of an earlier task");
    assertThat(taken).containsExactly("same");
  }
}
