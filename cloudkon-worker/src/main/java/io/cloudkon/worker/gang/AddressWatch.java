package io.cloudkon.worker.gang;

import io.cloudkon.core.time.Moment;
import java.util.function.Predicate;

/**
 * Notices that the machine no longer has the address at which other workers call this one: a
 * network was left, or an interface was removed. Half a minute of looks that find nothing, because
 * an interface may be renewing its address. An address that no interface ever showed is not missed:
 * a machine can listen on such ones. Used by one thread.
 */
final class AddressWatch {
  private static final long LOOK_MILLIS = 5_000;
  private static final int MISSES = 6;

  private final String address;
  private final Predicate<String> here;
  private long lookAt = Long.MIN_VALUE / 2;
  private boolean seen;
  private int misses;
  private boolean lost;

  /**
   * Looks at once, because the address may be lost soon.
   *
   * @param here whether the machine has that address now
   */
  AddressWatch(String address, Predicate<String> here) {
    this.address = address;
    this.here = here;
    this.seen = here.test(address);
  }

  String address() {
    return address;
  }

  /** Whether the address has just been found to be lost; true only once. */
  boolean loses(Moment now) {
    if (lost || now.mono() < lookAt) {
      return false;
    }
    lookAt = now.mono() + LOOK_MILLIS;
    boolean found = here.test(address);
    seen |= found;
    misses = found || !seen ? 0 : misses + 1;
    lost = misses == MISSES;
    return lost;
  }
}
