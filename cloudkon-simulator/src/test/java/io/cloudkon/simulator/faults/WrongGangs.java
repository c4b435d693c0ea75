package io.cloudkon.simulator.faults;

import io.cloudkon.core.protocol.capacity.CapacityEffect;
import io.cloudkon.core.protocol.capacity.Ledger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.Share;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.time.Moment;
import io.cloudkon.simulator.cloud.LedgerLaw;
import io.cloudkon.simulator.world.BugHook;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gangs whose machines say, or whose ledger does, what the production ones do not. */
final class WrongGangs {
  private WrongGangs() {}

  /** A sub-worker whose ranks run on however long its manager is silent. */
  static final class SilenceIgnored implements BugHook {
    private static final Moment FAR = new Moment(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);

    @Override
    public @Nullable SubWorkerEvent told(SubWorkerEvent event) {
      return event instanceof SubWorkerEvent.Welcomed welcomed
          ? new SubWorkerEvent.Welcomed(
              welcomed.gang(), welcomed.asked(), welcomed.accepted(), welcomed.leaseMillis(), FAR)
          : event;
    }
  }

  /** A gang that is dissolved keeps its slots in the ledger. */
  static final class FreeForgotten implements BugHook {
    @Override
    public List<GangEffect> wanted(GangEvent event, List<GangEffect> effects) {
      return effects.stream().filter(effect -> !frees(effect)).toList();
    }

    private static boolean frees(GangEffect effect) {
      return effect instanceof GangEffect.OfLedger of
          && of.call() instanceof CapacityEffect.Change change
          && change.change() instanceof LedgerChange.Remove remove
          && remove.share().kind() == Share.Kind.GANG
          && !remove.swept();
    }
  }

  /** A rank starts as soon as it has a slot. */
  static final class StartedBeforeAll implements BugHook {
    private final Map<String, GangEffect.Offer> offers = new HashMap<>();

    @Override
    public List<GangEffect> wanted(GangEvent event, List<GangEffect> effects) {
      List<GangEffect> all = new ArrayList<>(effects);
      for (GangEffect effect : effects) {
        if (effect instanceof GangEffect.Offer offer) {
          offers.put(offer.gang(), offer);
        } else if (effect instanceof GangEffect.Dissolve gone) {
          offers.remove(gone.gang());
        } else if (effect instanceof GangEffect.Welcome welcome
            && event instanceof GangEvent.Register register) {
          GangEffect.Offer offer = offers.get(welcome.gang());
          if (offer != null && !welcome.accepted().isEmpty()) {
            all.add(
                new GangEffect.Start(
                    offer.gang(),
                    offer.job(),
                    offer.attempt(),
                    offer.size(),
                    Map.of(register.worker(), welcome.accepted())));
          }
        }
      }
      return all;
    }
  }

  /** A manager that accepts workers without knowing whether it can call them. */
  static final class NeverCalledBack implements BugHook {
    @Override
    public boolean callsBack() {
      return false;
    }
  }

  /** A ledger that takes the renewal of a share that is gone for its return. */
  static final class LateRenewalAccepted implements BugHook, LedgerLaw {
    @Override
    public LedgerLaw ledger() {
      return this;
    }

    @Override
    public boolean renew(Ledger ledger, Share share) {
      return LedgerRules.renew(ledger, share)
          || LedgerRules.change(
              ledger,
              switch (share.kind()) {
                case WORKER -> new LedgerChange.Join("late", share);
                case GANG -> new LedgerChange.Admit("late", List.of(share), 0);
              });
    }
  }

  /** A job that no longer waits stays in the ledger as one that does. */
  static final class WaitingForgotten implements BugHook {
    @Override
    public List<GangEffect> wanted(GangEvent event, List<GangEffect> effects) {
      return event instanceof GangEvent.Viewed
          ? effects
          : effects.stream().filter(effect -> !removes(effect)).toList();
    }

    private static boolean removes(GangEffect effect) {
      return effect instanceof GangEffect.OfLedger of
          && of.call() instanceof CapacityEffect.RemoveWaiting;
    }
  }

  /** A manager that counts reports of ended ranks, also repeated ones, as so many ranks. */
  static final class ReportsCounted implements BugHook {
    private final Map<String, BitSet> counted = new HashMap<>();

    @Override
    public GangEvent told(GangEvent event) {
      return event instanceof GangEvent.Report report
          ? new GangEvent.Report(
              report.call(),
              report.gang(),
              report.worker(),
              report.ended().stream().flatMap(this::counted).toList(),
              report.leaving())
          : event;
    }

    private Stream<GangEvent.Ended> counted(GangEvent.Ended ended) {
      BitSet all =
          counted.computeIfAbsent(ended.job() + '#' + ended.attempt(), key -> new BitSet());
      boolean repeated = ended.how() == GangEvent.How.WELL && all.get(ended.rank());
      int rank = repeated ? all.nextClearBit(0) : ended.rank();
      all.set(rank);
      return Stream.of(ended, new GangEvent.Ended(ended.job(), ended.attempt(), rank, ended.how()));
    }
  }
}
