package io.cloudkon.worker.gang;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Spooled;
import io.cloudkon.core.model.Spools;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.RefusedException;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.health.Sickness;
import io.cloudkon.core.time.SystemTime;
import io.cloudkon.worker.execute.HandlerRegistry;
import io.cloudkon.worker.execute.Interruption;
import io.cloudkon.worker.execute.MpiJob;
import io.cloudkon.worker.execute.PlayedMpiexec;
import io.cloudkon.worker.execute.Runs;
import io.cloudkon.worker.execute.TaskInterruptedException;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.input.Inputs;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.OnDisk;
import io.cloudkon.worker.pipeline.Pulse;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With an mpiexec that the test plays. */
@Timeout(60)
class MpiLaunchesTest {
  private static final String GANG = "g";
  private static final String JOB = "run/e/0";
  private static final Work PROGRAM = Work.Exec.shell("true");
  private static final GangEvent NEVER = new GangEvent.NotLaunched(GANG, JOB, 1);
  private static final GangEvent NEVER_STARTED = new GangEvent.LaunchFailed(GANG, JOB, 1, false);
  private static final GangEvent FAILED = new GangEvent.LaunchFailed(GANG, JOB, 1, true);

  private final SystemTime time = new SystemTime();
  private final HandlerRegistry handlers = HandlerRegistry.builtIn();
  private final TaskRunner runner =
      new TaskRunner(Runs.CONFIG, handlers, () -> Instant.EPOCH, task -> {});
  private final AtomicInteger fetches = new AtomicInteger();
  private final AtomicInteger runs = new AtomicInteger();
  private final List<List<String>> ordered = new CopyOnWriteArrayList<>();
  private final GangInbox inbox = new GangInbox();
  private final Told told = new Told(inbox);
  private volatile boolean leaving;
  private volatile boolean sick;
  private volatile RuntimeException refusal = new TransientServiceException("planted", null);

  /** What the worker was suspected of. */
  private final List<Sickness> suspicions = new CopyOnWriteArrayList<>();

  private final Inputs inputs =
      new Inputs(
          unreachable(),
          runner,
          1_000_000,
          new Pulse(time, 1_000_000),
          new BackOff(1, 1, new Random(1)),
          () -> leaving);
  private volatile MpiexecRun.Mpiexec mpiexec =
      (around, task, interruption, job) -> PlayedMpiexec.untilKilled(interruption);
  private final MpiLaunches launches =
      new MpiLaunches(
          inputs,
          (around, task, interruption, job) -> {
            runs.incrementAndGet();
            return mpiexec.run(around, task, interruption, job);
          },
          (suspicion, probe) -> {
            suspicions.add(suspicion);
            return sick;
          },
          "127.0.0.1",
          inbox);

  private MpiLaunches launches() {
    return launches;
  }

  /** A store that has nothing for anybody. */
  private BlobStore unreachable() {
    return (BlobStore)
        Proxy.newProxyInstance(
            BlobStore.class.getClassLoader(),
            new Class<?>[] {BlobStore.class},
            (proxy, method, args) -> {
              fetches.incrementAndGet();
              throw refusal;
            });
  }

  @AfterEach
  void close() throws Exception {
    launches.close();
    inputs.close();
    runner.close();
    handlers.close();
  }

  private static BundleInHand job(String id, Work each) {
    BundleHeader header =
        new BundleHeader("run", "e", id, "Q-response", Consistency.EXACTLY_ONCE, 1024, 0, 0, 0);
    Task task = new Task(0, "t", new Work.Hpc(2, true, each), 0);
    return new BundleInHand(-1, new Bundle(header, List.of(task)), "h", 1, "n", 0, 0);
  }

  private void launch() {
    launch(1);
  }

  private void launch(int attempt) {
    launches.launch(GANG, job(JOB, PROGRAM), attempt, 2, ordered::add);
  }

  /** The next one prints its lines, and waits for a reason to end. */
  private void printsAndWaits(String output) {
    mpiexec =
        (around, task, interruption, job) -> {
          PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
          return PlayedMpiexec.untilTrouble(job, interruption, output);
        };
  }

  private String output(MpiLaunch launch) {
    assertThat(launch).isNotNull();
    return new String(launch.awaitEnd().stdout(), UTF_8);
  }

  // ---- before its lines

  @Test
  void launch_that_is_stopped_before_its_lines_is_told_once_and_starts_nothing() throws Exception {
    AtomicInteger ends = new AtomicInteger();
    mpiexec =
        (around, task, interruption, job) -> {
          try {
            return PlayedMpiexec.untilKilled(interruption);
          } finally {
            // It had almost printed them.
            PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
            ends.incrementAndGet();
          }
        };
    launch();

    launches.stop(GANG);

    assertThat(told.manager()).isEqualTo(NEVER);
    launches.stop(GANG);
    launches.close();
    assertThat(ends).hasValue(1);
    assertThat(ordered).isEmpty();
    told.nothingElse();
    assertThat(launches.take(GANG, JOB)).isNull();
  }

  @Test
  void launch_that_is_stopped_while_its_input_is_fetched_is_told_and_ends() throws Exception {
    Work stored = new Work.Stored(Work.Kind.EXEC, new Content("a".repeat(64), 1, ""));
    BundleInHand job = job(JOB, stored);
    launches.launch(GANG, job, 1, 2, ordered::add);
    await().until(() -> fetches.get() > 1);

    launches.stop(GANG);

    assertThat(told.manager()).isEqualTo(NEVER);
    launches.close();
    assertThat(runs).hasValue(0);
    assertThat(job.interruption().killed()).as("it may be tried again").isFalse();
    told.nothingElse();
  }

  @Test
  void launch_whose_worker_leaves_while_its_input_is_fetched_is_told() throws Exception {
    Work stored = new Work.Stored(Work.Kind.EXEC, new Content("a".repeat(64), 1, ""));
    launches.launch(GANG, job(JOB, stored), 1, 2, ordered::add);
    await().until(() -> fetches.get() > 1);

    leaving = true;

    assertThat(told.manager()).isEqualTo(NEVER);
    assertThat(ordered).isEmpty();
  }

  @Test
  void mpiexec_that_its_guard_kills_before_its_lines_is_told() throws Exception {
    mpiexec =
        (around, task, interruption, job) -> {
          throw new TaskInterruptedException("its guard killed it");
        };

    launch();

    assertThat(told.manager()).isEqualTo(NEVER);
    assertThat(ordered).isEmpty();
  }

  @Test
  void mpiexec_that_fails_before_its_lines_is_told_as_failed_and_says_why() throws Exception {
    mpiexec =
        (around, task, interruption, job) ->
            PlayedMpiexec.ended(TaskStatus.FAILED, "", "no mpiexec here");

    launch();

    assertThat(told.manager()).isEqualTo(NEVER_STARTED);
    launches.stop(GANG);
    told.nothingElse();
    assertThat(launches.take(GANG, JOB).awaitEnd().error()).isEqualTo("no mpiexec here");
    assertThat(ordered).isEmpty();
  }

  @Test
  void mpiexec_that_ends_well_without_lines_is_told_as_failed() throws Exception {
    mpiexec =
        (around, task, interruption, job) -> PlayedMpiexec.ended(TaskStatus.SUCCEEDED, "", "");

    launch();

    assertThat(told.manager()).isEqualTo(NEVER_STARTED);
    JobResults.Launched how = launches.take(GANG, JOB).awaitEnd();
    assertThat(how.status()).isEqualTo(TaskStatus.FAILED);
    assertThat(how.error()).isEqualTo("its mpiexec ended before its ranks were started");
  }

  @Test
  void mpiexec_that_breaks_is_told_as_failed() throws Exception {
    mpiexec =
        (around, task, interruption, job) -> {
          throw new NoClassDefFoundError("planted");
        };

    launch();

    assertThat(told.manager()).isEqualTo(NEVER_STARTED);
    assertThat(launches.take(GANG, JOB).awaitEnd().error())
        .isEqualTo("its manager could not launch it: java.lang.NoClassDefFoundError");
  }

  @Test
  void nobody_is_told_to_start_once_it_was_said_that_nobody_will_be() throws Exception {
    mpiexec =
        (around, task, interruption, job) -> {
          PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
          return PlayedMpiexec.ended(TaskStatus.FAILED, "", "at once");
        };
    for (int i = 0; i < 2_000; i++) {
      ordered.clear();
      launch();
      GangEvent said = told.manager();
      launches.close();

      assertThat(said).isIn(FAILED, NEVER_STARTED);
      if (said.equals(FAILED)) {
        // decided by then, and under way
        await().until(() -> ordered.size() == 1);
      } else {
        assertThat(ordered).isEmpty();
      }
      told.nothingElse();
    }
  }

  @Test
  void mpiexec_whose_end_cannot_be_handled_is_told_as_failed_and_is_over() throws Exception {
    Spooled unremovable =
        (Spooled)
            Proxy.newProxyInstance(
                Spooled.class.getClassLoader(),
                new Class<?>[] {Spooled.class},
                (proxy, method, args) -> {
                  throw new IllegalStateException("planted");
                });
    mpiexec =
        (around, task, interruption, job) ->
            PlayedMpiexec.ended(TaskStatus.SUCCEEDED, "", "", new Spools(unremovable, null));

    launch();

    assertThat(told.manager()).isEqualTo(NEVER_STARTED);
    assertThat(launches.take(GANG, JOB).awaitEnd().error())
        .isEqualTo("the end of its mpiexec could not be handled: java.lang.IllegalStateException");
    assertThat(ordered).isEmpty();
  }

  // ---- faults of the worker

  @Test
  void mpiexec_that_a_sick_worker_cannot_start_is_for_another_worker() throws Exception {
    Sickness processes = new Sickness.Processes("error=11");
    mpiexec = (around, task, interruption, job) -> PlayedMpiexec.cannotStart(processes);
    sick = true;

    launch();

    assertThat(told.manager())
        .isEqualTo(new GangEvent.LaunchHindered(GANG, JOB, 1, processes.reason(), 0));
    assertThat(suspicions).containsExactly(processes);
    launches.stop(GANG);
    told.nothingElse();
    assertThat(ordered).isEmpty();
  }

  @Test
  void mpiexec_that_cannot_start_on_a_worker_that_is_well_fails_its_job() throws Exception {
    Sickness processes = new Sickness.Processes("error=11");
    mpiexec = (around, task, interruption, job) -> PlayedMpiexec.cannotStart(processes);

    launch();

    assertThat(told.manager()).isEqualTo(NEVER_STARTED);
    assertThat(launches.take(GANG, JOB).awaitEnd().error())
        .isEqualTo("cannot start 'true': error=11");
  }

  @Test
  void launch_whose_bucket_refuses_its_worker_is_for_another_worker_after_a_while()
      throws Exception {
    refusal = new RefusedException("s3:GetObject", "bucket", "b", "AccessDenied", null);
    Work stored = new Work.Stored(Work.Kind.EXEC, new Content("a".repeat(64), 1, ""));

    launches.launch(GANG, job(JOB, stored), 1, 2, ordered::add);

    assertThat(told.manager())
        .isInstanceOfSatisfying(
            GangEvent.LaunchHindered.class,
            hindered -> {
              assertThat(hindered.reason()).contains("s3:GetObject");
              assertThat(hindered.hiddenMillis()).isEqualTo(30_000);
            });
    assertThat(runs).hasValue(0);
    assertThat(suspicions).as("what needs no bucket runs here").isEmpty();
  }

  @Test
  void launch_that_is_stopped_while_its_worker_is_probed_is_told_once() throws Exception {
    Sickness processes = new Sickness.Processes("error=11");
    sick = true;
    mpiexec =
        (around, task, interruption, job) -> {
          launches().stop(GANG);
          return PlayedMpiexec.cannotStart(processes);
        };

    launch();

    assertThat(told.manager()).isEqualTo(NEVER);
    launches.close();
    told.nothingElse();
  }

  // ---- after its lines

  @Test
  void launch_that_is_stopped_after_its_lines_keeps_its_output_and_is_no_news() throws Exception {
    printsAndWaits("printed");
    launch();
    await().until(() -> ordered.size() == 1);

    launches.stop(GANG);

    assertThat(output(launches.take(GANG, JOB))).isEqualTo("printed");
    assertThat(ordered).containsExactly(List.of("proxy 0", "proxy 1"));
    launches.close();
    told.nothingElse();
  }

  @Test
  void mpiexec_that_fails_after_its_lines_is_told_as_failed() throws Exception {
    mpiexec =
        (around, task, interruption, job) -> {
          PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
          await().until(() -> ordered.size() == 1);
          return PlayedMpiexec.ended(TaskStatus.FAILED, "printed", "exit code 1");
        };

    launch();

    assertThat(told.manager()).isEqualTo(FAILED);
    assertThat(output(launches.take(GANG, JOB))).isEqualTo("printed");
  }

  @Test
  void mpiexec_that_ends_well_with_its_ranks_is_no_news() throws Exception {
    mpiexec =
        (around, task, interruption, job) -> {
          PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
          await().until(() -> ordered.size() == 1);
          return PlayedMpiexec.ended(TaskStatus.SUCCEEDED, "printed", "");
        };

    launch();

    await().until(() -> ordered.size() == 1);
    assertThat(output(launches.take(GANG, JOB))).isEqualTo("printed");
    launches.close();
    told.nothingElse();
  }

  @Test
  void ranks_that_cannot_be_told_to_start_fail_the_launch_and_end_its_mpiexec() throws Exception {
    assertFailsToStart(() -> {
      throw new NoClassDefFoundError("planted");
    });
    assertFailsToStart(() -> {
      throw new CloudKonException("planted");
    });
  }

  private void assertFailsToStart(Runnable order) throws Exception {
    printsAndWaits("");
    launches.launch(GANG, job(JOB, PROGRAM), 1, 2, lines -> order.run());

    assertThat(told.manager()).isEqualTo(FAILED);
    assertThat(launches.take(GANG, JOB).awaitEnd().error())
        .startsWith("its manager could not start its ranks: ");
    launches.close();
    told.nothingElse();
  }

  @Test
  void output_of_an_mpiexec_that_ended_by_itself_is_freed_with_its_gang() throws Exception {
    OnDisk stdout = new OnDisk();
    mpiexec =
        (around, task, interruption, job) -> {
          PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
          await().until(() -> ordered.size() == 1);
          return PlayedMpiexec.ended(
              TaskStatus.FAILED, "", "exit code 1", new Spools(stdout, null));
        };
    launch();
    assertThat(told.manager()).isEqualTo(FAILED);
    assertThat(stdout.releases()).isZero();

    launches.forget(GANG);

    assertThat(stdout.releases()).isEqualTo(1);
  }

  @Test
  void output_of_an_mpiexec_that_ends_after_its_gang_is_freed() throws Exception {
    OnDisk stdout = new OnDisk();
    mpiexec =
        (around, task, interruption, job) -> {
          try {
            return PlayedMpiexec.untilKilled(interruption);
          } catch (TaskInterruptedException e) {
            return PlayedMpiexec.ended(TaskStatus.SUCCEEDED, "", "", new Spools(stdout, null));
          }
        };
    launch();
    await().until(() -> runs.get() == 1);

    launches.forget(GANG);

    await().until(() -> stdout.releases() == 1);
  }

  // ---- one after another

  @Test
  void next_launch_of_a_gang_takes_nothing_from_one_that_is_being_asked() throws Exception {
    printsAndWaits("first");
    launch();
    await().until(() -> ordered.size() == 1);
    launches.stop(GANG);
    MpiLaunch first = launches.take(GANG, JOB);
    printsAndWaits("second");

    launches.launch(GANG, job("run/e/1", PROGRAM), 1, 2, ordered::add);

    await().until(() -> ordered.size() == 2);
    assertThat(output(first)).isEqualTo("first");
    launches.stop(GANG);
    assertThat(output(launches.take(GANG, "run/e/1"))).isEqualTo("second");
  }

  @Test
  void launch_of_another_job_is_not_taken() throws Exception {
    printsAndWaits("");
    launch();

    assertThat(launches.take(GANG, "run/e/1")).isNull();
    assertThat(launches.take(GANG, JOB)).isNotNull();
  }

  @Test
  void mpiexec_of_an_attempt_that_died_ends_when_the_gang_runs_the_next() throws Exception {
    List<Interruption> killed = mpiexecThatOnlyAKillEnds();
    launch();
    await().until(() -> ordered.size() == 1);
    launches.stop(GANG);
    assertThat(killed).isEmpty();

    launch(2);

    await().until(() -> killed.size() == 1);
    told.nothingElse();
  }

  @Test
  void mpiexec_of_an_attempt_that_died_ends_with_its_gang() throws Exception {
    List<Interruption> killed = mpiexecThatOnlyAKillEnds();
    launch();
    await().until(() -> ordered.size() == 1);
    launches.stop(GANG);

    launches.forget(GANG);

    await().until(() -> killed.size() == 1);
    assertThat(launches.take(GANG, JOB)).isNull();
    told.nothingElse();
  }

  /** Ranks that ended are not enough for it. */
  private List<Interruption> mpiexecThatOnlyAKillEnds() {
    List<Interruption> killed = new CopyOnWriteArrayList<>();
    mpiexec =
        (around, task, interruption, job) -> {
          PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
          try {
            return PlayedMpiexec.untilKilled(interruption);
          } finally {
            killed.add(interruption);
          }
        };
    return killed;
  }

  @Test
  void rank_of_another_attempt_or_job_that_failed_is_none_of_its_business() throws Exception {
    List<MpiJob> jobs = new CopyOnWriteArrayList<>();
    mpiexec =
        (around, task, interruption, job) -> {
          jobs.add(job);
          PlayedMpiexec.prints(job, "proxy 0", "proxy 1");
          return PlayedMpiexec.untilTrouble(job, interruption, "");
        };
    launch(2);
    await().until(() -> ordered.size() == 1);

    launches.rankEnded(GANG, JOB, 1, 0, 137);
    launches.rankEnded(GANG, "run/e/1", 2, 0, 138);
    launches.rankEnded(GANG, JOB, 2, 1, 3);
    launches.stop(GANG);

    assertThat(launches.take(GANG, JOB).awaitEnd().error())
        .isEqualTo("MPI rank 1 ended with exit code 3");
  }

  @Test
  void close_ends_what_is_being_asked_as_well() throws Exception {
    mpiexecThatOnlyAKillEnds();
    launch();
    await().until(() -> ordered.size() == 1);
    MpiLaunch taken = launches.take(GANG, JOB);

    launches.close();

    assertThat(taken.awaitEnd().error()).isEqualTo("it was ended with its ranks");
  }
}
