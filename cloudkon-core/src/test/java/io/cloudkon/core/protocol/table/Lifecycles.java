package io.cloudkon.core.protocol.table;

import io.cloudkon.core.protocol.bundle.BundlePhase;
import io.cloudkon.core.protocol.bundler.BundlerPhase;
import io.cloudkon.core.protocol.capacity.CapacityPhase;
import io.cloudkon.core.protocol.claim.ClaimPhase;
import io.cloudkon.core.protocol.completeness.CompletenessPhase;
import io.cloudkon.core.protocol.gang.GangPhase;
import io.cloudkon.core.protocol.gang.GangRunPhase;
import io.cloudkon.core.protocol.gang.JobPhase;
import io.cloudkon.core.protocol.gang.SeatPhase;
import io.cloudkon.core.protocol.health.HealthPhase;
import io.cloudkon.core.protocol.idle.IdlePhase;
import io.cloudkon.core.protocol.intake.IntakePhase;
import io.cloudkon.core.protocol.lease.LeasePhase;
import io.cloudkon.core.protocol.notice.NoticePhase;
import io.cloudkon.core.protocol.worker.MessagePhase;
import java.util.List;
import java.util.Set;

/** Every life cycle of the protocol. */
final class Lifecycles {
  private Lifecycles() {}

  /**
   * A table and what is known of it from elsewhere.
   *
   * @param what one sentence for the documentation
   * @param table the table
   * @param ends the states that nothing leads out of
   */
  record Lifecycle(String what, TransitionTable<?, ?> table, Set<? extends Enum<?>> ends) {
    @Override
    public String toString() {
      return table.name();
    }
  }

  static List<Lifecycle> all() {
    return List.of(
        new Lifecycle(
            "One worker's hold on one claim (`ClaimMachine`).",
            ClaimPhase.TABLE,
            Set.of(ClaimPhase.DONE, ClaimPhase.RELEASED, ClaimPhase.REFUSED, ClaimPhase.LOST)),
        new Lifecycle(
            "One received bundle in a worker (`BundleMachine`).",
            BundlePhase.TABLE,
            Set.of(BundlePhase.CLOSED)),
        new Lifecycle(
            "One received message whose tasks have a claim each (`TaskByTask`); each task is a"
                + " bundle to itself.",
            MessagePhase.TABLE,
            Set.of(MessagePhase.CLOSED)),
        new Lifecycle(
            "Whether a worker receives (`IntakeMachine`).",
            IntakePhase.TABLE,
            Set.of(IntakePhase.STOPPED)),
        new Lifecycle(
            "How far an idle worker is from its end (`IdleMachine`).",
            IdlePhase.TABLE,
            Set.of(IdlePhase.LEAVING)),
        new Lifecycle(
            "Whether a worker can start tasks (`HealthMachine`).",
            HealthPhase.TABLE,
            Set.of(HealthPhase.ENDING)),
        new Lifecycle(
            "A client's account of its run (`CompletenessMachine`).",
            CompletenessPhase.TABLE,
            Set.of(CompletenessPhase.COMPLETE)),
        new Lifecycle(
            "What a client's bundler knows (`BundlerMachine`).", BundlerPhase.TABLE, Set.of()),
        new Lifecycle(
            "How a worker stands in the ledger of slots (`OwnShare`).",
            CapacityPhase.TABLE,
            Set.of(CapacityPhase.LEFT)),
        new Lifecycle(
            "How a process stands to a lease that one process at a time holds (`LeaseMachine`).",
            LeasePhase.TABLE,
            Set.of(LeasePhase.LET_GO)),
        new Lifecycle(
            "One HPC job in a manager's hands (`ManagerMachine`).",
            JobPhase.TABLE,
            Set.of(JobPhase.CLOSED)),
        new Lifecycle(
            "One gang at its manager (`Gang`); what there is in one state only is in that state's"
                + " record (`GangState`).",
            GangPhase.TABLE,
            Set.of(GangPhase.GONE)),
        new Lifecycle(
            "Why the ranks of a job's attempt end (`GangRun`); what the table does not declare"
                + " tells nothing new and changes nothing.",
            GangRunPhase.TABLE,
            Set.of(
                GangRunPhase.LAUNCH_FAILED_BY_ITSELF,
                GangRunPhase.LEFT,
                GangRunPhase.NEVER_LAUNCHED,
                GangRunPhase.HINDERED,
                GangRunPhase.NEVER_BEGUN)),
        new Lifecycle(
            "What a sub-worker has of one gang (`Seat`).", SeatPhase.TABLE, Set.of(SeatPhase.GONE)),
        new Lifecycle(
            "What a worker does about its machine that is to leave (`NoticeMachine`).",
            NoticePhase.TABLE,
            Set.of()));
  }
}
