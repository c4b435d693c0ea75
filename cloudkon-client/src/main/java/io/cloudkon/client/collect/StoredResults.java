package io.cloudkon.client.collect;

import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.TransientServiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Results that lie in the blob store. Thread safe. */
final class StoredResults {
  private static final Logger LOG = LoggerFactory.getLogger(StoredResults.class);

  private final RunBlobs blobs;
  private final String run;

  StoredResults(RunBlobs blobs, String run) {
    this.blobs = blobs;
    this.run = run;
  }

  /**
   * The message with its results, wherever they are; empty if they are nowhere.
   *
   * @throws CloudKonException if the store cannot be asked: the message is to come again
   */
  Optional<ResultBatch> whole(ResultBatch message) {
    String key = message.stored();
    if (key.isEmpty()) {
      return Optional.of(message);
    }
    if (!key.startsWith(BlobKeys.out(run, message.bundle()))) {
      LOG.warn("bundle {} names results that are not its own: {}", message.bundle(), key);
      return Optional.empty();
    }
    return get(key, message.bundle());
  }

  /**
   * All that the store has of a bundle's results; none where there is no store.
   *
   * @throws CloudKonException if it cannot be asked, which is not the same
   */
  List<ResultBatch> of(String bundle) {
    List<String> keys;
    try {
      keys = blobs.store().list(BlobKeys.out(run, bundle));
    } catch (MissingResourceException e) {
      return List.of();
    } catch (TransientServiceException e) {
      throw e;
    } catch (CloudKonException e) {
      if (isNoStore(e)) {
        return List.of();
      }
      throw e;
    }
    List<ResultBatch> batches = new ArrayList<>();
    keys.stream()
        .filter(key -> !BlobKeys.isFiles(key))
        .forEach(key -> get(key, bundle).ifPresent(batches::add));
    return batches;
  }

  /** Where nobody says where the store is, nobody has put anything there. */
  private static boolean isNoStore(CloudKonException e) {
    return String.valueOf(e.getMessage()).startsWith("no S3 endpoint");
  }

  private Optional<ResultBatch> get(String key, String bundle) {
    blobs.found();
    Optional<byte[]> bytes = blobs.store().get(key);
    if (bytes.isEmpty()) {
      LOG.warn("results of bundle {} are not in the blob store any more, under {}", bundle, key);
      return Optional.empty();
    }
    try {
      ResultBatch batch = ResultCodec.decodeStored(bytes.get());
      // A bundle's prefix is that of its children too; each of them is asked for by itself.
      return batch.bundle().equals(bundle) ? Optional.of(batch) : Optional.empty();
    } catch (MalformedMessageException e) {
      LOG.warn("what lies under {} in the blob store holds no results: {}", key, e.getMessage());
      return Optional.empty();
    }
  }
}
