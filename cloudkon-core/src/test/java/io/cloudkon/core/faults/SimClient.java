package io.cloudkon.core.faults;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.model.TaskResult;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.ReceivedMessage;
import io.cloudkon.core.port.TransientServiceException;
import io.cloudkon.core.protocol.completeness.CompletenessEffect;
import io.cloudkon.core.protocol.completeness.CompletenessMachine;
import io.cloudkon.core.protocol.completeness.CompletenessPhase;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import io.cloudkon.core.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The client: the production machine of its completeness, and the simplest driver around it. */
final class SimClient {
  private static final long POLL = 150;
  private static final long BACK_OFF = 200;
  private static final long LOOK = 5_000;
  private static final CompletenessSettings SETTINGS =
      new CompletenessSettings(15_000, 60_000, CompletenessSettings.DEFAULT.resend(), 2_000);

  private final World world;
  private final CompletenessMachine machine;
  private final Map<Integer, TaskStatus> finals = new TreeMap<>();
  private int sent;
  private boolean cancelled;

  SimClient(World world) {
    this.world = world;
    Scenario scenario = world.scenario;
    machine =
        new CompletenessMachine(
            Scenario.RUN, Scenario.EPOCH, scenario.consistency().claims(), SETTINGS);
    for (int i = 0; i < scenario.bundles().size(); i++) {
      Bundle bundle = scenario.bundle(i);
      int unused = machine.bundle(bundle.tasks().size());
      world.witness.sending(bundle);
      world.agenda.in(world.latency(), () -> send(bundle));
    }
    world.agenda.in(POLL, this::poll);
    world.agenda.in(LOOK, this::look);
  }

  boolean complete() {
    return cancelled || machine.phase() == CompletenessPhase.COMPLETE;
  }

  /** The user wants no more: only the workers have to come to an end. */
  void cancel() {
    world.trace("the run is cancelled");
    cancelled = true;
    world.witness.closed(Scenario.RUN);
  }

  boolean cancelled() {
    return cancelled;
  }

  private Moment now() {
    return new Moment(world.agenda.now(), world.time.serviceMillis());
  }

  private void send(Bundle bundle) {
    boolean accepted;
    try {
      accepted = world.cluster.requests().send(List.of(Wire.message(bundle))).isEmpty();
    } catch (TransientServiceException e) {
      accepted = false;
    }
    if (!accepted) {
      world.agenda.in(BACK_OFF, () -> send(bundle));
      return;
    }
    world.trace("client sent %s: %d tasks", bundle.header().bundle(), bundle.tasks().size());
    machine.sent(BundleIds.sequence(bundle.header().bundle()), now());
    if (++sent == world.scenario.bundles().size()) {
      carryOut(machine.allSent(now()));
    }
  }

  private void poll() {
    Moment begun = now();
    try {
      List<ReceivedMessage> got =
          world
              .cluster
              .responses()
              .receive(Scenario.REPLIES, 10, Duration.ZERO, Duration.ofSeconds(10));
      machine.received(got.size(), begun, now());
      for (ReceivedMessage message : got) {
        take(Wire.results(message.payload()));
        delete(message.handle());
      }
      carryOut(machine.follow(now()));
    } catch (TransientServiceException e) {
      machine.receiveFailed(now());
      world.trace("client could not receive");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    world.agenda.in(POLL, this::poll);
  }

  private void delete(String handle) {
    try {
      var unused = world.cluster.responses().delete(Scenario.REPLIES, List.of(handle));
    } catch (TransientServiceException e) {
      world.trace("client could not delete");
    }
  }

  private void take(ResultBatch batch) {
    machine.heard(batch.bundle(), now());
    for (TaskResult result : batch.results()) {
      boolean lost = result.status() == TaskStatus.LOST;
      CompletenessMachine.Verdict verdict =
          machine.offer(
              batch.bundle(), result.ordinal(), lost && !world.has(Bug.LOST_FINAL_AT_ONCE));
      world.trace(
          "client has %s of task %d from %s: %s",
          result.status(), result.ordinal(), batch.worker().id(), verdict);
      if (verdict == CompletenessMachine.Verdict.FINAL) {
        makeFinal(result.ordinal(), result.status());
      }
    }
  }

  private void makeFinal(int ordinal, TaskStatus status) {
    if (finals.put(ordinal, status) != null) {
      throw new Violation("task %d has two final results", ordinal);
    }
    world.witness.finalResult(ordinal, status);
  }

  private void look() {
    carryOut(machine.lookForSilence(now()));
    world.agenda.in(LOOK, this::look);
  }

  private void carryOut(List<CompletenessEffect> effects) {
    for (CompletenessEffect effect : effects) {
      switch (effect) {
        case CompletenessEffect.ReadClaims read -> read(read.ids());
        case CompletenessEffect.FinalLost lost -> {
          for (int ordinal : lost.ordinals()) {
            makeFinal(ordinal, TaskStatus.LOST);
          }
        }
        case CompletenessEffect.FetchResults fetch -> carryOut(machine.fetched(fetch, now()));
        case CompletenessEffect.ProvisionalLost lost ->
            world.trace("client has no result though DONE: %s", lost.claim());
        case CompletenessEffect.Resend resend ->
            throw new Violation("%s is sent again long before its time", resend.bundle());
        case CompletenessEffect.Complete complete -> world.trace("client is complete");
      }
    }
  }

  private void read(List<String> ids) {
    try {
      carryOut(machine.claimsRead(ids, world.cluster.claims().read(ids), now()));
    } catch (TransientServiceException e) {
      machine.readFailed(ids);
    }
  }

  /** How many tasks ended so. */
  long count(TaskStatus status) {
    return finals.values().stream().filter(s -> s == status).count();
  }

  /** Each task has exactly one final result. */
  void check() {
    if (!cancelled && finals.size() != world.scenario.tasks()) {
      throw new Violation("%d of %d tasks have a result", finals.size(), world.scenario.tasks());
    }
  }

  @Override
  public String toString() {
    return "%s with %d of %d results and %d provisionally LOST"
        .formatted(
            machine.phase(), finals.size(), world.scenario.tasks(), machine.provisionallyLost());
  }
}
