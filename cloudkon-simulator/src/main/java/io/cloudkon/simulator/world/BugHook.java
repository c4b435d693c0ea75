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
 * A hook by which a test makes a machine wrong, so that the checks can show that they see it.
 * Everything here passes on what the production classes say, unless it is overridden.
 */
public interface BugHook {
  /** Nothing is wrong. */
  BugHook NONE = new BugHook() {};

  /** The conditions of writes. */
  default ClaimLaw law() {
    return ClaimLaw.RULES;
  }

  /** The conditions of changes of the ledger. */
  default LedgerLaw ledger() {
    return LedgerLaw.RULES;
  }

  /** Whether ranks that look for a slot stand in one line with the jobs, behind those there. */
  default boolean ranksAmongJobs() {
    return false;
  }

  /** What a manager of HPC jobs wants done after that. */
  default List<GangEffect> wanted(GangEvent event, List<GangEffect> effects) {
    return effects;
  }

  /** What a sub-worker's machine is told; null for nothing at all. */
  default @Nullable SubWorkerEvent told(SubWorkerEvent event) {
    return event;
  }

  /** What a sub-worker wants done after that. */
  default List<SubWorkerEffect> wanted(SubWorkerEvent event, List<SubWorkerEffect> effects) {
    return effects;
  }

  /** What a worker's machine is told. */
  default WorkerEvent told(WorkerEvent event) {
    return event;
  }

  /** What a worker's machine wants done after that. */
  default List<WorkerEffect> wanted(WorkerEvent event, List<WorkerEffect> effects) {
    return effects;
  }

  /** Events of the worker's own making that follow from an effect, before it is carried out. */
  default List<WorkerEvent> follows(WorkerEffect effect) {
    return List.of();
  }

  /** What a provisioner is shown. */
  default FleetObservation seen(FleetObservation observation) {
    return observation;
  }

  /** Whether a provisioner launches before it has written that it will. */
  default boolean launchesBeforeIntent() {
    return false;
  }

  /** What the machine of a worker is told that may end itself. */
  default IdleEvent told(IdleEvent event) {
    return event;
  }

  /** The nonce of a receive. */
  default String nonce(String fresh, String bundle) {
    return fresh;
  }

  /** The claims that the client's completeness is shown. */
  default Map<String, Claim> shown(Map<String, Claim> claims) {
    return claims;
  }

  /** Whether the client deletes results from its queue before it has written them. */
  default boolean deletesBeforeWriting() {
    return false;
  }

  /** Whether the client takes a LOST for a final result. */
  default boolean lostIsFinal() {
    return false;
  }

  /** Whether the client sends a bundle again under another id that it could not send. */
  default boolean retriesUnderNewId() {
    return false;
  }
}
