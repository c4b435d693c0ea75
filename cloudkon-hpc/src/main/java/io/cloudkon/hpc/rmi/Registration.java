package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.Serializable;
import java.util.Arrays;

/**
 * A sub-worker's offer of slots for ranks of a gang. Its arrays are never written to.
 *
 * @param worker its id
 * @param address the address of its endpoint
 * @param ranks the ranks whose messages it took, at least one, each once
 * @param tickets the tickets of these ranks, from their offers
 * @param secret its own secret, with which it reports and receives orders
 */
public record Registration(
    String worker, Address address, int[] ranks, String[] tickets, String secret)
    implements Serializable {

  /** Checks all components. */
  public Registration {
    Check.id("worker", worker);
    Check.given("address", address);
    Check.ranks(ranks, Limits.RANKS);
    Check.that(ranks.length > 0, "at least one rank");
    Check.all("tickets", tickets);
    Check.that(tickets.length == ranks.length, "one ticket per rank");
    for (String ticket : tickets) {
      Check.token("ticket", ticket);
    }
    Check.token("secret", secret);
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "worker %s at %s for ranks %s".formatted(worker, address, Arrays.toString(ranks));
  }
}
