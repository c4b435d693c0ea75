package io.cloudkon.core.codec;

import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.Map;

/** Creates messages of the request queue for bundles. */
public final class BundleMessages {
  private BundleMessages() {}

  /**
   * The message of a bundle. Its attributes name the bundle, so that it can be answered even if its
   * payload cannot be read. It belongs to its client's group, whether the client sends it or a
   * worker that hands on a part of it.
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
