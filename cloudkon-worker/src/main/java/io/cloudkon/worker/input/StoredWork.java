package io.cloudkon.worker.input;

import io.cloudkon.core.codec.BundleCodec;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.worker.pipeline.BundleInHand;
import java.util.Optional;

/** Fetches work that was too large for a message from the blob store. Thread safe. */
final class StoredWork {
  private static final String WHAT = "its input";

  private final BlobStore blobs;
  private final Fetching fetching;
  private final SlotWait patience;

  StoredWork(BlobStore blobs, Fetching fetching, SlotWait patience) {
    this.blobs = blobs;
    this.fetching = fetching;
    this.patience = patience;
  }

  /** Fetches the work and waits for it. */
  Work fetch(BundleInHand inHand, Work.Stored stored) throws InputException, GivenUpException {
    String key = BlobKeys.in(inHand.header().run(), stored.content().sha256());
    return patience.await(
        fetching.start(() -> {
          Optional<byte[]> bytes =
              fetching.repeat(
                  WHAT, () -> blobs.get(key), () -> blobs.get(key), () -> patience.wants(inHand));
          return decode(stored, bytes.orElseThrow(() -> absent(WHAT, key)));
        }),
        inHand);
  }

  /**
   * The failure for a missing object. It must have existed, because the client uploads it before it
   * sends the task.
   */
  static InputException absent(String what, String key) {
    return InputException.lasting(
        "%s is no longer in the blob store, under %s: its run was cleaned up".formatted(what, key));
  }

  static InputException damaged(String what, Content content) {
    return InputException.lasting(
        "%s is damaged in the blob store: expected %d bytes of SHA-256 %s"
            .formatted(what, content.bytes(), content.sha256()));
  }

  private static Work decode(Work.Stored stored, byte[] bytes) throws InputException {
    if (!Digests.matches(stored.content(), bytes)) {
      throw damaged(WHAT, stored.content());
    }
    try {
      Work work = BundleCodec.decodeWork(bytes);
      if (work.kind() != stored.kind()) {
        throw InputException.lasting(
            "its input in the blob store is not of kind %s".formatted(stored.kind()));
      }
      return work;
    } catch (MalformedMessageException e) {
      throw new InputException("its input in the blob store cannot be read: " + e.getMessage(), e);
    }
  }
}
