package io.cloudkon.core.memory.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cloudkon.core.memory.MemoryCloud;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.port.BatchFailure;
import io.cloudkon.core.port.CapacityLedger;
import io.cloudkon.core.port.Cluster;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.RequestQueue;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerCounter;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.core.testing.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class UnreliableClusterTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final ManualTime time = new ManualTime();
  private final Cluster reliable = new MemoryCloud(time).setup("Q");
  private final ScriptedPlan plan = new ScriptedPlan();
  private final UnreliableCluster faults = new UnreliableCluster(reliable, plan);
  private final RequestQueue queue = faults.cluster().requests();

  private static OutgoingMessage message(String text) {
    return new OutgoingMessage(Map.of(), text.getBytes(UTF_8));
  }

  private void sent(String... texts) {
    for (String text : texts) {
      assertThat(reliable.requests().send(List.of(message(text)))).isEmpty();
    }
  }

  private List<ReceivedMessage> receive() throws InterruptedException {
    return queue.receive(10, Duration.ZERO, LONG);
  }

  private static List<String> texts(List<ReceivedMessage> messages) {
    return messages.stream().map(m -> new String(m.payload(), UTF_8)).toList();
  }

  private long waiting() {
    return reliable.requests().depth().waiting();
  }

  private static Acquisition acquisition(String nonce) {
    return new Acquisition(
        "r/e/0", Acquisition.Mode.FRESH, "w", nonce, 100, 0, 0, Positions.none(), 1 << 30);
  }

  private static ClaimWrite write(long seq, ClaimState state) {
    return new ClaimWrite(
        "r/e/0",
        1,
        "n",
        seq,
        ClaimState.LEASED,
        state,
        100 + seq,
        0,
        Positions.none(),
        Positions.none(),
        new TreeMap<>(),
        1 << 30);
  }

  private Claim claim() {
    return reliable.claims().read(List.of("r/e/0")).get("r/e/0");
  }

  @Test
  void throttled_call_fails_without_effect() {
    plan.at(Operation.REQUEST_SEND, 2, Fate.THROTTLED);

    assertThat(queue.send(List.of(message("a")))).isEmpty();
    assertThatThrownBy(() -> queue.send(List.of(message("b"))))
        .isInstanceOf(TransientServiceException.class)
        .hasMessageContaining("REQUEST_SEND");
    assertThat(queue.send(List.of(message("c")))).isEmpty();

    assertThat(waiting()).isEqualTo(2);
    assertThat(plan.calls(Operation.REQUEST_SEND)).isEqualTo(3);
    assertThat(faults.count(Port.REQUESTS, Fate.THROTTLED)).isEqualTo(1);
  }

  @Test
  void lost_answer_fails_after_the_effect() {
    plan.always(Operation.CLAIM_ACQUIRE, Fate.ANSWER_LOST);

    assertThatThrownBy(() -> faults.cluster().claims().acquire(acquisition("n")))
        .isInstanceOf(TransientServiceException.class);

    assertThat(claim().nonce()).isEqualTo("n");
  }

  @Test
  void lost_answer_of_a_receive_leaves_the_messages_in_flight() throws InterruptedException {
    sent("a");
    plan.at(Operation.REQUEST_RECEIVE, 1, Fate.ANSWER_LOST);

    assertThatThrownBy(this::receive).isInstanceOf(TransientServiceException.class);
    assertThat(receive()).isEmpty();
    time.advance(LONG);

    assertThat(texts(receive())).containsExactly("a");
  }

  @Test
  void late_effect_fails_first_and_happens_when_it_is_delivered() {
    plan.at(Operation.REQUEST_SEND, 1, Fate.EFFECT_LATE);

    assertThatThrownBy(() -> queue.send(List.of(message("a"))))
        .isInstanceOf(TransientServiceException.class);
    assertThat(waiting()).isZero();
    faults.deliverLate();

    assertThat(waiting()).isEqualTo(1);
  }

  @Test
  void late_effect_happens_after_so_many_calls() {
    plan.lateBy(2).at(Operation.REQUEST_SEND, 1, Fate.EFFECT_LATE);

    assertThatThrownBy(() -> queue.send(List.of(message("a"))))
        .isInstanceOf(TransientServiceException.class);
    assertThat(queue.depth().waiting()).isZero();
    assertThat(queue.depth().waiting()).isEqualTo(1);
  }

  @Test
  void late_copy_of_an_older_claim_write_undoes_nothing() {
    plan.at(Operation.CLAIM_WRITE, 1, Fate.COPIED);
    var claims = faults.cluster().claims();
    assertThat(claims.acquire(acquisition("n"))).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(claims.write(write(1, ClaimState.LEASED))).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(claims.write(write(2, ClaimState.LEASED))).isInstanceOf(ClaimAnswer.Accepted.class);

    faults.deliverLate();

    assertThat(claim().seq()).isEqualTo(2);
  }

  @Test
  void partial_batch_fails_every_second_entry_some_with_effect() {
    plan.at(Operation.REQUEST_SEND, 1, Fate.PARTIAL);
    List<OutgoingMessage> batch = IntStream.range(0, 6).mapToObj(i -> message("" + i)).toList();

    List<BatchFailure> failures = queue.send(batch);

    assertThat(failures).extracting(BatchFailure::index).containsExactly(0, 2, 4);
    assertThat(failures).allMatch(BatchFailure::retryable);
    assertThat(waiting()).as("1, 3, 5 and, though reported failed, 2").isEqualTo(4);
  }

  @Test
  void ignored_delete_leaves_the_message() throws InterruptedException {
    sent("a");
    plan.at(Operation.REQUEST_DELETE, 1, Fate.IGNORED);
    ReceivedMessage received = receive().getFirst();

    assertThat(queue.delete(List.of(received.handle()))).isEmpty();
    assertThat(reliable.requests().depth().inFlight()).isEqualTo(1);
    assertThat(queue.delete(List.of(received.handle()))).isEmpty();

    assertThat(reliable.requests().depth().inFlight()).isZero();
  }

  @Test
  void ignored_visibility_changes_nothing() throws InterruptedException {
    sent("a");
    plan.at(Operation.REQUEST_VISIBILITY, 1, Fate.IGNORED);

    queue.changeVisibility(receive().getFirst().handle(), Duration.ZERO);

    assertThat(waiting()).isZero();
  }

  @Test
  void replayed_message_comes_once_more_after_its_delete() throws InterruptedException {
    sent("a", "b");
    plan.lateBy(0).always(Operation.REQUEST_DELETE, Fate.REPLAYED);

    for (int round = 0; round < 2; round++) {
      List<ReceivedMessage> received = receive();
      assertThat(texts(received)).containsExactly("a", "b");
      assertThat(queue.delete(received.stream().map(ReceivedMessage::handle).toList())).isEmpty();
    }

    assertThat(receive()).isEmpty();
  }

  @Test
  void response_queues_meet_their_own_fates() throws InterruptedException {
    var responses = faults.cluster().responses();
    plan.lateBy(0).always(Operation.RESPONSE_SEND, Fate.COPIED);
    plan.at(Operation.RESPONSE_DELETE, 1, Fate.IGNORED);
    responses.create("Q-response-c");

    assertThat(responses.send("Q-response-c", List.of(message("r")))).isEmpty();

    var received = responses.receive("Q-response-c", 10, Duration.ZERO, LONG);
    assertThat(texts(received)).containsExactly("r", "r");
    assertThat(responses.delete("Q-response-c", List.of(received.getFirst().handle()))).isEmpty();
    assertThat(faults.count(Port.RESPONSES, Fate.IGNORED)).isEqualTo(1);
  }

  @Test
  void queues_of_jobs_and_of_ranks_meet_their_own_fates() throws InterruptedException {
    RequestQueue jobs = faults.cluster().hpc().jobs();
    RequestQueue ranks = faults.cluster().hpc().ranks();
    plan.at(Operation.JOB_SEND, 2, Fate.THROTTLED);
    plan.lateBy(0)
        .at(Operation.RANK_SEND, 1, Fate.COPIED)
        .at(Operation.RANK_DELETE, 1, Fate.IGNORED);

    assertThat(jobs.send(List.of(message("j")))).isEmpty();
    assertThatThrownBy(() -> jobs.send(List.of(message("k"))))
        .isInstanceOf(TransientServiceException.class)
        .hasMessageContaining("JOB_SEND");
    assertThat(ranks.send(List.of(message("r")))).isEmpty();
    List<ReceivedMessage> received = ranks.receive(10, Duration.ZERO, LONG);

    assertThat(texts(jobs.receive(10, Duration.ZERO, LONG))).containsExactly("j");
    assertThat(texts(received)).containsExactly("r", "r");
    assertThat(ranks.delete(List.of(received.getFirst().handle()))).isEmpty();
    assertThat(ranks.depth().inFlight()).isEqualTo(2);
    assertThat(jobs.depth().inFlight()).isEqualTo(1);
    assertThat(faults.count(Port.RANKS, Fate.IGNORED)).isEqualTo(1);
    assertThat(faults.count(Port.REQUESTS, Fate.CARRIED_OUT)).isZero();
  }

  @Test
  void ledger_change_whose_answer_is_lost_or_that_comes_late_happens_once() {
    plan.at(Operation.LEDGER_CHANGE, 1, Fate.ANSWER_LOST)
        .at(Operation.LEDGER_CHANGE, 3, Fate.EFFECT_LATE)
        .at(Operation.LEDGER_CHANGE, 4, Fate.COPIED);
    CapacityLedger ledger = faults.cluster().hpc().ledger();
    LedgerChange join = new LedgerChange.Join("join", Share.ofWorker("w", 4, 100));
    Share gang = Share.ofGang("g", "w", 3, "j", 100);
    LedgerChange admit = new LedgerChange.Admit("admit", List.of(gang), 0);

    assertThatThrownBy(() -> ledger.change(join)).isInstanceOf(TransientServiceException.class);
    assertThat(ledger.change(join)).isTrue();
    assertThatThrownBy(() -> ledger.change(admit)).isInstanceOf(TransientServiceException.class);
    assertThat(ledger.counter()).isEqualTo(new LedgerCounter(4, 0));
    assertThat(ledger.change(admit)).isTrue();
    assertThat(ledger.change(new LedgerChange.Remove("leave", gang, false))).isTrue();
    faults.deliverLate();

    assertThat(ledger.counter()).isEqualTo(new LedgerCounter(4, 0));
    assertThat(ledger.view().shares()).hasSize(1);
  }

  @Test
  void every_call_on_the_ledger_meets_its_fate() {
    Operation.dynamodb().stream()
        .filter(operation -> operation.port() == Port.LEDGER)
        .forEach(operation -> plan.always(operation, Fate.THROTTLED));
    CapacityLedger ledger = faults.cluster().hpc().ledger();
    Share worker = Share.ofWorker("w", 4, 100);
    List<Runnable> calls =
        List.of(
            () -> ledger.change(new LedgerChange.Join("join", worker)),
            () -> ledger.renew(worker),
            () -> ledger.renewReservation("j", "w", 100),
            () -> ledger.keep("j", "w", 0, 1),
            () -> ledger.put(new Waiting("j", 2, 1, "w", 100)),
            () -> ledger.removeWaiting("j", "w"),
            ledger::counter,
            ledger::reservation,
            ledger::view);

    assertThat(calls)
        .allSatisfy(
            call -> assertThatThrownBy(call::run).isInstanceOf(TransientServiceException.class));
    assertThat(faults.count(Port.LEDGER, Fate.THROTTLED)).isEqualTo(calls.size());
    assertThat(reliable.hpc().ledger().view()).isEqualTo(LedgerView.EMPTY);
  }

  @Test
  void plan_may_stop_its_caller_before_or_after_an_effect() {
    FaultPlan stopping =
        new FaultPlan() {
          @Override
          public Fate fate(Operation operation) {
            if (operation == Operation.CLAIM_WRITE) {
              throw new IllegalStateException("dead before the write");
            }
            return Fate.CARRIED_OUT;
          }

          @Override
          public void after(Operation operation) {
            throw new IllegalStateException("dead after " + operation);
          }
        };
    var claims = new UnreliableCluster(reliable, stopping).cluster().claims();

    assertThatThrownBy(() -> claims.acquire(acquisition("n")))
        .hasMessage("dead after CLAIM_ACQUIRE");
    assertThatThrownBy(() -> claims.write(write(1, ClaimState.DONE)))
        .hasMessage("dead before the write");

    assertThat(claim().state()).isEqualTo(ClaimState.LEASED);
  }

  @Test
  void script_refuses_a_fate_that_the_operation_can_not_meet() {
    assertThatThrownBy(() -> plan.at(Operation.CLAIM_WRITE, 1, Fate.PARTIAL))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void fate_that_the_operation_can_not_meet_counts_as_carried_out() {
    List<Operation> seen = new ArrayList<>();
    FaultPlan everythingIgnored =
        operation -> {
          seen.add(operation);
          return Fate.IGNORED;
        };
    Cluster cluster = new UnreliableCluster(reliable, everythingIgnored).cluster();

    assertThatCode(() -> cluster.requests().send(List.of(message("a")))).doesNotThrowAnyException();

    assertThat(waiting()).isEqualTo(1);
    assertThat(seen).containsExactly(Operation.REQUEST_SEND);
  }
}
