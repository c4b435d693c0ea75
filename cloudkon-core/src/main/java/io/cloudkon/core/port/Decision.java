package io.cloudkon.core.port;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Outputs;
import java.util.List;
import java.util.Map;

/**
 * A decision of a provisioner to launch workers. It is written before the call, so that the next
 * provisioner can make exactly the same call with its token. Its texts are cut at {@link
 * Limits#DECISION_TEXT_CHARS}. Immutable.
 *
 * @param number the number of the decision in its cluster, from 1
 * @param holder the provisioner that decided
 * @param atMillis when it was made; service clock, epoch milliseconds
 * @param count the number of requested workers
 * @param token the token that ensures that the launch happens only once; each launched worker has
 *     it in {@link WorkerOrigin#launch}
 * @param reason the reason, as a clause
 * @param observation the observed state of the cluster, as text for display
 * @param request the request without count and token, in the launcher's format. EC2 refuses the
 *     same token with another request
 * @param state its progress
 * @param instances the granted instances, by the names that {@link WorkerOrigin#instance} has
 * @param error why fewer workers were granted than requested; empty if all were granted
 * @param updatedMillis when it was last written; service clock, epoch milliseconds
 */
public record Decision(
    long number,
    String holder,
    long atMillis,
    int count,
    String token,
    String reason,
    String observation,
    Map<String, String> request,
    State state,
    List<String> instances,
    String error,
    long updatedMillis) {

  public Decision {
    reason = Outputs.head(reason, Limits.DECISION_TEXT_CHARS);
    observation = Outputs.head(observation, Limits.DECISION_TEXT_CHARS);
    error = Outputs.head(error, Limits.DECISION_TEXT_CHARS);
    request = Map.copyOf(request);
    instances = List.copyOf(instances);
  }

  /** The progress of a decision. */
  public enum State {
    /** Written; it is unknown whether the launcher was called. */
    INTENDED,
    /** The launcher has answered, and the granted instances boot. */
    LAUNCHED,
    /** Nothing of it boots any more: every instance registered, failed, or was refused. */
    CLOSED
  }

  /** Whether workers of it may still register. */
  public boolean open() {
    return state != State.CLOSED;
  }

  /** This decision with the progress of another version of it. */
  public Decision asFarAs(Decision other) {
    return new Decision(
        number,
        holder,
        atMillis,
        count,
        token,
        reason,
        observation,
        request,
        other.state,
        other.instances,
        other.error,
        other.updatedMillis);
  }

  /** Whether this decision may replace the stored one; see {@link DecisionStore#update}. */
  public boolean mayReplace(Decision current) {
    return current.token.equals(token) && current.updatedMillis < updatedMillis;
  }

  /** Whether the store already contains this update, because its answer was lost. */
  public boolean isShownBy(Decision current) {
    return current.token.equals(token) && current.equals(current.asFarAs(this));
  }

  /** The same decision after the launcher has answered. */
  public Decision launched(List<String> granted, String why, long now) {
    return with(granted.isEmpty() ? State.CLOSED : State.LAUNCHED, granted, why, now);
  }

  /** The same decision, closed because nothing of it boots any more. */
  public Decision closed(String why, long now) {
    return with(State.CLOSED, instances, why.isEmpty() ? error : why, now);
  }

  private Decision with(State next, List<String> granted, String why, long now) {
    return new Decision(
        number,
        holder,
        atMillis,
        count,
        token,
        reason,
        observation,
        request,
        next,
        granted,
        why,
        Math.max(now, updatedMillis + 1));
  }
}
