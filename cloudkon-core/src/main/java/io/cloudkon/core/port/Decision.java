package io.cloudkon.core.port;

import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Outputs;
import java.util.List;
import java.util.Map;

/**
 * One decision of a provisioner to launch workers: written before the call, so that whoever
 * provisions next makes that very call again under its token. Its texts are cut at {@link
 * Limits#DECISION_TEXT_CHARS}. Immutable.
 *
 * @param number counts a cluster's decisions from 1
 * @param holder the provisioner that decided
 * @param atMillis when; service clock, epoch milliseconds
 * @param count how many workers were asked for
 * @param token makes the launch happen once, and names it: each worker that it brought says it in
 *     {@link WorkerOrigin#launch}
 * @param reason why: a clause
 * @param observation what was seen, as text for people
 * @param request the whole request but for count and token, as its launcher reads it: the same
 *     token with another request is refused by EC2
 * @param state how far it is
 * @param instances what the launcher granted; names that {@link WorkerOrigin#instance} repeats
 * @param error why it brought less than was asked for; empty if it did not
 * @param updatedMillis when it was written last; service clock, epoch milliseconds
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

  /** How far a decision is. */
  public enum State {
    /** Written; whether the launcher was called, nobody knows. */
    INTENDED,
    /** The launcher has answered: what it granted boots. */
    LAUNCHED,
    /** Nothing of it boots any more: all came up, or failed, or was refused. */
    CLOSED
  }

  /** Whether something of it may still come up. */
  public boolean open() {
    return state != State.CLOSED;
  }

  /** This decision, as far as another version of it is. */
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

  /** Whether what stands in the store may be replaced by this; see {@link DecisionStore#update}. */
  public boolean mayReplace(Decision current) {
    return current.token.equals(token) && current.updatedMillis < updatedMillis;
  }

  /** Whether the store shows this very update: its answer was lost. */
  public boolean isShownBy(Decision current) {
    return current.token.equals(token) && current.equals(current.asFarAs(this));
  }

  /** The launcher has answered. */
  public Decision launched(List<String> granted, String why, long now) {
    return with(granted.isEmpty() ? State.CLOSED : State.LAUNCHED, granted, why, now);
  }

  /** Nothing of it boots any more. */
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
