package io.cloudkon.simulator.cloud;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Positions;
import io.cloudkon.core.protocol.claim.Acquisition;
import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.claim.ClaimAnswer;
import io.cloudkon.core.protocol.claim.ClaimState;
import io.cloudkon.core.protocol.claim.ClaimWrite;
import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.Request;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of claims: atomic conditional writes, with DynamoDB's limits. */
public final class SimClaims {
  private static final double UNIT_BYTES = 1024;
  private static final int ITEM_BYTES = 350;

  private final Network network;
  private final CloudSettings settings;
  private final ClaimLaw law;
  private final CloudWatch watch;
  private final @Nullable TokenBucket table;
  private final Map<String, Item> items = new HashMap<>();

  /** The workers that gave a bundle back because they were sick, by bundle. */
  private final Map<String, Set<String>> sick = new HashMap<>();

  /** The bundles that were done and forgotten, by run. */
  private final Map<String, BitSet> forgotten = new HashMap<>();

  private static final class Item {
    final Request of;
    @Nullable Claim claim;
    long second;
    int writes;

    Item(Request of) {
      this.of = of;
    }
  }

  SimClaims(Network network, CloudSettings settings, ClaimLaw law, CloudWatch watch) {
    this.network = network;
    this.settings = settings;
    this.law = law;
    this.watch = watch;
    this.table = settings.tableWrites() > 0 ? new TokenBucket(settings.tableWrites()) : null;
  }

  /** Announces a bundle or child that is about to be sent and will have a claim. */
  public void expect(Request request) {
    var unused = items.putIfAbsent(request.id(), new Item(request));
  }

  /** Tries to make the caller the owner. */
  public void acquire(SimProcess caller, Request of, Acquisition by, Reply<ClaimAnswer> reply) {
    change(
        caller,
        Call.CLAIM_ACQUIRE,
        of,
        by.started(),
        () ->
            "acquires %s as %s until %d, started %s"
                .formatted(of, by.mode(), by.leaseEnd(), by.started()),
        claim -> law.acquire(claim, by),
        reply);
  }

  /** Writes as the owner. */
  public void write(SimProcess caller, Request of, ClaimWrite by, Reply<ClaimAnswer> reply) {
    change(
        caller,
        Call.CLAIM_WRITE,
        of,
        by.done().isEmpty() ? by.started() : by.done(),
        () ->
            "writes %s attempt %d seq %d %s started %s done %s children %s"
                .formatted(
                    of, by.attempt(), by.seq(), by.state(), by.started(), by.done(), by.children()),
        claim -> law.write(claim, by),
        reply);
  }

  /**
   * Records that a sick worker gave a bundle back; the answer is the number of workers that did.
   */
  public void noteSick(SimProcess caller, String id, String worker, Reply<Integer> reply) {
    network.call(
        caller,
        Call.CLAIM_WRITE,
        1,
        () -> "notes that it is sick and gives back " + id,
        () -> {
          Set<String> workers = sick.computeIfAbsent(id, k -> new HashSet<>());
          workers.add(worker);
          watch.givenBackSick(id, workers.size());
          return workers.size();
        },
        reply);
  }

  /** Takes an attempt back for its former owner. */
  public void survive(SimProcess caller, Request of, int attempt, Reply<ClaimAnswer> reply) {
    change(
        caller,
        Call.CLAIM_SURVIVE,
        of,
        Positions.none(),
        () -> "takes back attempt %d of %s".formatted(attempt, of),
        claim -> law.survive(claim, attempt),
        reply);
  }

  private interface Change {
    Optional<Claim> of(@Nullable Claim current);
  }

  private void change(
      SimProcess caller,
      Call call,
      Request of,
      Positions bits,
      Supplier<String> what,
      Change change,
      Reply<ClaimAnswer> reply) {
    int units = (int) Math.ceil((ITEM_BYTES + (bits.isEmpty() ? 0 : bitmapBytes(of))) / UNIT_BYTES);
    network.call(
        caller,
        call,
        units,
        what,
        () -> {
          ClaimAnswer answer = carryOut(of, units, change);
          if (answer == null) {
            caller.disturbed(network.timeline().now());
          }
          return answer;
        },
        reply);
  }

  private static int bitmapBytes(Request of) {
    return of.bundle().tasks().size() / 4;
  }

  private @Nullable ClaimAnswer carryOut(Request of, int units, Change change) {
    Item item = items.get(of.id());
    if (item == null) {
      if (wasForgotten(of.run().id(), of.id())) {
        return new ClaimAnswer.Refused(done(of.id()));
      }
      item = new Item(of);
      items.put(of.id(), item);
    }
    if (tooHot(item, units)) {
      network.counts().throttled();
      return null;
    }
    Claim before = item.claim;
    Optional<Claim> after = change.of(before);
    if (after.isEmpty()) {
      return new ClaimAnswer.Refused(before);
    }
    item.claim = after.get();
    watch.claimed(item.of, before, after.get());
    return new ClaimAnswer.Accepted(after.get());
  }

  private boolean tooHot(Item item, int units) {
    long now = network.timeline().now();
    if (table != null && !table.take(units, now)) {
      return true;
    }
    long second = now / 1_000_000;
    if (item.second != second) {
      item.second = second;
      item.writes = 0;
    }
    return ++item.writes > settings.itemWrites();
  }

  /** Reads claims by id; the answer omits claims that do not exist. */
  public void read(
      SimProcess caller, String run, List<String> ids, Reply<Map<String, Claim>> reply) {
    network.call(
        caller,
        Call.CLAIM_READ,
        ids.size(),
        () -> "reads claims " + ids,
        () -> {
          Map<String, Claim> found = new HashMap<>();
          for (String id : ids) {
            Claim claim = claim(run, id);
            if (claim != null) {
              found.put(id, claim);
            }
          }
          return found;
        },
        reply);
  }

  /** The claim of a bundle, or of the only task of a bundle. */
  private @Nullable Claim claim(String run, String id) {
    String bundle = BundleIds.ofClaim(id);
    Item item = items.get(bundle);
    if (item != null) {
      return item.claim;
    }
    return wasForgotten(run, bundle) ? done(id) : null;
  }

  /** Forgets a finished bundle whose message was deleted, if the settings ask for saving memory. */
  public void messageDeleted(Request of) {
    if (!settings.compact() || BundleIds.depth(of.id()) > 0) {
      return;
    }
    Item item = items.get(of.id());
    if (item != null
        && item.claim != null
        && item.claim.state() == ClaimState.DONE
        && item.claim.children().isEmpty()) {
      items.remove(of.id());
      watch.forgotten(of);
      forgotten
          .computeIfAbsent(of.run().id(), run -> new BitSet())
          .set(BundleIds.sequence(of.id()));
    }
  }

  private boolean wasForgotten(String run, String id) {
    BitSet over = forgotten.get(run);
    return over != null && BundleIds.depth(id) == 0 && over.get(BundleIds.sequence(id));
  }

  private static Claim done(String id) {
    return new Claim(
        id,
        ClaimState.DONE,
        "",
        "",
        1,
        1,
        0,
        0,
        Positions.none(),
        Positions.none(),
        new TreeMap<>(),
        0);
  }

  /** Passes on every bundle that has not been forgotten, with its claim if it has one. */
  public void forEach(BiConsumer<Request, @Nullable Claim> consumer) {
    new ArrayList<>(items.values()).forEach(item -> consumer.accept(item.of, item.claim));
  }
}
