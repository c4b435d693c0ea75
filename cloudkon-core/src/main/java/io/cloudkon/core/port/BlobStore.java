package io.cloudkon.core.port;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A store for content that is too large for a message, under keys of {@link
 * io.cloudkon.core.model.BlobKeys}. A key's content never changes once it is there: it is named by
 * its hash, or by a nonce. Workers only put and get; the run's client removes what belongs to the
 * run, last of all.
 */
public interface BlobStore {

  /**
   * Stores bytes under a key; the same key again, as after a lost answer, is no failure. When it
   * returns, every later {@link #get} finds them.
   *
   * @throws MissingResourceException if the bucket does not exist
   */
  void put(String key, byte[] content);

  /**
   * Stores a file's content, at most {@link io.cloudkon.core.model.Limits#BLOB_BYTES}, as {@link
   * #put(String, byte[])} does. Needs memory for a part of it only.
   *
   * @throws io.cloudkon.core.error.CloudKonException if the file cannot be read
   */
  void put(String key, Path file);

  /** The content under the key; empty if there is none. */
  Optional<byte[]> get(String key);

  /**
   * Writes the content under the key into a file, which is made or replaced. Needs memory for a
   * part of it only.
   *
   * @return false if there is none; no file is made then
   * @throws io.cloudkon.core.error.CloudKonException if the file cannot be written
   */
  boolean get(String key, Path file);

  /**
   * Lets the age begin anew of everything whose key begins like this and that was put, or renewed
   * last, before a moment: a bucket's lifecycle rule removes by age. What is removed meanwhile is
   * no failure.
   *
   * @param before service clock, epoch milliseconds
   * @return how many were renewed
   */
  int renew(String prefix, long before);

  /** All keys that begin like this, in order. */
  List<String> list(String prefix);

  /**
   * Removes everything whose key begins like this; what does not exist, the bucket included, is no
   * failure.
   */
  void removeAll(String prefix);
}
