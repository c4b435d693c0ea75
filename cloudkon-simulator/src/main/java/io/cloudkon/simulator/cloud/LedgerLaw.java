package io.cloudkon.simulator.cloud;

import io.cloudkon.core.protocol.capacity.Ledger;
import io.cloudkon.core.protocol.capacity.LedgerChange;
import io.cloudkon.core.protocol.capacity.LedgerRules;
import io.cloudkon.core.protocol.capacity.LedgerView;
import io.cloudkon.core.protocol.capacity.Share;

/** The conditions and effects of changes to the ledger. Tests substitute wrong ones. */
public interface LedgerLaw {
  /** The rules of the protocol. */
  LedgerLaw RULES = new LedgerLaw() {};

  /** See {@link LedgerRules#change}. */
  default boolean change(Ledger ledger, LedgerChange change) {
    return LedgerRules.change(ledger, change);
  }

  /** See {@link LedgerRules#renew(Ledger, Share)}. */
  default boolean renew(Ledger ledger, Share share) {
    return LedgerRules.renew(ledger, share);
  }

  /** The view as a reader receives it. */
  default LedgerView seen(LedgerView view) {
    return view;
  }
}
