package io.cloudkon.simulator.check;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Task;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.Tasks;

/**
 * Records the start of a task and checks whether it is consistent with the known facts.
 *
 * @param account the account of its run
 * @param seen the facts about its bundle
 * @param of the bundle as the worker received it
 * @param position its position in the bundle
 * @param worker where it starts
 */
record Starting(Account account, BundleFacts seen, Request of, int position, String worker) {

  /** Records and checks it, under this tenure of the claim. */
  void check(Order order, Causes causes, String nonce, int attempt, long serviceMillis) {
    int ordinal = seen.ordinal(position);
    int times = account.started(ordinal);
    Consistency consistency = account.run.consistency();
    if (consistency == Consistency.AT_LEAST_ONCE) {
      return;
    }
    if (consistency == Consistency.AT_MOST_ONCE) {
      Violation.unless(
          times == 1, "task %d started %d times, the last on %s", ordinal, times, worker);
      order.startRecorded(seen.claim, position, worker);
    }
    notTooOften(nonce, attempt);
    Violation.unless(
        !account.recorded.get(ordinal),
        "task %d started again on %s although it was recorded",
        ordinal,
        worker);
    order.mayAct("start by " + worker, seen.claim, nonce, attempt, serviceMillis);
    causes.started(worker, of, position, attempt);
  }

  private void notTooOften(String nonce, int attempt) {
    int ordinal = seen.ordinal(position);
    int tries = seen.startedUnder(nonce, attempt, position);
    Task task = of.bundle().tasks().get(position);
    Tasks tasks = account.run.tasks();
    int failures = tasks.failsOn(worker) ? task.retries() : tasks.failures(ordinal);
    Violation.unless(
        tries <= 1 + Math.max(0, Math.min(task.retries(), failures) - task.tried()),
        "task %d started too often under attempt %d of %s",
        ordinal,
        attempt,
        worker);
  }
}
