package io.cloudkon.core.protocol.idle;

import io.cloudkon.core.protocol.idle.IdleEffect.Ending;
import io.cloudkon.core.protocol.idle.IdlePhase.Trigger;
import io.cloudkon.core.time.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a worker shuts itself down: it has been idle for long enough, no job waits for its
 * slots, enough others hold the seats of the fleet's minimum, and a last receive from its queues
 * returned nothing; or it has reached its maximum lifetime. Pure; used by one thread at a time.
 */
public final class IdleMachine {
  /** The maximum wait of a receive in SQS, in milliseconds. */
  public static final long LONG_POLL_MILLIS = 20_000;

  /** The shortest receive that queries all of SQS's servers, in milliseconds. */
  public static final long SHORT_POLL_MILLIS = 1_000;

  private final IdleSettings settings;
  private final IdleClock clock;
  private final SeatSearch search;
  private final LastLookTime lastLook;

  /**
   * The open query. Until it is answered the phase does not change, unless the worker is to leave.
   */
  private final Inquiry inquiry = new Inquiry();

  private final List<IdleEffect> effects = new ArrayList<>();
  private IdlePhase phase = IdlePhase.TABLE.start();
  private @Nullable HeldSeat seat;

  /** A worker that starts now. */
  public IdleMachine(IdleSettings settings, Moment now) {
    this.settings = settings;
    this.clock = new IdleClock(settings, now);
    this.search = new SeatSearch(settings.worker());
    this.lastLook = new LastLookTime(settings.patience(), now);
  }

  public IdlePhase phase() {
    return phase;
  }

  /** How long a receive that begins now may wait, in milliseconds; 1,000 to 20,000. */
  public long pollMillis(Moment now) {
    return switch (phase) {
      case WATCHING -> Math.clamp(clock.endsIn(now), SHORT_POLL_MILLIS, LONG_POLL_MILLIS);
      case LOOKING, READING, SITTING, LAST_LOOK, LEAVING -> SHORT_POLL_MILLIS;
      case SEATED -> LONG_POLL_MILLIS;
    };
  }

  /** Processes an event and returns the effects. */
  public List<IdleEffect> on(IdleEvent event, Moment now) {
    switch (event) {
      case IdleEvent.Tick tick -> tick(tick, now);
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

  private void tick(IdleEvent.Tick tick, Moment now) {
    if (tick.worked()) {
      worked(now);
    }
    if (phase != IdlePhase.LEAVING && clock.livedOut(now)) {
      leave();
      effects.add(new IdleEffect.Drain(Ending.LIFETIME));
    }
    switch (phase) {
      case WATCHING -> {
        if (clock.endsIn(now) == 0) {
          move(Trigger.DUE);
          ask(now);
        }
      }
      case LOOKING, READING, SITTING -> askAgain(now);
      case SEATED -> keepSeat(now);
      case LAST_LOOK -> {
        if (tick.holds()) {
          // What comes meanwhile was not looked for, and the messages may be work.
          lastLook.holds(now);
          effects.add(new IdleEffect.LastLook());
        } else if (lastLook.over(now)) {
          effects.add(new IdleEffect.GiveUp("its queues could not be looked at"));
          move(Trigger.UNANSWERED);
          effects.add(new IdleEffect.Drain(Ending.IDLE));
        }
      }
      case LEAVING -> {}
    }
    lastLook.ticked(now);
  }

  private void worked(Moment now) {
    clock.worked(now);
    inquiry.workCame();
    if (phase == IdlePhase.LAST_LOOK) {
      move(Trigger.NEEDED);
      effects.add(new IdleEffect.GoOn());
    }
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
      case SITTING -> ask(IdleEffect.Sit.at(search.seat(), settings.lease(), now), now);
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
      if (clock.endsIn(now) == 0) {
        ask(now);
      } else {
        giveBackUnsure();
        move(Trigger.NEEDED);
      }
    }
  }

  private void jobsSeen(IdleEvent.JobsSeen seen, Moment now) {
    boolean counts = inquiry.answered();
    if (phase != IdlePhase.LOOKING) {
      return;
    }
    if (!counts) {
      move(Trigger.NEEDED);
    } else if (seen.waiting()) {
      clock.jobsWait(seen.shares(), now);
      move(Trigger.NEEDED);
    } else {
      move(Trigger.NOT_NEEDED);
      ask(now);
    }
  }

  private void minimumRead(IdleEvent.MinimumRead read, Moment now) {
    boolean counts = inquiry.answered();
    int minimum = read.countsAt(now.service());
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
        search.begin(minimum);
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
          search.found(answer.seat());
          seat = new HeldSeat(answer.seat(), settings.lease(), inquiry.askedAt());
          move(Trigger.SEATED);
        } else if (!counts) {
          move(Trigger.NEEDED);
        } else if (search.next()) {
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
      // It is to leave, and the answer arrived late.
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
      giveBackUnsure();
      move(Trigger.NEEDED);
    } else if (inquiry.unansweredFor(now) >= settings.patience()) {
      giveBackUnsure();
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
      ask(IdleEffect.Sit.at(held.index(), settings.lease(), now), now);
    } else if (held.checkDue(now)) {
      ask(new IdleEffect.ReadMinimum(), now);
    }
  }

  private void giveBack(HeldSeat held) {
    seat = null;
    effects.add(new IdleEffect.GiveBack(held.index()));
  }

  /**
   * Gives back a seat that may belong to this worker although the call that requested it failed.
   */
  private void giveBackUnsure() {
    if (phase == IdlePhase.SITTING) {
      effects.add(new IdleEffect.GiveBack(search.seat()));
    }
  }

  private void lookOnceMore(Trigger because, Moment now) {
    move(because);
    lastLook.begin(now);
    effects.add(new IdleEffect.LastLook());
  }

  private void leave() {
    if (phase == IdlePhase.LEAVING) {
      return;
    }
    if (seat != null) {
      giveBack(seat);
    }
    giveBackUnsure();
    move(Trigger.LEAVE);
  }

  private void move(Trigger trigger) {
    phase = IdlePhase.TABLE.next(phase, trigger);
  }
}
