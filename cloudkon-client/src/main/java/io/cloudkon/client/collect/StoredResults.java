package io.cloudkon.client.collect;

import io.cloudkon.client.run.RunBlobs;
import io.cloudkon.core.codec.MalformedMessageException;
import io.cloudkon.core.codec.ResultCodec;
import io.cloudkon.core.error.CloudKonException;
import io.cloudkon.core.model.BlobKeys;
import io.cloudkon.core.model.ResultBatch;
import io.cloudkon.core.port.MissingResourceException;
import io.cloudkon.core.port.NoBlobStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads results from the blob store. Thread safe. */
final class StoredResults {
  private static final Logger LOG = LoggerFactory.getLogger(StoredResults.class);

  private final RunBlobs blobs;
  private final String run;

  StoredResults(RunBlobs blobs, String run) {
    this.blobs = blobs;
    this.run = run;
  }

  /**
   * The message with its results, read from the blob store if necessary; empty if they do not
   * exist.
   *
   * @throws CloudKonException if the store cannot be read; the message must be received again
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
   * All of a bundle's results in the store; none if there is no store.
   *
   * @throws CloudKonException if the store cannot be read, which is not the same
   */
  List<ResultBatch> of(String bundle) {
    List<String> keys = list(BlobKeys.out(run, bundle));
    List<ResultBatch> batches = new ArrayList<>();
    keys.stream()
        .filter(key -> !BlobKeys.isFiles(key))
        .forEach(key -> get(key, bundle).ifPresent(batches::add));
    return batches;
  }

  /**
   * The bundles that have results, or files of their tasks, in the store; none if there is no
   * store.
   *
   * @throws CloudKonException if the store cannot be read, which is not the same
   */
  Set<String> bundles() {
    List<String> keys = list(BlobKeys.out(run));
    if (!keys.isEmpty()) {
      blobs.found();
    }
    return keys.stream()
        .map(key -> BlobKeys.bundle(run, key))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<String> list(String prefix) {
    try {
      return blobs.store().list(prefix);
    } catch (MissingResourceException e) {
      if (!e.isBucket()) {
        throw e; // the queue that gives the bucket's name: nothing is known of the bucket
      }
      return List.of();
    } catch (NoBlobStoreException e) {
      return List.of();
    }
  }

  private Optional<ResultBatch> get(String key, String bundle) {
    blobs.found();
    Optional<byte[]> bytes = blobs.store().get(key);
    if (bytes.isEmpty()) {
      LOG.warn("results of bundle {} are no longer in the blob store, under {}", bundle, key);
      return Optional.empty();
    }
    try {
      ResultBatch batch = ResultCodec.decodeStored(bytes.get());
      // A bundle's prefix also matches its children, which are read separately.
      return batch.bundle().equals(bundle) ? Optional.of(batch) : Optional.empty();
    } catch (MalformedMessageException e) {
      LOG.warn("object {} in the blob store contains no results: {}", key, e.getMessage());
      return Optional.empty();
    }
  }
}
