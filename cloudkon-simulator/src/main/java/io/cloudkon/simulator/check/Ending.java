package io.cloudkon.simulator.check;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.TaskStatus;

/**
 * Checks whether a task's final status is consistent with the known facts.
 *
 * @param account the account of its run
 * @param ordinal the task
 * @param status its final status
 */
record Ending(Account account, int ordinal, TaskStatus status) {

  void check() {
    boolean allowed =
        switch (status) {
          case SUCCEEDED -> !mustFail();
          case FAILED -> mayFail();
          case LOST -> atMostOnce() || excused();
          case CANCELLED -> account.cancelled && !account.looks.found(ordinal);
          case TIMED_OUT -> false;
        };
    hold(allowed, "");
    if (status == TaskStatus.LOST && !excused()) {
      lost();
    }
    if (status == TaskStatus.SUCCEEDED || status == TaskStatus.FAILED) {
      hold(started() || account.givenUp.get(ordinal), " without a start");
    }
    if (status == TaskStatus.FAILED && notByItself()) {
      hold(account.lettered.get(ordinal), " without a dead letter");
    }
  }

  /** Whether the task itself cannot have failed: it was given up. */
  private boolean notByItself() {
    boolean fails = mustFail() || account.run.tasks().failSomewhere();
    return account.run.tasks().poison(ordinal) || !fails;
  }

  private void lost() {
    boolean recorded = account.recorded.get(ordinal);
    hold(account.recordedStarted.get(ordinal), " and was never recorded as started");
    hold(
        !account.repliedForReal.get(ordinal) || account.tooLate(ordinal),
        " although its real result was accepted");
    hold(!account.storedThenRecorded.get(ordinal), " although its result was stored and recorded");
    hold(account.saidLost.get(ordinal) || !recorded, " although it was recorded");
  }

  private boolean atMostOnce() {
    return account.run.consistency() == Consistency.AT_MOST_ONCE;
  }

  /**
   * Whether the status LOST is allowed. Results may have been lost with their queue. After a
   * cancellation results may also wait that the client does not see any more, hidden or not there
   * yet. In exactly-once a cancelled run reports LOST only for tasks that were recorded.
   */
  private boolean excused() {
    boolean exactlyOnce = account.run.consistency() == Consistency.EXACTLY_ONCE;
    boolean mayWait = !exactlyOnce || account.recorded.get(ordinal);
    return account.gone.get(ordinal)
        || (account.cancelled && mayWait && !account.looks.found(ordinal));
  }

  private boolean started() {
    return account.starts[ordinal] > 0;
  }

  /** Whether every allowed try fails or kills its worker. */
  private boolean mustFail() {
    int retries = atMostOnce() ? 0 : account.run.tasks().task(ordinal).retries();
    return account.run.tasks().poison(ordinal) || account.run.tasks().failures(ordinal) > retries;
  }

  private boolean mayFail() {
    return mustFail() || account.givenUp.get(ordinal) || account.run.tasks().failSomewhere();
  }

  private void hold(boolean holds, String what) {
    if (!holds) {
      throw new Violation("task %d of run %s ended %s%s", ordinal, account.run, status, what);
    }
  }
}
