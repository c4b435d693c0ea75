package io.cloudkon.core.protocol.capacity;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The requested changes that the ledger has not answered, by token. */
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

  /** Requests a change with a new token. */
  void ask(Function<String, LedgerChange> change) {
    LedgerChange wanted = change.apply(tokens.get());
    asked.put(wanted.token(), wanted);
    out.accept(new CapacityEffect.Change(wanted));
  }

  /** Repeats a request, unless it was answered. */
  void askAgain(String token) {
    LedgerChange change = asked.get(token);
    if (change != null) {
      out.accept(new CapacityEffect.Change(change));
    }
  }

  /** Removes an answered change; null if it was answered before or is no longer awaited. */
  @Nullable LedgerChange answered(String token) {
    return asked.remove(token);
  }

  /** Forgets all pending changes. */
  void forgetAll() {
    asked.clear();
  }
}
