package io.cloudkon.core.protocol.capacity;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes that the ledger was asked for and has not answered, each under its token. */
final class PendingChanges {
  private final Supplier<String> tokens;
  private final Consumer<CapacityEffect> out;
  private final Map<String, LedgerChange> asked = new LinkedHashMap<>();

  PendingChanges(Supplier<String> tokens, Consumer<CapacityEffect> out) {
    this.tokens = tokens;
    this.out = out;
  }

  boolean isEmpty() {
    return asked.isEmpty();
  }

  boolean has(Class<? extends LedgerChange> kind) {
    return asked.values().stream().anyMatch(kind::isInstance);
  }

  /** Asks for a change under a fresh token. */
  void ask(Function<String, LedgerChange> change) {
    LedgerChange wanted = change.apply(tokens.get());
    asked.put(wanted.token(), wanted);
    out.accept(new CapacityEffect.Change(wanted));
  }

  /** Asks for the same again, unless it was answered. */
  void askAgain(String token) {
    LedgerChange change = asked.get(token);
    if (change != null) {
      out.accept(new CapacityEffect.Change(change));
    }
  }

  /** It was answered; null if it was before, or nobody waits for it any more. */
  @Nullable LedgerChange answered(String token) {
    return asked.remove(token);
  }

  /** Nobody waits for answers any more. */
  void forgetAll() {
    asked.clear();
  }
}
