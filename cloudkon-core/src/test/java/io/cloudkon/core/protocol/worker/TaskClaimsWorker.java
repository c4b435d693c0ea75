package io.cloudkon.core.protocol.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.bundle.ReplySettings;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.intake.IntakeSettings;
import io.cloudkon.core.protocol.worker.TaskClaimsWorld.Message;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One worker of {@link TaskClaimsWorld}. */
final class TaskClaimsWorker {
  private static final long TICK = 250;
  private static final long BACK_OFF = 300;
  private static final int SLOTS = 3;

  private final TaskClaimsWorld world;
  private final String id;
  private final WorkerMachine machine;
  private final Map<Long, Hand> hands = new HashMap<>();
  private long keys;
  private boolean dead;
  private boolean draining;
  private long stalledUntil;

  private static final class Hand {
    final long key;
    final Message message;
    boolean killed;

    Hand(long key, Message message) {
      this.key = key;
      this.message = message;
    }
  }

  TaskClaimsWorker(TaskClaimsWorld world, String id) {
    this.world = world;
    this.id = id;
    this.machine =
        new WorkerMachine(
            new WorkerSettings(
                id, SLOTS, LeaseSettings.DEFAULT, ReplySettings.DEFAULT, IntakeSettings.DEFAULT));
    tick();
  }

  private void tick() {
    if (dead) {
      return;
    }
    if (world.strikes(400)) {
      stalledUntil = world.now().mono() + 5_000 + world.random.nextInt(30_000);
    }
    if (!draining && world.strikes(400)) {
      draining = true;
      tell(new WorkerEvent.Drain());
      world.in(2_000, world::join);
    }
    tell(new WorkerEvent.Tick());
    world.in(TICK, this::tick);
  }

  private void die() {
    dead = true;
    world.in(1 + world.random.nextInt(5_000), world::join);
  }

  private void tell(WorkerEvent event) {
    if (dead) {
      return;
    }
    long stalled = stalledUntil - world.now().mono();
    if (stalled > 0) {
      world.in(stalled, () -> tell(event));
      return;
    }
    for (WorkerEffect effect : machine.on(event, world.now())) {
      if (dead || world.strikes(1_500)) {
        if (!dead) {
          die();
        }
        return;
      }
      carryOut(effect);
    }
  }

  private void tell(Hand hand, BundleEvent event) {
    tell(new WorkerEvent.OfBundle(hand.key, event));
  }

  private void carryOut(WorkerEffect effect) {
    switch (effect) {
      case WorkerEffect.Receive receive -> receive(receive.max());
      case WorkerEffect.Run run -> run(run);
      case WorkerEffect.CutChunk cut -> {}
      case WorkerEffect.SlotsKept kept -> {}
      case WorkerEffect.OfBundle of -> {
        Hand hand = hands.get(of.bundle());
        assertThat(hand).as("bundle %d of %s", of.bundle(), id).isNotNull();
        carryOut(hand, of.effect());
      }
    }
  }

  private void receive(int max) {
    Moment begun = world.now();
    world.in(
        world.latency(),
        () -> {
          List<Message> brought = world.receive(max);
          world.in(brought.isEmpty() ? 1_000 : world.latency(), () -> arrived(brought, begun));
        });
  }

  private void arrived(List<Message> brought, Moment begun) {
    List<WorkerEvent.Arrival> arrivals = new ArrayList<>();
    for (Message message : brought) {
      long key = ++keys;
      if (!dead) {
        hands.put(key, new Hand(key, message));
      }
      arrivals.add(new WorkerEvent.Arrival(key, message.bundle, id + "-" + key));
    }
    tell(new WorkerEvent.Received(arrivals, begun, 1_000));
  }

  private void run(WorkerEffect.Run run) {
    Hand hand = hands.get(run.bundle());
    long millis = 0;
    for (int position : run.tasks().stream().toArray()) {
      hand.message.starts[position]++;
      Work work = hand.message.bundle.tasks().get(position).work();
      millis += work instanceof Work.Sleep sleep ? sleep.millis() : 0;
    }
    world.in(1 + millis, () -> ended(run, hand));
  }

  private void ended(WorkerEffect.Run run, Hand hand) {
    Positions none = Positions.none();
    tell(
        hand.killed
            ? new WorkerEvent.SlotFree(
                run.slot(), run.bundle(), none, 0, none, run.tasks(), List.of())
            : new WorkerEvent.SlotFree(
                run.slot(), run.bundle(), run.tasks(), 10, none, none, List.of()));
  }

  private void carryOut(Hand hand, BundleEffect effect) {
    switch (effect) {
      case BundleEffect.CallClaims call -> claims(hand, call.call());
      case BundleEffect.SendResults send -> send(hand, send.tasks(), hand.message.real);
      case BundleEffect.SendFailed send -> send(hand, send.tasks(), hand.message.real);
      case BundleEffect.SendLost send -> send(hand, send.tasks(), hand.message.lost);
      case BundleEffect.SendDead send ->
          world.in(
              world.latency(),
              () ->
                  tell(
                      hand,
                      world.strikes(5)
                          ? new BundleEvent.DeadFailed(send.tasks())
                          : new BundleEvent.DeadAccepted(send.tasks())));
      case BundleEffect.SendChild child -> throw new AssertionError("a child: " + child);
      case BundleEffect.ExtendVisibility extend -> hide(hand, extend.millis());
      case BundleEffect.PutBack back -> hide(hand, back.millis());
      case BundleEffect.DeleteMessage delete ->
          world.in(
              world.latency(),
              () -> {
                if (!world.strikes(10)) {
                  world.delete(hand.message);
                }
                world.in(world.latency(), () -> tell(hand, new BundleEvent.Deleted()));
              });
      case BundleEffect.NoteSick note ->
          world.in(world.latency(), () -> tell(hand, new BundleEvent.SickNoted(note.claim(), 1)));
      case BundleEffect.Kill kill -> hand.killed = true;
      case BundleEffect.Close close -> hands.remove(hand.key);
    }
  }

  private void hide(Hand hand, long millis) {
    world.in(world.latency(), () -> world.hide(hand.message, millis));
  }

  /** Fails before or after it took effect, or not at all. */
  private void claims(Hand hand, ClaimEffect.Call call) {
    String claim = TaskClaimsWorld.id(call);
    world.in(
        world.latency(),
        () -> {
          boolean refused = world.strikes(30);
          ClaimAnswer answer = refused ? null : world.call(hand.message, call);
          boolean told = answer != null && !world.strikes(30);
          if (call instanceof ClaimEffect.Survive) {
            return;
          }
          BundleEvent event =
              switch (call) {
                case ClaimEffect.Acquire acquire ->
                    told
                        ? new BundleEvent.AcquireAnswered(claim, answer)
                        : new BundleEvent.AcquireFailed(claim);
                case ClaimEffect.Write write ->
                    told
                        ? new BundleEvent.WriteAnswered(claim, write.write().seq(), answer)
                        : new BundleEvent.WriteFailed(claim, write.write().seq());
                case ClaimEffect.Survive survive -> throw new AssertionError(survive);
              };
          world.in(told ? world.latency() : BACK_OFF, () -> tell(hand, event));
        });
  }

  private void send(Hand hand, Positions tasks, boolean[] results) {
    world.in(
        world.latency(),
        () -> {
          boolean failed = world.strikes(30);
          if (!failed) {
            tasks.stream().forEach(position -> results[position] = true);
          }
          boolean told = !failed && !world.strikes(30);
          world.in(
              told ? world.latency() : BACK_OFF,
              () ->
                  tell(
                      hand,
                      told
                          ? new BundleEvent.ResultsAccepted(tasks)
                          : new BundleEvent.ResultsFailed(tasks)));
        });
  }
}
