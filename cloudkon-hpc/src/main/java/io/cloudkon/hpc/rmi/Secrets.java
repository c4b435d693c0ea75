package io.cloudkon.hpc.rmi;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decides by gang who may make which calls to a worker's endpoint. A secret gives exactly one of
 * the following rights. If calls are encrypted, each right except the first is bound to the
 * fingerprint of its holder's certificate:
 *
 * <ul>
 *   <li>An offer of a rank carries a {@linkplain #ticket ticket}, which only permits its holder to
 *       register for that rank. The gang's secret, from which tickets are derived, never leaves its
 *       manager.
 *   <li>A sub-worker registers with a {@linkplain #own secret of its own}, which only it and the
 *       manager know. The sub-worker uses it to report in its own name, and the manager uses it to
 *       send orders to that sub-worker.
 *   <li>An order to start carries a {@linkplain #pass pass} for each other rank's worker, derived
 *       from that worker's own secret. It permits a sub-worker to deliver its own ranks' messages
 *       there.
 * </ul>
 *
 * <p>Thread safe.
 */
public final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 32;
  private static final String TICKET = "rank";
  private static final String PASS = "messages of rank";

  private final ConcurrentHashMap<String, Managed> managed = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Served> served = new ConcurrentHashMap<>();
  private final FormerGangs<Managed> formerlyManaged = new FormerGangs<>();
  private final FormerGangs<Served> formerlyServed = new FormerGangs<>();
  private final String own = fresh();
  private final LongAdder refused = new LongAdder();
  private final LongAdder late = new LongAdder();

  /**
   * A gang that this worker manages.
   *
   * @param members the sub-workers, by name
   * @param callers the members' secrets in derived form, so that the duration of a lookup reveals
   *     nothing
   */
  private record Managed(String secret, Map<String, Member> members, Set<String> callers) {
    String hidden(String memberSecret, String fingerprint) {
      return Derived.of(secret, memberSecret + ' ' + fingerprint);
    }
  }

  /** A sub-worker that has registered. */
  private record Member(String secret, String fingerprint) {}

  /** A gang in which this worker is a sub-worker, or of which it was offered a rank. */
  private static final class Served {
    private final String secret;
    private final String manager;
    private volatile Address @Nullable [] peers;

    Served(String secret, String manager) {
      this.secret = secret;
      this.manager = manager;
    }
  }

  /** A new secret: 256 random bits, in 43 characters. */
  public static String fresh() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  // ---- what is handed out

  /** The ticket in an offer of a rank, which permits its holder to register for that rank. */
  public static String ticket(String gangsSecret, int rank) {
    return Derived.of(gangsSecret, TICKET, rank);
  }

  /**
   * The pass with which the sub-worker whose lowest rank is the given one delivers messages of its
   * ranks.
   *
   * @param receivers the secret with which the receiving sub-worker registered
   */
  public static String pass(String receivers, int lowestRank) {
    return Derived.of(receivers, PASS, lowestRank);
  }

  /** This worker's own secret in a gang that it serves; always the same. */
  public String own(String gang) {
    Check.token("gang", gang);
    return Derived.of(own, gang);
  }

  // ---- what is answered

  /** From now on, holders of a ticket of that gang may register. */
  public void manage(String gang, String secret) {
    Check.token("gang", gang);
    Check.token("secret", secret);
    managed.putIfAbsent(
        gang, new Managed(secret, new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet()));
  }

  /**
   * From now on, a caller with that secret and that certificate may report as that worker.
   *
   * @param fingerprint the fingerprint of its certificate; empty if calls are not encrypted
   * @return false if there is no such gang, or another worker has registered under that name
   */
  public boolean join(String gang, String worker, String secret, String fingerprint) {
    Managed known = managed.get(gang);
    if (known == null) {
      return false;
    }
    Member now = new Member(secret, fingerprint);
    Member before = known.members.putIfAbsent(worker, now);
    if (before == null) {
      known.callers.add(known.hidden(secret, fingerprint));
    }
    return before == null || is(before, secret, fingerprint);
  }

  /** From now on, no caller may register or report. */
  public void dismiss(String gang) {
    formerlyManaged.add(gang, managed.remove(gang));
  }

  /**
   * From now on, the manager may send orders, with this worker's own secret.
   *
   * @param manager the fingerprint of its certificate; empty if calls are not encrypted
   */
  public void serve(String gang, String manager) {
    serve(gang, own(gang), manager);
  }

  void serve(String gang, String secret, String manager) {
    served.putIfAbsent(gang, new Served(secret, manager));
  }

  /**
   * From now on, workers may deliver messages of their ranks.
   *
   * @param byRank the address of each rank's worker
   */
  public void peers(String gang, Address[] byRank) {
    Served known = served.get(gang);
    if (known != null) {
      known.peers = byRank;
    }
  }

  /** From now on, no caller may send orders or deliver messages. */
  public void leave(String gang) {
    formerlyServed.add(gang, served.remove(gang));
  }

  /** The number of calls that were refused for lack of a right, without late ones. */
  public long refused() {
    return refused.sum();
  }

  /** The number of calls for gangs that were over by then, which nothing was wrong with. */
  public long late() {
    return late.sum();
  }

  // ---- what is asked

  /** Whether the caller may make any call. */
  boolean known(String gang, Caller caller) {
    boolean known = knows(managed.get(gang), served.get(gang), caller);
    if (!known) {
      (isLate(gang, caller) ? late : refused).increment();
    }
    return known;
  }

  /** Whether the caller might make calls until the gang was over, a short while ago. */
  boolean isLate(String gang, Caller caller) {
    return knows(formerlyManaged.get(gang), formerlyServed.get(gang), caller);
  }

  private static boolean knows(
      @Nullable Managed asManager, @Nullable Served asMember, Caller caller) {
    return (asManager != null
            && (Derived.number(asManager.secret, TICKET, caller.secret()) >= 0
                || asManager.callers.contains(
                    asManager.hidden(caller.secret(), caller.fingerprint()))))
        || (asMember != null
            && (orders(asMember, caller)
                || Derived.number(asMember.secret, PASS, caller.secret()) >= 0));
  }

  /**
   * Whether the caller may register with these tickets; if so, it may also report as that worker
   * from now on.
   */
  boolean registers(String gang, Caller caller, Registration registration) {
    Managed known = managed.get(gang);
    if (known == null) {
      return counted(false);
    }
    boolean invited = true;
    for (int i = 0; invited && i < registration.ranks().length; i++) {
      String ticket = registration.tickets()[i];
      invited = Derived.number(known.secret, TICKET, ticket) == registration.ranks()[i];
    }
    return counted(
        invited
            && registration.address().fingerprint().equals(caller.fingerprint())
            && join(gang, registration.worker(), registration.secret(), caller.fingerprint()));
  }

  /** Whether the caller may report as that worker. */
  boolean reports(String gang, Caller caller, String worker) {
    Managed known = managed.get(gang);
    Member member = known == null ? null : known.members.get(worker);
    return counted(member != null && is(member, caller.secret(), caller.fingerprint()));
  }

  /** Whether the caller may send orders. */
  boolean mayOrder(String gang, Caller caller) {
    Served known = served.get(gang);
    return counted(known != null && orders(known, caller));
  }

  private static boolean orders(Served known, Caller caller) {
    return Derived.equal(known.secret, caller.secret())
        && known.manager.equals(caller.fingerprint());
  }

  /** Whether a job has begun, so that the worker of each rank is known. */
  boolean begun(String gang) {
    Served known = served.get(gang);
    return known != null && known.peers != null;
  }

  /** Whether the caller may deliver a message of that rank. */
  boolean delivers(String gang, Caller caller, int rank) {
    Served known = served.get(gang);
    Address @Nullable [] peers = known == null ? null : known.peers;
    int lowest = known == null ? -1 : Derived.number(known.secret, PASS, caller.secret());
    return counted(
        peers != null
            && lowest >= 0
            && lowest < peers.length
            && rank < peers.length
            && peers[lowest].equals(peers[rank])
            && peers[lowest].fingerprint().equals(caller.fingerprint()));
  }

  private static boolean is(Member member, String secret, String fingerprint) {
    return Derived.equal(member.secret, secret) && member.fingerprint.equals(fingerprint);
  }

  private boolean counted(boolean admitted) {
    if (!admitted) {
      refused.increment();
    }
    return admitted;
  }

  @Override
  public String toString() {
    return "secrets of %d gangs that are managed and %d that are served"
        .formatted(managed.size(), served.size());
  }
}
