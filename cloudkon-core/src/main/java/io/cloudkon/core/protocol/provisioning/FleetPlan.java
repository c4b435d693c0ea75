package io.cloudkon.core.protocol.provisioning;

import io.cloudkon.core.port.Decision;
import io.cloudkon.core.port.ProvisionerEntry;
import java.util.List;

/**
 * The steps to take after a reading, in this order. Immutable.
 *
 * @param fleet the state and the target of the fleet, for {@code status}, {@code explain} and the
 *     metrics; spending and its begin are left at 0
 * @param again intended decisions, possibly carried out already, whose calls are to be repeated
 * @param withdraw intended decisions for which there is no room or no need any more, or that an
 *     earlier provisioner made so long ago that they are decided anew: to be closed if the launcher
 *     is certain that they never were and never will be carried out
 * @param closed open decisions of which nothing boots any more, as they are to be written
 * @param terminate instances that did not register in time, or whose worker has been silent for
 *     that time: to be ended before {@code closed} is written
 * @param launch the number of workers to launch now, in one decision; 0 for none
 * @param seen the observed state, in one line for display, which the decision stores
 * @param held why the work gets fewer workers than wanted, or none; a clause per obstacle,
 *     unchanged as long as the obstacle lasts
 * @param failing whether no worker of the last launch registered, and none has registered since
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

  /** The same plan with this state of the fleet and these closed decisions. */
  public FleetPlan with(ProvisionerEntry.Fleet told, List<Decision> closedSo) {
    return new FleetPlan(told, again, withdraw, closedSo, terminate, launch, seen, held, failing);
  }
}
