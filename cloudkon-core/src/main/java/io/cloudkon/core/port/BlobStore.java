package io.cloudkon.core.port;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store for content that is too large for a message, under keys of {@link
 * io.cloudkon.core.model.BlobKeys}. The content of a key never changes, because keys contain a hash
 * or a nonce. Workers only put and get; the run's client removes the run's objects as the last
 * step.
 */
public interface BlobStore {

  /**
   * Stores bytes under a key. Storing the same key again, for example after a lost answer, is not a
   * failure. When this method returns, every later {@link #get} finds the bytes.
   *
   * @throws MissingResourceException if the bucket does not exist
   */
  void put(String key, byte[] content);

  /**
   * Stores a file's content, at most {@link io.cloudkon.core.model.Limits#BLOB_BYTES}, as {@link
   * #put(String, byte[])} does. Needs memory only for a part of it.
   *
   * @throws io.cloudkon.core.error.CloudKonException if the file cannot be read
   */
  void put(String key, Path file);

  /** The content under the key; empty if there is none. */
  Optional<byte[]> get(String key);

  /**
   * Writes the content under the key into a file, which is created or replaced. Needs memory only
   * for a part of it.
   *
   * @return false if there is no content; no file is created then
   * @throws io.cloudkon.core.error.CloudKonException if the file cannot be written
   */
  boolean get(String key, Path file);

  /**
   * Resets the age of all objects with this key prefix that were last put or renewed before the
   * given time, because a bucket's lifecycle rule removes objects by age. An object that is removed
   * meanwhile is not a failure.
   *
   * @param before the time by the service clock, in epoch milliseconds
   * @return the number of renewed objects
   */
  int renew(String prefix, long before);

  /**
   * Says that the run's client has written what was under these keys and needs it no more. A store
   * in the client's own process removes it; by default nothing happens, and it is removed with the
   * run's other objects.
   */
  default void spent(Collection<String> keys) {}

  /** All keys with this prefix, in order. */
  List<String> list(String prefix);

  /**
   * Removes all objects with this key prefix. If they, or the bucket, do not exist, this is not a
   * failure.
   */
  void removeAll(String prefix);

  /**
   * Whether a blob store's call failed because it is not allowed, or because the bucket does not
   * exist: until somebody changes that, it will fail again for this program, but perhaps not for
   * others.
   */
  static boolean refuses(@Nullable Throwable failure) {
    return failure instanceof RefusedException
        || (failure instanceof MissingResourceException missing && missing.isBucket());
  }
}
