package io.cloudkon.client.send;

import io.cloudkon.client.run.RunContext;
import io.cloudkon.client.run.RunIdentity;
import io.cloudkon.client.run.SentBundle;
import io.cloudkon.core.codec.BundleMessages;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.List;

/**
 * Puts tasks into messages with the header that all bundles of a run share. Immutable.
 *
 * @param ships the shipped contents, which every task finds in its directory
 */
record Envelopes(RunContext run, List<Content> ships) {

  /** The size that the shipped contents and the collect rule add to each message, in bytes. */
  int shipBytes() {
    return emptyBytes(ships, run.options().collect()) - emptyBytes(List.of(), CollectRule.NONE);
  }

  private int emptyBytes(List<Content> shipped, CollectRule collect) {
    Task nothing = new Task(0, "", Work.Noop.INSTANCE, 0);
    BundleHeader header = header(BundleIds.of("", "", 0), 0, false, 0, shipped).with(collect);
    return BundleMessages.of(new Bundle(header, List.of(nothing))).countedBytes();
  }

  /** The message of a bundle that this client, or an earlier one of the run, has made. */
  OutgoingMessage of(SentBundle bundle, List<Task> tasks, long estimatedMicros) {
    RunIdentity identity = run.identity();
    String id = BundleIds.of(identity.run(), identity.epoch(), bundle.sequence());
    return of(id, bundle.submitted(), bundle.job(), tasks, estimatedMicros);
  }

  /** The message for sending a bundle, or one of its children, again. */
  OutgoingMessage of(String id, SentBundle bundle, List<Task> tasks) {
    return of(id, bundle.submitted(), bundle.job(), tasks, 0);
  }

  private OutgoingMessage of(
      String id, long submitted, boolean job, List<Task> tasks, long estimatedMicros) {
    return BundleMessages.of(new Bundle(header(id, submitted, job, estimatedMicros, ships), tasks));
  }

  private BundleHeader header(
      String id, long submitted, boolean job, long estimatedMicros, List<Content> shipped) {
    return new BundleHeader(
        run.identity().run(),
        run.identity().epoch(),
        id,
        run.replies().name(),
        run.options().consistency(),
        run.options().captureBytes(),
        submitted,
        run.time().wallMicros(),
        estimatedMicros,
        shipped,
        // A job always has one claim, whatever the claim scope of the run's tasks.
        job ? ClaimScope.BUNDLE : run.options().claim(),
        run.options().collect());
  }
}
