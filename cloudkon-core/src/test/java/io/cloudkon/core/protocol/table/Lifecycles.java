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
            "A claim from the point of view of one worker (`ClaimMachine`).",
            ClaimPhase.TABLE,
            Set.of(ClaimPhase.DONE, ClaimPhase.RELEASED, ClaimPhase.REFUSED, ClaimPhase.LOST)),
        new Lifecycle(
            "A received bundle in a worker (`BundleMachine`).",
            BundlePhase.TABLE,
            Set.of(BundlePhase.CLOSED)),
        new Lifecycle(
            "A received message whose tasks have one claim each (`TaskByTask`); each task is"
                + " a bundle of its own.",
            MessagePhase.TABLE,
            Set.of(MessagePhase.CLOSED)),
        new Lifecycle(
            "Whether a worker receives (`IntakeMachine`).",
            IntakePhase.TABLE,
            Set.of(IntakePhase.STOPPED)),
        new Lifecycle(
            "An idle worker until it shuts down (`IdleMachine`).",
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
            "The knowledge of a client's bundler (`BundlerMachine`).",
            BundlerPhase.TABLE,
            Set.of()),
        new Lifecycle(
            "The membership of a worker in the ledger of slots (`OwnShare`).",
            CapacityPhase.TABLE,
            Set.of(CapacityPhase.LEFT)),
        new Lifecycle(
            "One process's side of a lease that only one process holds at a time"
                + " (`LeaseMachine`).",
            LeasePhase.TABLE,
            Set.of(LeasePhase.LET_GO)),
        new Lifecycle(
            "An HPC job at its manager (`ManagerMachine`).",
            JobPhase.TABLE,
            Set.of(JobPhase.CLOSED)),
        new Lifecycle(
            "A gang at its manager (`Gang`); the record of a state holds the data of that"
                + " state only (`GangState`).",
            GangPhase.TABLE,
            Set.of(GangPhase.GONE)),
        new Lifecycle(
            "Why the ranks of a job's attempt end (`GangRun`); an event that the table does"
                + " not declare changes nothing.",
            GangRunPhase.TABLE,
            Set.of(
                GangRunPhase.LAUNCH_FAILED_BY_ITSELF,
                GangRunPhase.LEFT,
                GangRunPhase.NEVER_LAUNCHED,
                GangRunPhase.HINDERED,
                GangRunPhase.NEVER_BEGUN)),
        new Lifecycle(
            "The part of a sub-worker in one gang (`Seat`).",
            SeatPhase.TABLE,
            Set.of(SeatPhase.GONE)),
        new Lifecycle(
            "The reaction of a worker to announcements about its machine (`NoticeMachine`).",
            NoticePhase.TABLE,
            Set.of()));
  }
}
