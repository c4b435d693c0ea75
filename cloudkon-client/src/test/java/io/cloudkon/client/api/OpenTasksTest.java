package io.cloudkon.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.error.CloudKonException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OpenTasksTest {
  private final OpenTasks open = new OpenTasks(3);
  private final List<String> told = new CopyOnWriteArrayList<>();

  /** A thread that waits for room, and then tells its name, or why it got none. */
  private Thread waits(String name, int tasks) {
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                open.reserve(tasks, true);
                told.add(name);
              } catch (CloudKonException e) {
                told.add(name + ": " + e.getMessage());
              }
            });
    await().until(() -> thread.getState() == Thread.State.WAITING);
    return thread;
  }

  @Test
  void many_tasks_that_wait_are_not_overtaken_by_single_ones() throws Exception {
    open.reserve(2, true);
    Thread many = waits("many", 3);
    Thread single = waits("single", 1); // for which there is room

    open.release(1);
    open.reserve(1, false); // a listener never waits
    open.release(2);
    many.join();
    assertThat(told).containsExactly("many");

    open.release(1);
    single.join();
    assertThat(told).containsExactly("many", "single");
    assertThat(open.count()).isEqualTo(3);
  }

  @Test
  void call_that_gives_up_lets_the_next_one_in() throws Exception {
    open.reserve(1, true);
    Thread many = waits("many", 3);
    Thread single = waits("single", 1);

    many.interrupt();
    many.join();
    single.join();

    assertThat(told)
        .containsExactlyInAnyOrder(
            "single",
            "many: interrupted while the maximum of 3 tasks was open; nothing was submitted");
  }

  @Test
  void end_of_the_session_reaches_every_call_that_waits() throws Exception {
    open.reserve(3, true);
    Thread first = waits("first", 1);
    Thread second = waits("second", 1);

    open.close("it is over");
    first.join();
    second.join();

    assertThat(told).containsExactlyInAnyOrder("first: it is over", "second: it is over");
  }
}
