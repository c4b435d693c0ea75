package io.cloudkon.simulator.world;

import io.cloudkon.core.protocol.claim.Claim;
import io.cloudkon.core.protocol.gang.GangEffect;
import io.cloudkon.core.protocol.gang.GangEvent;
import io.cloudkon.core.protocol.gang.SubWorkerEffect;
import io.cloudkon.core.protocol.gang.SubWorkerEvent;
import io.cloudkon.core.protocol.idle.IdleEvent;
import io.cloudkon.core.protocol.provisioning.FleetObservation;
import io.cloudkon.core.protocol.worker.WorkerEffect;
import io.cloudkon.core.protocol.worker.WorkerEvent;
import io.cloudkon.simulator.cloud.ClaimLaw;
import io.cloudkon.simulator.cloud.LedgerLaw;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hook with which a test plants a bug in a state machine, to show that the checks detect it. By
 * default each method passes on what the production classes decide.
 */
public interface BugHook {
  /** No bug. */
  BugHook NONE = new BugHook() {};

  /** The conditions of writes to claims. */
  default ClaimLaw law() {
    return ClaimLaw.RULES;
  }

  /** The conditions of changes to the ledger. */
  default LedgerLaw ledger() {
    return LedgerLaw.RULES;
  }

  /** Whether ranks that need a slot share the queue of the jobs, behind those already there. */
  default boolean ranksAmongJobs() {
    return false;
  }

  /** Whether a manager calls workers back before they register. */
  default boolean callsBack() {
    return true;
  }

  /** The event as the machine of a manager of HPC jobs receives it. */
  default GangEvent told(GangEvent event) {
    return event;
  }

  /** The effects of a manager of HPC jobs after an event. */
  default List<GangEffect> wanted(GangEvent event, List<GangEffect> effects) {
    return effects;
  }

  /** The event as a sub-worker's machine receives it; null if it receives none. */
  default @Nullable SubWorkerEvent told(SubWorkerEvent event) {
    return event;
  }

  /** The effects of a sub-worker after an event. */
  default List<SubWorkerEffect> wanted(SubWorkerEvent event, List<SubWorkerEffect> effects) {
    return effects;
  }

  /** The event as a worker's machine receives it. */
  default WorkerEvent told(WorkerEvent event) {
    return event;
  }

  /** The effects of a worker after an event. */
  default List<WorkerEffect> wanted(WorkerEvent event, List<WorkerEffect> effects) {
    return effects;
  }

  /** Additional events of the worker that follow from an effect, before it is carried out. */
  default List<WorkerEvent> follows(WorkerEffect effect) {
    return List.of();
  }

  /** The observation as a provisioner receives it. */
  default FleetObservation seen(FleetObservation observation) {
    return observation;
  }

  /** Whether a provisioner launches before it has recorded its intent. */
  default boolean launchesBeforeIntent() {
    return false;
  }

  /** The event as received by the machine of a worker that may end itself. */
  default IdleEvent told(IdleEvent event) {
    return event;
  }

  /** Whether a worker checks now and then whether the runs of its bundles are still open. */
  default boolean looksAtRuns() {
    return true;
  }

  /** Whether a worker that leaves ends its running tasks at once. */
  default boolean drainKillsAtOnce() {
    return false;
  }

  /** The nonce of a receive. */
  default String nonce(String fresh, String bundle) {
    return fresh;
  }

  /** The claims as the client's completeness check receives them. */
  default Map<String, Claim> shown(Map<String, Claim> claims) {
    return claims;
  }

  /** Whether the client deletes results from its queue before it has written them. */
  default boolean deletesBeforeWriting() {
    return false;
  }

  /** Whether the client of a cancelled run looks for results in the bucket before it settles it. */
  default boolean looksIntoBucket() {
    return true;
  }

  /** Whether the client of a cancelled run takes a failed receive for that of an empty queue. */
  default boolean takesFailureForEmpty() {
    return false;
  }

  /** Whether the client treats LOST as a final result. */
  default boolean lostIsFinal() {
    return false;
  }

  /** Whether the client sends a bundle again under another id if it could not send it. */
  default boolean retriesUnderNewId() {
    return false;
  }
}
