package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.idle.IdleEffect.Ending;
import io.cloudkon.core.protocol.idle.IdlePhase.Trigger;
import io.cloudkon.core.protocol.provisioning.ProvisioningSettings;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a worker ends itself: idle for long enough, no job waits for its slots, enough
 * others hold the seats of the fleet's minimum, and a last look at its queues found nothing. Or
 * when it has lived for long enough. Pure; used by one thread at a time.
 */
public final class IdleMachine {
  /** As long as SQS lets a receive wait, in milliseconds. */
  public static final long LONG_POLL_MILLIS = 20_000;

  /** The shortest receive that asks all of SQS's servers, in milliseconds. */
  public static final long SHORT_POLL_MILLIS = 1_000;

  /**
   * A minimum that nobody has said again for so long counts no more: a provisioner that is gone for
   * good must not keep workers for ever, and one that is replaced is back within a boot.
   */
  public static final long MINIMUM_HOLDS_MILLIS = ProvisioningSettings.BOOT_TIMEOUT_MILLIS;

  /** Between two looks that found jobs waiting, at least. */
  private static final long LOOK_MILLIS = 5_000;

  /** And one look of all the cluster's workers together per so long. */
  private static final long LOOK_PER_SHARE_MILLIS = 1_000;

  private final IdleSettings settings;
  private final long begun;
  private final List<IdleEffect> effects = new ArrayList<>();
  private IdlePhase phase = IdlePhase.TABLE.start();

  /** When it had work last; this and all times below by the monotonic clock. */
  private long idleSince;

  /** Jobs were waiting: they are not looked for before this. */
  private long looksAt;

  /** Until its question is answered the phase stays, unless the worker is to leave. */
  private final Inquiry inquiry = new Inquiry();

  private long lastLookSince;
  private @Nullable SeatSearch search;
  private @Nullable HeldSeat seat;

  /** A worker that starts now. */
  public IdleMachine(IdleSettings settings, Moment now) {
    this.settings = settings;
    this.begun = now.mono();
    this.idleSince = now.mono();
    this.looksAt = now.mono();
  }

  public IdlePhase phase() {
    return phase;
  }

  /** For how long a receive that begins now may wait, in milliseconds; 1,000 to 20,000. */
  public long pollMillis(Moment now) {
    return switch (phase) {
      case WATCHING -> Math.clamp(nextEnd(now) - now.mono(), SHORT_POLL_MILLIS, LONG_POLL_MILLIS);
      case LOOKING, READING, SITTING, LAST_LOOK, LEAVING -> SHORT_POLL_MILLIS;
      case SEATED -> LONG_POLL_MILLIS;
    };
  }

  /** Event in, effects out. */
  public List<IdleEffect> on(IdleEvent event, Moment now) {
    switch (event) {
      case IdleEvent.Tick tick -> tick(tick.worked(), now);
      case IdleEvent.JobsSeen seen -> jobsSeen(seen, now);
      case IdleEvent.MinimumRead read -> minimumRead(read, now);
      case IdleEvent.SeatAnswered answered -> seatAnswered(answered, now);
      case IdleEvent.Unanswered failed -> unanswered(failed.why(), now);
      case IdleEvent.QueuesEmpty empty -> {
        if (phase == IdlePhase.LAST_LOOK) {
          move(Trigger.EMPTY);
          effects.add(new IdleEffect.Drain(Ending.IDLE));
        }
      }
      case IdleEvent.Leave leave -> leave();
    }
    List<IdleEffect> taken = List.copyOf(effects);
    effects.clear();
    return taken;
  }

  private void tick(boolean worked, Moment now) {
    if (worked) {
      worked(now);
    }
    if (phase != IdlePhase.LEAVING && now.mono() - begun >= settings.lifetime()) {
      leave();
      effects.add(new IdleEffect.Drain(Ending.LIFETIME));
    }
    switch (phase) {
      case WATCHING -> {
        if (due(now)) {
          move(Trigger.DUE);
          ask(now);
        }
      }
      case LOOKING, READING, SITTING -> askAgain(now);
      case SEATED -> keepSeat(now);
      case LAST_LOOK -> {
        if (now.mono() - lastLookSince >= settings.patience()) {
          effects.add(new IdleEffect.GiveUp("its queues could not be looked at"));
          move(Trigger.UNANSWERED);
          effects.add(new IdleEffect.Drain(Ending.IDLE));
        }
      }
      case LEAVING -> {}
    }
  }

  private void worked(Moment now) {
    idleSince = now.mono();
    inquiry.workCame();
    if (phase == IdlePhase.LAST_LOOK) {
      move(Trigger.NEEDED);
      effects.add(new IdleEffect.GoOn());
    }
  }

  private boolean due(Moment now) {
    return nextEnd(now) <= now.mono();
  }

  private long nextEnd(Moment now) {
    long earliest = Math.max(now.mono(), looksAt);
    return begun + settings.endsAt(earliest - begun, idleSince - begun);
  }

  // ---- questions, one at a time

  private void ask(Moment now) {
    switch (phase) {
      case LOOKING -> {
        if (settings.jobs()) {
          ask(new IdleEffect.LookForJobs(), now);
        } else {
          move(Trigger.NOT_NEEDED);
          ask(now);
        }
      }
      case READING -> {
        if (settings.seats()) {
          ask(new IdleEffect.ReadMinimum(), now);
        } else {
          lookOnceMore(Trigger.NO_MINIMUM, now);
        }
      }
      case SITTING -> {
        if (search != null) {
          ask(sit(search.seat(), now), now);
        }
      }
      case WATCHING, SEATED, LAST_LOOK, LEAVING ->
          throw new IllegalStateException("nothing is asked in phase " + phase);
    }
  }

  private void ask(IdleEffect question, Moment now) {
    inquiry.asked(now);
    effects.add(question);
  }

  private void askAgain(Moment now) {
    if (inquiry.mayAsk(now)) {
      if (due(now)) {
        ask(now);
      } else {
        move(Trigger.NEEDED);
      }
    }
  }

  private IdleEffect.Sit sit(int index, Moment now) {
    return new IdleEffect.Sit(
        index, now.service() + settings.lease().lease(), now.service() - settings.lease().margin());
  }

  private void jobsSeen(IdleEvent.JobsSeen seen, Moment now) {
    boolean counts = inquiry.answered();
    if (phase != IdlePhase.LOOKING) {
      return;
    }
    if (!counts) {
      move(Trigger.NEEDED);
    } else if (seen.waiting()) {
      idleSince = now.mono();
      looksAt = now.mono() + Math.max(LOOK_MILLIS, LOOK_PER_SHARE_MILLIS * seen.shares());
      move(Trigger.NEEDED);
    } else {
      move(Trigger.NOT_NEEDED);
      ask(now);
    }
  }

  private void minimumRead(IdleEvent.MinimumRead read, Moment now) {
    boolean counts = inquiry.answered();
    int minimum = now.service() - read.saidAt() > MINIMUM_HOLDS_MILLIS ? 0 : read.workers();
    HeldSeat held = seat;
    if (held != null) {
      if (held.index() < minimum) {
        held.checked(now);
      } else {
        giveBack(held);
        move(Trigger.UNSEATED);
      }
    } else if (phase == IdlePhase.READING) {
      if (!counts) {
        move(Trigger.NEEDED);
      } else if (minimum == 0) {
        lookOnceMore(Trigger.NO_MINIMUM, now);
      } else {
        search = new SeatSearch(minimum, settings.worker());
        move(Trigger.MINIMUM);
        ask(now);
      }
    }
  }

  private void seatAnswered(IdleEvent.SeatAnswered answer, Moment now) {
    boolean counts = inquiry.answered();
    switch (phase) {
      case SITTING -> {
        if (answer.mine()) {
          seat = new HeldSeat(answer.seat(), settings.lease(), inquiry.askedAt());
          move(Trigger.SEATED);
        } else if (!counts) {
          move(Trigger.NEEDED);
        } else if (search != null && search.next()) {
          ask(now);
        } else {
          lookOnceMore(Trigger.ALL_HELD, now);
        }
      }
      case SEATED -> {
        if (answer.mine() && seat != null) {
          seat.renewed(inquiry.askedAt());
        } else {
          seat = null;
          move(Trigger.UNSEATED);
        }
      }
      // It is to leave, and the answer came late.
      case WATCHING, LOOKING, READING, LAST_LOOK, LEAVING -> {
        if (answer.mine()) {
          effects.add(new IdleEffect.GiveBack(answer.seat()));
        }
      }
    }
  }

  private void unanswered(String why, Moment now) {
    boolean counts = inquiry.failed(now);
    if (phase == IdlePhase.SEATED || phase == IdlePhase.LEAVING) {
      return;
    }
    if (!counts) {
      move(Trigger.NEEDED);
    } else if (inquiry.unansweredFor(now) >= settings.patience()) {
      if (phase == IdlePhase.SITTING && search != null) {
        // It may have been given to this worker, whose call failed on its way back.
        effects.add(new IdleEffect.GiveBack(search.seat()));
      }
      effects.add(new IdleEffect.GiveUp(why));
      lookOnceMore(Trigger.UNANSWERED, now);
    }
  }

  // ---- seats and the end

  private void keepSeat(Moment now) {
    HeldSeat held = seat;
    if (held == null || !inquiry.mayAsk(now)) {
      return;
    }
    if (held.over(now)) {
      seat = null;
      move(Trigger.UNSEATED);
    } else if (held.renewalDue(now)) {
      ask(sit(held.index(), now), now);
    } else if (held.checkDue(now)) {
      ask(new IdleEffect.ReadMinimum(), now);
    }
  }

  private void giveBack(HeldSeat held) {
    seat = null;
    effects.add(new IdleEffect.GiveBack(held.index()));
  }

  private void lookOnceMore(Trigger because, Moment now) {
    move(because);
    lastLookSince = now.mono();
    effects.add(new IdleEffect.LastLook());
  }

  private void leave() {
    if (phase == IdlePhase.LEAVING) {
      return;
    }
    if (seat != null) {
      giveBack(seat);
    }
    move(Trigger.LEAVE);
  }

  private void move(Trigger trigger) {
    phase = IdlePhase.TABLE.next(phase, trigger);
  }
}
