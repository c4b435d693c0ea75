package io.cloudkon.simulator.faults;

import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.bundle.BundleEffect;
import io.cloudkon.core.protocol.bundle.BundleEvent;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimEffect;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.world.BugHook;
import java.util.ArrayList;
import java.util.List;

/** Workers whose machines say what the production ones do not. */
final class WrongWorker {
  private WrongWorker() {}

  /** See {@link Bug#NONCE_REUSED}. */
  static final class NonceReused implements BugHook {
    @Override
    public String nonce(String fresh, String bundle) {
      return bundle;
    }
  }

  /** See {@link Bug#ACKNOWLEDGED_EARLY}. */
  static final class AcknowledgedEarly implements BugHook {
    @Override
    public List<WorkerEffect> wanted(WorkerEvent event, List<WorkerEffect> effects) {
      List<WorkerEffect> all = new ArrayList<>(effects);
      if (event instanceof WorkerEvent.OfBundle of
          && of.event() instanceof BundleEvent.AcquireAnswered answered
          && answered.answer() instanceof ClaimAnswer.Accepted
          && effects.stream().noneMatch(AcknowledgedEarly::closes)) {
        all.add(new WorkerEffect.OfBundle(of.bundle(), new BundleEffect.DeleteMessage()));
      }
      for (WorkerEffect effect : effects) {
        if (effect instanceof WorkerEffect.Run run && !run.tasks().isEmpty()) {
          all.add(new WorkerEffect.OfBundle(run.bundle(), new BundleEffect.DeleteMessage()));
        }
      }
      return all;
    }

    private static boolean closes(WorkerEffect effect) {
      return effect instanceof WorkerEffect.OfBundle of
          && of.effect() instanceof BundleEffect.Close;
    }
  }

  /** See {@link Bug#RECORDED_BEFORE_REPLIED}. */
  static final class RecordedBeforeReplied implements BugHook {
    @Override
    public List<WorkerEvent> follows(WorkerEffect effect) {
      return effect instanceof WorkerEffect.OfBundle of
              && of.effect() instanceof BundleEffect.SendResults send
          ? List.of(
              new WorkerEvent.OfBundle(of.bundle(), new BundleEvent.ResultsAccepted(send.tasks())))
          : List.of();
    }
  }

  /** See {@link Bug#TASKS_RUN_ON}. */
  static final class TasksRunOn implements BugHook {
    @Override
    public List<WorkerEffect> wanted(WorkerEvent event, List<WorkerEffect> effects) {
      return effects.stream().filter(effect -> !kills(effect)).toList();
    }

    private static boolean kills(WorkerEffect effect) {
      return effect instanceof WorkerEffect.OfBundle of && of.effect() instanceof BundleEffect.Kill;
    }
  }

  /** See {@link Bug#FAILED_BEFORE_LETTER}. */
  static final class FailedBeforeLetter implements BugHook {
    @Override
    public List<WorkerEvent> follows(WorkerEffect effect) {
      return effect instanceof WorkerEffect.OfBundle of
              && of.effect() instanceof BundleEffect.SendDead send
          ? List.of(
              new WorkerEvent.OfBundle(of.bundle(), new BundleEvent.DeadAccepted(send.tasks())))
          : List.of();
    }
  }

  /** See {@link Bug#OUTAGE_COUNTED_AS_DEATH}. */
  static final class OutageCountedAsDeath implements BugHook {
    @Override
    public List<WorkerEffect> wanted(WorkerEvent event, List<WorkerEffect> effects) {
      return effects.stream().filter(effect -> !survives(effect)).toList();
    }

    private static boolean survives(WorkerEffect effect) {
      return effect instanceof WorkerEffect.OfBundle of
          && of.effect() instanceof BundleEffect.CallClaims call
          && call.call() instanceof ClaimEffect.Survive;
    }
  }

  /** See {@link Bug#SPLIT_SENT_BEFORE_RECORDED}. */
  static final class SplitSentBeforeRecorded implements BugHook {
    @Override
    public List<WorkerEffect> wanted(WorkerEvent event, List<WorkerEffect> effects) {
      List<WorkerEffect> all = new ArrayList<>();
      for (WorkerEffect effect : effects) {
        if (effect instanceof WorkerEffect.OfBundle of
            && of.effect() instanceof BundleEffect.CallClaims call
            && call.call() instanceof ClaimEffect.Write write) {
          write
              .write()
              .children()
              .forEach((k, child) -> {
                if (!child.sent()) {
                  all.add(
                      new WorkerEffect.OfBundle(
                          of.bundle(), new BundleEffect.SendChild(k, child.tasks())));
                }
              });
        }
        all.add(effect);
      }
      return all;
    }
  }

  /** See {@link Bug#RETRIED_WRITE_TAKEN_AS_FENCED}. */
  static final class RetriedWriteFenced implements BugHook {
    @Override
    public WorkerEvent told(WorkerEvent event) {
      return event instanceof WorkerEvent.OfBundle of
              && of.event() instanceof BundleEvent.WriteAnswered answered
              && answered.answer() instanceof ClaimAnswer.Refused refused
              && refused.current() != null
              && refused.current().state() == ClaimState.LEASED
          ? new WorkerEvent.OfBundle(
              of.bundle(),
              new BundleEvent.WriteAnswered(
                  answered.claim(), answered.seq(), new ClaimAnswer.Refused(null)))
          : event;
    }
  }

  /** See {@link Bug#DEAF_AFTER_FAILED_RECEIVE}. */
  static final class DeafAfterFailedReceive implements BugHook {
    @Override
    public WorkerEvent told(WorkerEvent event) {
      return event instanceof WorkerEvent.ReceiveFailed ? new WorkerEvent.Tick() : event;
    }
  }

  /** See {@link Bug#CLOSED_RUN_UNNOTICED}. */
  static final class ClosedRunUnnoticed implements BugHook {
    @Override
    public boolean looksAtRuns() {
      return false;
    }
  }

  /** See {@link Bug#NOT_STARTED_LOST}. */
  static final class NotStartedLost implements BugHook {
    @Override
    public WorkerEvent told(WorkerEvent event) {
      return switch (event) {
        case WorkerEvent.SlotFree free -> lost(free);
        case WorkerEvent.ChunkCut cut -> new WorkerEvent.ChunkCut(lost(cut.soFar()));
        default -> event;
      };
    }

    private static WorkerEvent.SlotFree lost(WorkerEvent.SlotFree free) {
      return new WorkerEvent.SlotFree(
          free.slot(),
          free.bundle(),
          free.finished(),
          free.bytes(),
          Positions.none(),
          free.killed().plus(free.notStarted()),
          free.samples(),
          free.failed());
    }
  }

  /** See {@link Bug#DRAIN_KILLS_AT_ONCE}. */
  static final class DrainKillsAtOnce implements BugHook {
    @Override
    public boolean drainKillsAtOnce() {
      return true;
    }
  }
}
