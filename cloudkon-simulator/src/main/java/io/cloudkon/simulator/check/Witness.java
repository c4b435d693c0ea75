package io.cloudkon.simulator.check;

import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.TaskStatus;
import io.cloudkon.core.port.RunEntry;
import io.cloudkon.core.protocol.bundle.AttemptSettings;
import io.cloudkon.core.protocol.capacity.Waiting;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.simulator.cloud.CloudWatch;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import io.cloudkon.simulator.load.ResultMessage;
import io.cloudkon.simulator.load.SimRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Observes what really happens at the services and in the slots, and throws a {@link Violation}
 * when a promise that a user could see is broken. {@link Order} checks the order of effects.
 */
public final class Witness implements CloudWatch {
  private final Order order;
  private final List<Account> accounts = new ArrayList<>();
  private final SentBundles bundles = new SentBundles();
  private final Causes causes = new Causes();
  private final ClosedRuns closedRuns = new ClosedRuns();
  private final WaitingItems waitingItems = new WaitingItems();
  private final RunningRanks ranks = new RunningRanks();
  private final TasksUnderWay tasks = new TasksUnderWay();
  private final LostGangs gangs = new LostGangs();
  private Predicate<String> mayNotTakeBack = worker -> false;

  /**
   * A witness that has seen nothing.
   *
   * @param orderWatched whether the order of effects is checked too; otherwise only what a user
   *     could see
   */
  public Witness(boolean orderWatched) {
    order = new Order(orderWatched);
  }

  /** Records that a process begins. */
  public void begins(SimProcess process) {
    causes.begins(process);
  }

  /** Sets the workers that may not take attempts back: attempts they lose count like deaths. */
  public void mayNotTakeBack(Predicate<String> workers) {
    mayNotTakeBack = workers;
  }

  /** Records that a run begins; runs begin in the order of their indexes. */
  public void begins(SimRun run) {
    Violation.unless(run.index() == accounts.size(), "run %s is not the next one", run);
    accounts.add(new Account(run));
  }

  /** The ranks that run. */
  public RunningRanks ranks() {
    return ranks;
  }

  /** The tasks that run. */
  public TasksUnderWay tasks() {
    return tasks;
  }

  /** The last looks of the client that settles the cancelled run. */
  public LastLooks lastLooks(SimRun run) {
    return account(run).looks;
  }

  /** The starts of tasks, and what may have ended them. */
  public Causes causes() {
    return causes;
  }

  /** The jobs that wait according to the ledger. */
  public WaitingItems waitingItems() {
    return waitingItems;
  }

  /** The runs that are cancelled or ended. */
  public ClosedRuns closedRuns() {
    return closedRuns;
  }

  /** The gangs whose attempts may be lost. */
  public LostGangs gangs() {
    return gangs;
  }

  /**
   * Records that the cluster had no room for this number of ranks, so that the job may fail for
   * this reason.
   */
  public void tooLarge(Request of) {
    account(of.run()).givenUp(of);
    lettered(of);
  }

  @Override
  public void lettered(Request letter) {
    account(letter.run()).lettered(letter);
  }

  /** Records that the dead-letter queue refuses these tasks by a policy. */
  public void letterRefused(Request letter) {
    lettered(letter);
  }

  /** Records a bundle or child that is about to be sent. */
  public void sending(Request request) {
    bundles.sending(request);
  }

  /** Records that the run was cancelled. */
  public void cancelled(SimRun run) {
    account(run).cancelled();
  }

  /** Records that the client ends the run; workers may notice that at any moment. */
  public void ending(SimRun run) {
    account(run).ending();
  }

  @Override
  public void claimed(Request of, @Nullable Claim before, Claim claim) {
    BundleFacts seen = bundles.of(of);
    seen.claim = claim;
    Account account = account(of.run());
    if (of.run().consistency() == Consistency.AT_MOST_ONCE) {
      claim.started().stream().forEach(p -> account.recordedStarted.set(seen.ordinal(p)));
    }
    boolean acquired = before != null && claim.attempt() > before.attempt();
    if (before != null && (acquired || claim.state() == ClaimState.RELEASED)) {
      if (Losses.isCountedRelease(before, claim)) {
        gangs.counted(of, before.attempt());
      }
      seen.losses().changed(before, claim, seen.startedUnder(before));
    }
    if (AttemptSettings.DEFAULT.exceededBy(claim)) {
      boolean died = claim.countedAttempts() > AttemptSettings.DEFAULT.max();
      // The successor in at-most-once only reports what was lost; nothing is given up there.
      if (acquired && died && claim.state() != ClaimState.LOSING) {
        seen.losses()
            .givenUp(claim, worker -> !causes.lives(worker) || mayNotTakeBack.test(worker));
      }
      account.givenUp(of);
    }
    causes.claimed(seen, before, claim);
    claim.done().stream().forEach(p -> account.recorded(seen.ordinal(p)));
    order.written(before, claim);
    order.recorded(seen, claim, account.replied);
    if (claim.state() == ClaimState.DONE && !account.closed) {
      order.ended(claim, of.bundle().tasks().size());
    }
  }

  @Override
  public void givenBackSick(String bundle, int workers) {
    BundleFacts seen = bundles.find(bundle);
    if (seen != null && workers >= Limits.SICK_WORKERS) {
      account(seen.of.run()).givenUp(seen.of);
    }
  }

  @Override
  public void replied(ResultMessage results, long micros) {
    account(results.of().run()).replied(results, micros);
    told(results);
  }

  /**
   * Records that a receive of the run's client came back empty.
   *
   * @param micros the time until which it waited, at least
   */
  public void nothingCame(SimRun run, long micros) {
    account(run).nothingCame(micros);
  }

  @Override
  public void stored(ResultMessage results, long micros) {
    account(results.of().run()).stored(results, micros);
    told(results);
  }

  private void told(ResultMessage results) {
    gangs.told(results);
    causes.told(bundles.find(results.of().id()), results);
    ranks.told(results);
  }

  @Override
  public void ledgerRead(List<Waiting> waiting) {
    waitingItems.seen(waiting);
  }

  @Override
  public void runWritten(RunEntry entry, long micros) {
    closedRuns.written(entry, micros);
  }

  @Override
  public void gone(ResultMessage results) {
    account(results.of().run()).gone(results);
  }

  @Override
  public void forgotten(Request of) {
    bundles.forget(of.id());
  }

  /** Records and checks the start of a task. */
  public void started(
      String worker, Request of, int position, String nonce, int attempt, long serviceMillis) {
    new Starting(account(of.run()), bundles.of(of), of, position, worker)
        .check(order, causes, nonce, attempt, serviceMillis);
  }

  /** Checks that a worker that starts a task or sends for a bundle holds the lease. */
  public void mayAct(
      String what, String worker, Request of, String nonce, int attempt, long serviceMillis) {
    if (of.run().consistency().claims()) {
      order.mayAct(what + " by " + worker, bundles.of(of).claim, nonce, attempt, serviceMillis);
    }
  }

  /** Checks the deletion of a message by a worker. */
  public void deleting(String worker, Request of) {
    Account account = account(of.run());
    if (account.closed) {
      return;
    }
    BundleFacts seen = bundles.find(of.id());
    if (of.run().consistency().claims()) {
      // A bundle whose claim was forgotten was done.
      if (seen != null && seen.endUnwritten()) {
        order.mayDelete(seen, account.replied);
      } else if (seen != null) {
        order.mayDelete(worker, of.id(), seen.claim);
      }
    } else {
      order.mayDelete(bundles.of(of), account.replied);
    }
  }

  /** Records and checks a final result of the client. */
  public void finalResult(SimRun run, int ordinal, TaskStatus status) {
    account(run).finalResult(ordinal, status);
  }

  /** The number of starts of a task of a run. */
  public int startsOf(SimRun run, int ordinal) {
    return account(run).starts[ordinal];
  }

  /** The number of tasks of a run that ended with this status. */
  public int count(SimRun run, TaskStatus status) {
    return account(run).counts.getOrDefault(status, 0);
  }

  /** The number of bundles that were split off, of all runs. */
  public long children() {
    return bundles.children();
  }

  /** Whether no work is left for workers. */
  public boolean everythingDone() {
    return bundles.all().stream().allMatch(this::done);
  }

  private boolean done(BundleFacts seen) {
    Claim claim = seen.claim;
    return !seen.of.run().consistency().claims()
        || account(seen.of.run()).closed
        || (seen.endUnwritten() && seen.allIn(account(seen.of.run()).replied))
        || (claim != null && claim.state() == ClaimState.DONE);
  }

  /**
   * Checks at the end that each task has its result, the counts add up, and every claim is DONE.
   */
  public void atTheEnd() {
    accounts.forEach(Account::atTheEnd);
    for (BundleFacts seen : bundles.all()) {
      Violation.unless(done(seen), "at the end the claim of %s is %s", seen.of, seen.claim);
    }
  }

  private Account account(SimRun run) {
    return accounts.get(run.index());
  }
}
