package io.cloudkon.worker.gang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.hpc.rmi.Address;
import io.cloudkon.hpc.rmi.HpcCallException;
import io.cloudkon.hpc.rmi.KillRanks;
import io.cloudkon.hpc.rmi.RankMessage;
import io.cloudkon.hpc.rmi.Standing;
import io.cloudkon.hpc.rmi.StartRanks;
import io.cloudkon.hpc.rmi.SubWorkerPort;
import io.cloudkon.worker.execute.PlayedMpiexec;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager's orders to sub-workers that the test plays. */
@Timeout(60)
class GangOrdersTest {
  private static final String JOB = "run/e/0";
  private static final Address NEAR = new Address("127.0.0.1", 1);
  private static final Address FAR = new Address("127.0.0.1", 2);

  private final RankBed bed = new RankBed();
  private final Map<Address, FakeSubWorker> far = new HashMap<>();
  private final FakeSubWorker own = new FakeSubWorker();
  private final FakeSubWorker other = new FakeSubWorker();
  private final ManagedGang gang = new ManagedGang("g", "s3cr3t");
  private MpiLaunches launches = bed.launches();
  private final CallBacks callBacks = new CallBacks("me", this::calls, bed.time::monotonicNanos);
  private GangOrders orders;

  /** Remembers what it was told. */
  private static final class FakeSubWorker implements SubWorkerPort {
    final List<StartRanks> started = new CopyOnWriteArrayList<>();
    final List<String> told = new ArrayList<>();
    boolean knows = true;
    @Nullable Throwable failure;

    private void fail() {
      switch (failure) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> {}
      }
    }

    @Override
    public void ping(String of) {
      fail();
    }

    @Override
    public Standing start(String of, StartRanks start) {
      started.add(start);
      fail();
      return new Standing(knows, 0);
    }

    @Override
    public void kill(String of, KillRanks kill) {
      fail();
      told.add("kill %s %s %d".formatted(of, kill.job(), kill.attempt()));
    }

    @Override
    public void dissolve(String of) {
      fail();
      told.add("dissolve " + of);
    }

    @Override
    public boolean deliver(String of, RankMessage message) {
      throw new AssertionError("nobody sends any");
    }
  }

  @BeforeEach
  void start() {
    far.put(FAR, other);
    gang.registered("me", NEAR, "own-of-me");
    gang.registered("b", FAR, "own-of-b");
    use(launches);
  }

  private @Nullable SubWorkerPort calls(Address address, String secret) {
    return secret.equals("own-of-b") ? far.get(address) : null;
  }

  private void use(MpiLaunches these) {
    launches = these;
    orders =
        new GangOrders(
            new GangOrders.SubWorkers("me", own, this::calls, callBacks),
            launches,
            bed.inbox,
            Runnable::run);
  }

  @AfterEach
  void close() throws Exception {
    launches.close();
    bed.close();
  }

  private static BundleInHand job(boolean mpi) {
    BundleHeader header =
        new BundleHeader("run", "e", JOB, "Q-r", Consistency.EXACTLY_ONCE, 1024, 0, 0, 0);
    Task task = new Task(0, "t", new Work.Hpc(3, mpi, RankBed.COMMAND), 0);
    return new BundleInHand(-1, new Bundle(header, List.of(task)), "h", 1, "n", 0, 0);
  }

  private void order(Map<String, List<Integer>> ranks, boolean mpi) {
    orders.start(new GangEffect.Start("g", -1, 2, 3, ranks), gang, job(mpi));
  }

  private static final Map<String, List<Integer>> RANKS =
      Map.of("b", List.of(0, 2), "me", List.of(1));

  private static GangEvent failed(String worker) {
    return new GangEvent.StartFailed("g", JOB, 2, worker);
  }

  // ---- starts

  @Test
  void each_sub_worker_is_told_its_ranks_and_where_the_others_are() throws Exception {
    order(RANKS, false);

    StartRanks there = other.started.getFirst();
    assertThat(there.job()).isEqualTo(JOB);
    assertThat(there.attempt()).isEqualTo(2);
    assertThat(there.ranks()).containsExactly(0, 2);
    assertThat(there.peers()).containsExactly(FAR, NEAR, FAR);
    assertThat(there.launch()).isEmpty();
    assertThat(BundleCodec.decode(there.bundle()).header().bundle()).isEqualTo(JOB);
    assertThat(own.started.getFirst().ranks()).containsExactly(1);
    bed.told.nothingElse();
  }

  @Test
  void sub_worker_that_knows_nothing_of_the_gang_is_told() throws Exception {
    other.knows = false;

    order(RANKS, false);

    assertThat(bed.told.manager()).isEqualTo(failed("b"));
    bed.told.nothingElse();
  }

  @Test
  void sub_worker_that_does_not_answer_is_asked_twice_and_told() throws Exception {
    other.failure = new HpcCallException(HpcCallException.Kind.UNREACHABLE, "planted", null);

    order(RANKS, false);

    assertThat(bed.told.manager()).isEqualTo(failed("b"));
    assertThat(other.started).hasSize(2);
    bed.told.nothingElse();
  }

  @Test
  void order_that_breaks_is_told_as_failed() throws Exception {
    other.failure = new NoClassDefFoundError("planted");

    order(RANKS, false);

    assertThat(bed.told.manager()).isEqualTo(failed("b"));
    assertThat(own.started).hasSize(1);
    bed.told.nothingElse();
  }

  @Test
  void sub_worker_without_an_address_fails_all_and_none_is_told_to_start() throws Exception {
    order(Map.of("me", List.of(0, 1), "stranger", List.of(2)), false);

    assertThat(List.of(bed.told.manager(), bed.told.manager()))
        .containsExactlyInAnyOrder(failed("me"), failed("stranger"));
    assertThat(own.started).isEmpty();
    bed.told.nothingElse();
  }

  // ---- MPI

  /** With an mpiexec that prints these lines. */
  private void mpiexec(String... lines) {
    use(
        bed.launches((around, task, interruption, job) -> {
          PlayedMpiexec.prints(job, lines);
          return PlayedMpiexec.untilTrouble(job, interruption, "");
        }));
  }

  @Test
  void ranks_of_an_mpi_program_start_by_their_lines() throws Exception {
    mpiexec("p0", "p1", "p2");

    order(RANKS, true);

    await().until(() -> other.started.size() + own.started.size() == 2);
    assertThat(other.started.getFirst().launch()).containsExactly("p0", "p2");
    assertThat(own.started.getFirst().launch()).containsExactly("p1");
  }

  @Test
  void lines_that_do_not_suffice_fail_all() throws Exception {
    mpiexec("p0", "p1");

    order(RANKS, true);

    assertThat(List.of(bed.told.manager(), bed.told.manager()))
        .containsExactlyInAnyOrder(failed("me"), failed("b"));
    assertThat(own.started).isEmpty();
  }

  // ---- ends

  @Test
  void sub_worker_that_cannot_be_told_keeps_nothing_from_the_others() {
    other.failure = new NoClassDefFoundError("planted");

    orders.kill(new GangEffect.KillRanks("g", JOB, 2, List.of("b", "stranger", "me")), gang);
    orders.dissolve(new GangEffect.Dissolve("g", List.of("b", "stranger", "me")), gang);

    assertThat(own.told).containsExactly("kill g run/e/0 2", "dissolve g");
    assertThat(other.told).isEmpty();
  }
}
