package io.cloudkon.core.memory;

import io.cloudkon.core.port.ClaimStore;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimRules;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The claims of one cluster in memory, by {@link ClaimRules}. */
final class MemoryClaimStore implements ClaimStore {
  private static final int READ_LIMIT = 100;
  private final MemoryTable<Claim> table;

  /** Workers that gave a bundle back because they were sick. */
  private final MemoryTable<Set<String>> sick;

  MemoryClaimStore(MemoryTable<Claim> table, MemoryTable<Set<String>> sick) {
    this.table = table;
    this.sick = sick;
  }

  @Override
  public ClaimAnswer acquire(Acquisition acquisition) {
    return table.with(claims -> {
      Claim current = claims.get(acquisition.id());
      return answer(claims, current, ClaimRules.acquire(current, acquisition));
    });
  }

  @Override
  public ClaimAnswer write(ClaimWrite write) {
    return table.with(claims -> {
      Claim current = claims.get(write.id());
      return answer(claims, current, ClaimRules.write(current, write));
    });
  }

  @Override
  public int noteSick(String id, String worker, long ttl) {
    return sick.with(notes -> {
      Set<String> workers = notes.computeIfAbsent(id, k -> new HashSet<>());
      workers.add(worker);
      return workers.size();
    });
  }

  @Override
  public ClaimAnswer survive(String id, int attempt) {
    return table.with(claims -> {
      Claim current = claims.get(id);
      return answer(claims, current, ClaimRules.survive(current, attempt));
    });
  }

  @Override
  public Map<String, Claim> read(Collection<String> ids) {
    if (ids.size() > READ_LIMIT) {
      throw new IllegalArgumentException(
          "%d claims to be read, at most %d".formatted(ids.size(), READ_LIMIT));
    }
    return table.with(claims -> {
      Map<String, Claim> found = new HashMap<>();
      for (String id : ids) {
        Claim claim = claims.get(id);
        if (claim != null) {
          found.put(id, claim);
        }
      }
      return found;
    });
  }

  private static ClaimAnswer answer(
      Map<String, Claim> claims, @Nullable Claim current, Optional<Claim> changed) {
    if (changed.isEmpty()) {
      return new ClaimAnswer.Refused(current);
    }
    claims.put(changed.get().id(), changed.get());
    return new ClaimAnswer.Accepted(changed.get());
  }
}
