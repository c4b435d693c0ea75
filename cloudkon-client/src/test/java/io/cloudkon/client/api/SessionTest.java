package io.cloudkon.client.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunStatistics;
import io.cloudkon.client.run.Pause;
import io.cloudkon.client.run.RunEnd;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.client.session.Meters;
import io.cloudkon.client.session.RunSession;
import io.cloudkon.client.session.Takeover;
import io.cloudkon.client.workload.Workload;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.port.RunStore;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.WorkerSettings;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.RunnerConfig;
import io.cloudkon.worker.service.WorkerConfig;
import io.cloudkon.worker.service.WorkerService;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sessions of a cluster in memory, with workers that begin when a test says so. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Execution(ExecutionMode.CONCURRENT)
class SessionTest {
  private static final String QUEUE = "Q";

  @TempDir Path temp;
  private final SystemTime time = new SystemTime();
  private final Cluster cluster = new MemoryCloud(time).setup(QUEUE);
  private final HandlerRegistry handlers = HandlerRegistry.builtIn();
  private final List<WorkerService> workers = new ArrayList<>();
  private final AtomicInteger released = new AtomicInteger();

  @AfterEach
  void close() throws Exception {
    workers.forEach(WorkerService::kill);
    for (WorkerService worker : workers) {
      worker.close();
    }
    handlers.close();
  }

  private void worker() {
    WorkerSettings settings =
        new WorkerSettings(
            "w" + workers.size(),
            4,
            LeaseSettings.DEFAULT,
            ReplySettings.DEFAULT,
            IntakeSettings.DEFAULT);
    WorkerConfig config =
        new WorkerConfig(settings, RunnerConfig.DEFAULT, Duration.ofSeconds(20), null, null);
    workers.add(new WorkerService(config, cluster, handlers, time, List::of));
  }

  private SessionConfig config() {
    return SessionConfig.cluster(QUEUE).folder(temp.resolve("files"));
  }

  private Session session(SessionConfig config) {
    return Session.start(
        new SessionCluster(
            cluster, Meters.local(time), UnaryOperator.identity(), released::incrementAndGet),
        config);
  }

  private RunEntry.State state(Session session) {
    return cluster.runs().read(session.run()).orElseThrow().state();
  }

  private List<String> results() throws Exception {
    return Files.readAllLines(temp.resolve("files").resolve("results.jsonl"));
  }

  @Test
  void lonely_tasks_one_after_the_other_have_their_results() throws Exception {
    worker();
    try (Session session = session(config())) {
      for (int i = 0; i < 20; i++) {
        SessionResult result = session.submit(SessionTask.java("echo", "n" + i)).get();
        assertThat(result.succeeded()).isTrue();
        assertThat(new String(result.output(), UTF_8)).isEqualTo("n" + i);
        assertThat(result.task()).isEqualTo(Integer.toString(i + 1));
        assertThat(result.index()).isEqualTo(i);
        assertThat(session.open()).isZero();
      }
      assertThat(state(session)).isEqualTo(RunEntry.State.OPEN);
      session.close();
      assertThat(state(session)).isEqualTo(RunEntry.State.ENDED);
    }
    assertThat(results()).hasSize(20);
    assertThat(Files.readAllLines(temp.resolve("files").resolve("workload.jsonl"))).hasSize(20);
    assertThat(temp.resolve("files").resolve("report.json"))
        .content()
        .contains("\"succeeded\" : 20");
    assertThat(cluster.responses().list()).isEmpty();
    assertThat(released).hasValue(1);
  }

  @Test
  void json_of_a_result_is_its_line_in_the_results() throws Exception {
    worker();
    String json;
    try (Session session = session(config())) {
      json = session.submit(SessionTask.java("echo", "x").id("mine")).get().json();
    }
    assertThat(results()).containsExactly(json);
    assertThat(json).startsWith("{\"task\":\"mine\",\"index\":0,\"status\":\"SUCCEEDED\"");
  }

  @Test
  void many_threads_submit_and_each_task_has_one_result() throws Exception {
    worker();
    worker();
    int threads = 16;
    int each = 200;
    List<SessionResult> heard = Collections.synchronizedList(new ArrayList<>());
    List<CompletableFuture<SessionResult>> futures =
        Collections.synchronizedList(new ArrayList<>());
    try (Session session = session(config().onResult(heard::add).maxOpen(100))) {
      List<Thread> submitters =
          IntStream.range(0, threads)
              .mapToObj(t ->
                  Thread.ofVirtual()
                      .start(() -> {
                        for (int i = 0; i < each; i++) {
                          String id = "%d-%d".formatted(t, i);
                          futures.add(session.submit(SessionTask.java("echo", id).id(id)));
                          assertThat(session.open()).isLessThanOrEqualTo(100);
                        }
                      }))
              .toList();
      for (Thread submitter : submitters) {
        submitter.join();
      }
    }
    assertThat(futures).hasSize(threads * each).allSatisfy(f -> assertThat(f).isCompleted());
    assertThat(futures)
        .allSatisfy(
            f -> assertThat(new String(f.join().output(), UTF_8)).isEqualTo(f.join().task()));
    assertThat(heard)
        .extracting(SessionResult::task)
        .doesNotHaveDuplicates()
        .hasSize(threads * each);
    assertThat(results()).hasSize(threads * each);
  }

  @Test
  void batch_is_submitted_whole_or_not_at_all() throws Exception {
    worker();
    try (Session session = session(config())) {
      assertThatThrownBy(
              () -> session.submit(List.of(SessionTask.noop().id("a"), SessionTask.line("slep 5"))))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("task 2 of 2: unknown kind of task \"slep\";");
      assertThatThrownBy(() -> session.submit(SessionTask.line("# nothing")))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("blank or a comment");
      assertThat(session.open()).isZero();
      List<CompletableFuture<SessionResult>> batch =
          session.submit(
              List.of(SessionTask.noop().id("a"), SessionTask.noop(), SessionTask.noop()));
      assertThat(batch).extracting(f -> f.get().task()).containsExactly("a", "5", "6");
    }
    assertThat(results()).hasSize(3);
  }

  @Test
  void number_that_is_an_id_already_is_refused_once_and_the_next_is_another() throws Exception {
    worker();
    try (Session session = session(config())) {
      assertThat(session.submit(SessionTask.noop().id("2")).get().task()).isEqualTo("2");
      assertThatThrownBy(() -> session.submit(SessionTask.noop()))
          .isInstanceOf(UsageException.class);
      assertThat(session.submit(SessionTask.noop()).get().task()).isEqualTo("3");
    }
  }

  @Test
  void listener_that_submits_what_follows_never_waits_for_room() throws Exception {
    worker();
    AtomicReference<Session> of = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(1);
    List<CompletableFuture<SessionResult>> followUps =
        Collections.synchronizedList(new ArrayList<>());
    SessionConfig config =
        config()
            .maxOpen(1)
            .onResult(result -> {
              if (followUps.size() < 10) {
                followUps.add(of.get().submit(SessionTask.noop()));
                followUps.add(of.get().submit(SessionTask.noop()));
              }
              if (followUps.size() >= 10) {
                ready.countDown();
              }
            });
    try (Session session = session(config)) {
      of.set(session);
      session.submit(SessionTask.noop()).get();
      ready.await();
    }
    assertThat(followUps).hasSize(10).allSatisfy(f -> assertThat(f.join().succeeded()).isTrue());
  }

  @Test
  void results_wait_for_a_slow_listener_and_none_is_lost() throws Exception {
    worker();
    CountDownLatch go = new CountDownLatch(1);
    List<SessionResult> heard = new ArrayList<>();
    int tasks = 3 * ResultDelivery.MOST;
    SessionConfig config =
        config()
            .onResult(result -> {
              try {
                go.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              heard.add(result);
            });
    try (Session session = session(config)) {
      List<CompletableFuture<SessionResult>> futures =
          session.submit(Collections.nCopies(tasks, SessionTask.noop()));
      try {
        await().until(() -> session.open() == tasks - 1); // the listener has one
        assertThat(futures).noneMatch(CompletableFuture::isDone);
      } finally {
        go.countDown(); // a session waits for its listener as it closes
      }
      CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get();
    }
    assertThat(heard).extracting(SessionResult::index).doesNotHaveDuplicates().hasSize(tasks);
    assertThat(results()).hasSize(tasks);
  }

  @Test
  void listener_that_fails_keeps_no_future_from_its_result() throws Exception {
    worker();
    SessionConfig config =
        config()
            .onResult(result -> {
              throw new IllegalStateException("of the program");
            });
    try (Session session = session(config)) {
      assertThat(session.submit(SessionTask.noop()).get().succeeded()).isTrue();
    }
  }

  @Test
  void listener_that_fails_with_an_error_keeps_no_result_from_anybody() throws Exception {
    worker();
    SessionConfig config =
        config()
            .onResult(result -> {
              throw new AssertionError("of the program");
            });
    try (Session session = session(config)) {
      assertThat(session.submit(SessionTask.noop()).get().succeeded()).isTrue();
      assertThat(session.submit(SessionTask.noop()).get().succeeded()).isTrue();
    }
  }

  @Test
  void session_whose_cancel_failed_goes_on() throws Exception {
    AtomicInteger refusals = new AtomicInteger();
    Cluster refusing =
        new Cluster(
            cluster.name(),
            cluster.requests(),
            cluster.dead(),
            cluster.responses(),
            cluster.claims(),
            cluster.workers(),
            refusingToCancel(cluster.runs(), refusals),
            cluster.decisions(),
            cluster.blobs(),
            cluster.hpc());
    worker();
    try (Session session =
        Session.start(
            new SessionCluster(
                refusing, Meters.local(time), UnaryOperator.identity(), released::incrementAndGet),
            config())) {
      assertThatThrownBy(session::cancel).isInstanceOf(CloudKonException.class);
      assertThat(session.submit(SessionTask.noop()).get().succeeded()).isTrue();
    }
    assertThat(refusals).hasValue(1);
  }

  private static RunStore refusingToCancel(RunStore runs, AtomicInteger refusals) {
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("cancel")) {
                refusals.incrementAndGet();
                throw new CloudKonException("DynamoDB does not answer");
              }
              try {
                return method.invoke(runs, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void future_that_closes_a_session_as_it_fails_is_refused_and_the_session_ends() throws Exception {
    Session session = session(config());
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    var unused =
        session
            .submit(SessionTask.noop())
            .whenComplete((result, why) -> {
              try {
                session.close();
                refused.complete(null);
              } catch (IllegalStateException e) {
                refused.complete(e);
              }
            });
    assertThat(session.leave()).isEqualTo(1);
    assertThat(refused.get()).isInstanceOf(IllegalStateException.class);
    session.close();
  }

  @Test
  void cancel_gives_every_open_task_its_result_those_in_no_bundle_too() throws Exception {
    int tasks = 300; // more than are sent before somebody answers
    List<CompletableFuture<SessionResult>> futures;
    try (Session session = session(config())) {
      futures = session.submit(Collections.nCopies(tasks, SessionTask.noop()));
      await().until(() -> cluster.requests().depth().waiting() > 0);
      assertThat(session.cancel()).isTrue();
      assertThatThrownBy(() -> session.submit(SessionTask.noop()))
          .isInstanceOf(CloudKonException.class)
          .hasMessageContaining("was cancelled; it accepts no more tasks");
    }
    assertThat(futures)
        .allSatisfy(f -> assertThat(f.join().status()).isEqualTo(TaskStatus.CANCELLED));
    assertThat(results()).hasSize(tasks);
    assertThat(temp.resolve("files").resolve("report.json"))
        .content()
        .containsPattern("\"tasks\" ?: ?%d,".formatted(tasks));
  }

  @Test
  void close_waits_for_what_is_open_and_refuses_what_comes_later() throws Exception {
    Session session = session(config());
    CompletableFuture<SessionResult> open = session.submit(SessionTask.noop());
    CompletableFuture<Void> closed = CompletableFuture.runAsync(session::close);
    await()
        .untilAsserted(() ->
            assertThatThrownBy(() -> session.submit(SessionTask.noop()))
                .isInstanceOf(CloudKonException.class)
                .hasMessage(
                    "session %s was closed; it accepts no more tasks, so connect another one"
                        .formatted(session.run())));
    assertThat(closed).isNotDone();
    worker();
    closed.get();
    assertThat(open.join().succeeded()).isTrue();
    session.close(); // has no effect
    assertThat(session.cancel()).isFalse();
  }

  @Test
  void session_without_a_task_ends_well() throws Exception {
    Session session = session(config());
    session.close();
    assertThat(state(session)).isEqualTo(RunEntry.State.ENDED);
    assertThat(cluster.responses().list()).isEmpty();
  }

  @Test
  void leave_says_how_many_it_abandons_and_their_futures_say_how_to_go_on() throws Exception {
    Session session = session(config());
    List<CompletableFuture<SessionResult>> futures =
        session.submit(Collections.nCopies(5, SessionTask.noop()));
    await().until(() -> cluster.requests().depth().waiting() > 0);

    assertThat(session.leave()).isEqualTo(5);

    assertThat(futures)
        .allSatisfy(f ->
            assertThatThrownBy(f::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(CloudKonException.class)
                .hasMessageContaining(
                    "left open; resume the run with: cloudkon client -s Q --resume"));
    assertThat(state(session)).isEqualTo(RunEntry.State.OPEN);
    assertThat(released).hasValue(1);
    session.close();
  }

  /** However little of it was sent, and although a crash has cut off the last line. */
  @Test
  void session_that_was_left_is_resumed_with_all_that_was_submitted() throws Exception {
    int tasks = 300; // more than are sent before somebody answers
    Session session = session(config());
    var unused = session.submit(Collections.nCopies(tasks, SessionTask.java("echo", "x")));
    assertThat(session.leave()).isEqualTo(tasks);
    assertThat(state(session)).isEqualTo(RunEntry.State.OPEN);
    Path files = temp.resolve("files");
    Files.writeString(
        files.resolve("workload.jsonl"), "{\"id\":\"301\",\"no", StandardOpenOption.APPEND);
    worker();

    RunFolder folder = RunFolder.resume(files);
    RunOptions options = config().options(session.run());
    RunIdentity fresh = RunIdentity.fresh(QUEUE, session.run(), new Random());
    Takeover.Taken taken =
        new Takeover(cluster, options.lease(), time, Pause.real(), line -> {})
            .take(folder.header(), fresh, files.toString());
    RunStatistics statistics = new RunStatistics(time.wallMicros(), calls -> 0);
    try (Workload workload = Workload.openSpool(files.resolve("workload.jsonl"), () -> 0)) {
      RunEnd end =
          new RunSession(
                  cluster,
                  options,
                  taken.identity(),
                  workload,
                  statistics,
                  time,
                  millis -> millis * 1000)
              .resume(taken, folder);
      assertThat(end).isEqualTo(RunEnd.COMPLETE);
    }
    assertThat(statistics.count(TaskStatus.SUCCEEDED)).isEqualTo(tasks);
    assertThat(results()).hasSize(tasks);
    assertThat(state(session)).isEqualTo(RunEntry.State.ENDED);
  }

  /** As one that puts each result into a full queue that nobody empties any more. */
  @Test
  void leave_does_not_wait_for_a_listener_that_never_returns() throws Exception {
    worker();
    CountDownLatch busy = new CountDownLatch(1);
    Session session =
        session(
            config()
                .onResult(result -> {
                  busy.countDown();
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    CompletableFuture<SessionResult> first = session.submit(SessionTask.noop());
    busy.await();

    assertThat(session.leave()).isZero();

    assertThat(first.get().status()).isEqualTo(TaskStatus.SUCCEEDED);
  }

  @Test
  void close_that_is_interrupted_leaves_and_says_so() throws Exception {
    Session session = session(config());
    CompletableFuture<SessionResult> open = session.submit(SessionTask.noop());
    CompletableFuture<Throwable> why = new CompletableFuture<>();
    Thread closing =
        Thread.ofPlatform()
            .start(() -> {
              Thread.currentThread().interrupt();
              try {
                session.close();
                why.complete(null);
              } catch (CloudKonException e) {
                why.complete(e);
              }
            });
    assertThat(why.get()).hasMessageStartingWith("interrupted: ");
    closing.join();
    assertThat(open).isCompletedExceptionally();
  }

  @Test
  void run_that_somebody_else_cancels_ends_the_session() throws Exception {
    Session session = session(config());
    CompletableFuture<SessionResult> open = session.submit(SessionTask.noop());
    await().until(() -> cluster.requests().depth().waiting() > 0);
    var unused = cluster.runs().cancel(session.run(), time.serviceMillis());
    assertThat(open.get().status()).isEqualTo(TaskStatus.CANCELLED);
    session.close();
  }

  @Test
  void session_whose_run_another_client_has_taken_says_so_to_everybody() throws Exception {
    Session session = session(config());
    CompletableFuture<SessionResult> open = session.submit(SessionTask.noop());
    await().until(() -> cluster.requests().depth().waiting() > 0);
    RunEntry seen = cluster.runs().read(session.run()).orElseThrow();
    RunEntry theirs =
        seen.heldBy(
            "other", "their host", seen.responseQueue(), Long.MAX_VALUE, time.serviceMillis());
    assertThat(cluster.runs().takeOver(theirs, seen)).isTrue();

    assertThatThrownBy(open::join)
        .cause()
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("is now collected by another client, their host")
        .hasMessageContaining("1 task of session");
    assertThatThrownBy(() -> session.submit(SessionTask.noop()))
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("cannot continue: ")
        .hasMessageContaining("is now collected by another client");
    assertThatThrownBy(session::close)
        .isInstanceOf(CloudKonException.class)
        .hasMessageContaining("is now collected by another client")
        .hasMessageContaining("1 task of session");
    session.close(); // has said it
    assertThat(session.leave()).isEqualTo(1);
  }

  @Test
  void close_by_a_listener_is_refused_as_it_would_wait_for_itself() throws Exception {
    worker();
    AtomicReference<Session> of = new AtomicReference<>();
    CompletableFuture<Throwable> why = new CompletableFuture<>();
    try (Session session =
        session(
            config()
                .onResult(result -> {
                  try {
                    of.get().close();
                  } catch (IllegalStateException e) {
                    why.complete(e);
                  }
                }))) {
      of.set(session);
      session.submit(SessionTask.noop()).get();
      assertThat(why.get()).hasMessageContaining("expected another thread");
    }
  }

  @Test
  void connecting_fails_with_the_reason_and_lets_go_of_the_cluster() throws Exception {
    Files.createFile(Files.createDirectory(temp.resolve("files")).resolve("mine"));
    assertThatThrownBy(() -> session(config()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("holds files");
    assertThat(released).hasValue(1);

    SessionConfig one = config().folder(temp.resolve("one")).runId("twice");
    try (Session first = session(one)) {
      assertThatThrownBy(() -> session(one.folder(temp.resolve("two"))))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("run id 'twice' is already used in cluster Q");
      assertThat(first.open()).isZero();
    }
  }

  @Test
  void settings_that_contradict_each_other_are_refused() {
    assertThatThrownBy(() -> SessionConfig.local(0)).hasMessage("slots 0: expected 1 to 10000");
    assertThatThrownBy(() -> SessionConfig.cluster("Q-hpc")).isInstanceOf(UsageException.class);
    assertThatThrownBy(() -> Session.connect(SessionConfig.cluster(QUEUE).handlers(temp)))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("handlers work only with a local session;");
    assertThatThrownBy(() -> SessionConfig.local(1).timeout(Duration.ofNanos(1)))
        .hasMessage("timeout PT0.000000001S: expected 0, or 1 ms or more");
    assertThatThrownBy(() -> SessionConfig.local(1).folder(Path.of("none")))
        .hasMessage("folder none: expected another name, or noFiles()");
    assertThatThrownBy(() -> SessionTask.line("noop").id("a"))
        .hasMessage("a task made from a line cannot be changed; expected the line to say 'id'");
  }

  @Test
  void session_without_files_works_and_keeps_none() throws Exception {
    worker();
    try (Session session = session(config().noFiles())) {
      assertThat(session.folder()).isEmpty();
      assertThat(session.submit(SessionTask.noop()).get().succeeded()).isTrue();
    }
    assertThat(temp.resolve("files")).doesNotExist();
  }

  /** A public signature that names another type would make that type public as well. */
  @Test
  void public_types_show_nothing_internal() {
    List<Class<?>> shown =
        List.of(Session.class, SessionConfig.class, SessionTask.class, SessionResult.class);
    List<Class<?>> others =
        List.of(TaskStatus.class, Consistency.class, CloudKonException.class, UsageException.class);
    assertThat(shown)
        .allSatisfy(type ->
            assertThat(type.getDeclaredMethods())
                .filteredOn(m -> Modifier.isPublic(m.getModifiers()))
                .filteredOn(m -> !m.isSynthetic())
                .allSatisfy(m -> {
                  List<Class<?>> named = new ArrayList<>(List.of(m.getParameterTypes()));
                  named.add(m.getReturnType());
                  assertThat(named)
                      .filteredOn(t -> t.getName().startsWith("io.cloudkon"))
                      .allMatch(t -> shown.contains(t) || others.contains(t));
                }));
  }
}
