package io.cloudkon.hpc.rmi;

import io.cloudkon.core.model.Limits;
import java.io.Serializable;

/**
 * A sub-worker offers slots for ranks of a gang. Its arrays are never written to.
 *
 * @param worker its id
 * @param address its endpoint
 * @param ranks those whose messages it took, at least one, each once
 */
public record Registration(String worker, Address address, int[] ranks) implements Serializable {

  /** Checks all of it. */
  public Registration {
    Check.id("worker", worker);
    Check.given("address", address);
    Check.ranks(ranks, Limits.RANKS);
    Check.that(ranks.length > 0, "at least one rank");
  }
}
