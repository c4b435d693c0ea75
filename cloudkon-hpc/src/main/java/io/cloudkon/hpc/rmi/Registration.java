package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.Serializable;
import java.util.Arrays;

/**
 * A sub-worker offers slots for ranks of a gang. Its arrays are never written to.
 *
 * @param worker its id
 * @param address its endpoint
 * @param ranks those whose messages it took, at least one, each once
 * @param tickets of these ranks, from their offers
 * @param secret its own, by which it reports and is told what to do
 */
public record Registration(
    String worker, Address address, int[] ranks, String[] tickets, String secret)
    implements Serializable {

  /** Checks all of it. */
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
