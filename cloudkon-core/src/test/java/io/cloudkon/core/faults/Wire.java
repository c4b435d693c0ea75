package io.cloudkon.core.faults;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.model.Bundle;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.OutgoingMessage;
import java.util.Map;

/** Messages as they go over the wire. */
final class Wire {
  private Wire() {}

  static OutgoingMessage message(Bundle bundle) {
    return new OutgoingMessage(
        Map.of(OutgoingMessage.BUNDLE, bundle.header().bundle()), BundleCodec.encode(bundle));
  }

  static OutgoingMessage message(ResultBatch batch) {
    return new OutgoingMessage(
        Map.of(OutgoingMessage.BUNDLE, batch.bundle()), ResultCodec.encode(batch));
  }

  static Bundle bundle(byte[] payload) {
    try {
      return BundleCodec.decode(payload);
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
  }

  static ResultBatch results(byte[] payload) {
    try {
      return ResultCodec.decode(payload);
    } catch (MalformedMessageException e) {
      throw new AssertionError(e);
    }
  }
}
