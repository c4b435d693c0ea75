package io.cloudkon.core.codec;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.Map;

/** Bundles as messages of the request queue. */
public final class BundleMessages {
  private BundleMessages() {}

  /**
   * The bundle's message: named in its attributes, so that it can be answered even where its
   * payload cannot be read, and of its client's group, whoever sends it: its client, or a worker
   * that hands a part of it on.
   */
  public static OutgoingMessage of(Bundle bundle) {
    BundleHeader header = bundle.header();
    return new OutgoingMessage(
        Map.of(
            OutgoingMessage.RUN, header.run(),
            OutgoingMessage.BUNDLE, header.bundle(),
            OutgoingMessage.RESPONSE_QUEUE, header.responseQueue()),
        BundleCodec.encode(bundle),
        Names.client(header.responseQueue()));
  }
}
