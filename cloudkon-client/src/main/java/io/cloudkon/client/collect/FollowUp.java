package io.cloudkon.client.collect;

import io.cloudkon.client.run.SentBundle;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.protocol.claim.Claim;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Looks up the state of silent bundles and sends their tasks again, for the collector. */
public interface FollowUp {

  /** The current claims by id; at most 100. */
  Map<String, Claim> claims(Collection<String> ids);

  /** A bundle's tasks, in order. */
  List<Task> tasks(SentBundle bundle);

  /**
   * Sends tasks again under their bundle's or child's id.
   *
   * @return whether the request queue has accepted them
   */
  boolean resend(String bundle, SentBundle sent, List<Task> tasks);
}
