package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.List;

/**
 * The steps to take after one look, in this order. Immutable.
 *
 * @param fleet how the fleet stands and what it should be, for {@code status}, {@code explain} and
 *     the metrics; spending is left at 0
 * @param again intended decisions, perhaps carried out already, whose calls are to be made again
 * @param withdraw intended decisions for which there is no room, or no need, any more: to be closed
 *     if the launcher is sure that they never were carried out and never will be
 * @param closed open decisions of which nothing boots any more, as they should be written
 * @param terminate instances that did not come up in time, or whose worker has been silent for as
 *     long: to be ended, before {@code closed} is written
 * @param launch how many workers to launch now, in one decision; 0 for none
 * @param seen what was seen, in one line for people: the decision keeps it
 * @param held why work gets fewer workers than it wants, or none; a clause for each obstacle, the
 *     same at each look as long as it holds
 * @param failing whether the last launch brought up none of its workers, and none has come up since
 */
public record FleetPlan(
    ProvisionerEntry.Fleet fleet,
    List<Decision> again,
    List<Decision> withdraw,
    List<Decision> closed,
    List<String> terminate,
    int launch,
    String seen,
    List<String> held,
    boolean failing) {

  public FleetPlan {
    again = List.copyOf(again);
    withdraw = List.copyOf(withdraw);
    closed = List.copyOf(closed);
    terminate = List.copyOf(terminate);
    held = List.copyOf(held);
  }

  /** The same, told in these words. */
  public FleetPlan with(ProvisionerEntry.Fleet told, List<Decision> closedSo) {
    return new FleetPlan(told, again, withdraw, closedSo, terminate, launch, seen, held, failing);
  }
}
