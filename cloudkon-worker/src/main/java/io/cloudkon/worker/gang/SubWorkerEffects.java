package io.cloudkon.worker.gang;

import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.hpc.rmi.StartRanks;

/**
 * Dispatches the effects of the sub-worker's state machine. Used by the loop alone; returns at
 * once.
 */
final class SubWorkerEffects {
  private final GangHost host;
  private final ServedGangs served;
  private final RankRuns runs;
  private final LedgerCaller ledger;
  private final GangDoor door;

  SubWorkerEffects(
      GangHost host, ServedGangs served, RankRuns runs, LedgerCaller ledger, GangDoor door) {
    this.host = host;
    this.served = served;
    this.runs = runs;
    this.ledger = ledger;
    this.door = door;
  }

  void carryOut(SubWorkerEffect effect) {
    switch (effect) {
      case SubWorkerEffect.WantSlots want -> host.keepSlots(want.question(), want.slots());
      case SubWorkerEffect.Register register -> served.register(register);
      case SubWorkerEffect.DeleteOffers delete -> served.delete(delete.handles());
      case SubWorkerEffect.PutBackOffers back -> served.putBack(back.handles());
      case SubWorkerEffect.Beat beat -> served.beat(beat);
      case SubWorkerEffect.StartAnswer answer -> startAnswer(answer);
      case SubWorkerEffect.KillRanks kill -> runs.kill(kill.gang(), kill.job(), kill.attempt());
      case SubWorkerEffect.Forget forget -> served.forget(forget.gang());
      case SubWorkerEffect.Keep keep -> ledger.keep(keep);
    }
  }

  /**
   * Answers an order to start ranks. A manager that no longer waits for the answer treats the order
   * as refused; its next answer to this worker then ends the ranks.
   */
  private void startAnswer(SubWorkerEffect.StartAnswer answer) {
    StartRanks order = door.order(answer.call());
    if (answer.starts() && order != null) {
      served.start(answer.gang(), order);
    }
    door.starts(answer.call(), answer.starts());
  }
}
