package io.cloudkon.core.model;

/** Input limits, all explicit and in one place. Sizes are in bytes. */
public final class Limits {
  /**
   * Tasks in one bundle. This keeps each of a claim's bitmaps at 512 bytes, so that the claim of an
   * exactly-once bundle costs one DynamoDB write unit.
   */
  public static final int TASKS_PER_BUNDLE = 4096;

  /**
   * The size of a full bundle: SQS bills a request per 64 KiB, and this leaves room for the
   * attributes.
   */
  public static final int FULL_BUNDLE_BYTES = 60 * 1024;

  /** The largest message that SQS accepts, including attributes; also the largest batch. */
  public static final int MESSAGE_BYTES = 1024 * 1024;

  /** One encoded task. A larger one needs the blob store. */
  public static final int TASK_BYTES = MESSAGE_BYTES - 8 * 1024;

  /**
   * One line of a workload file. It may contain a large standard input, which goes through the blob
   * store.
   */
  public static final int LINE_BYTES = 256 * 1024 * 1024;

  /** One object of the blob store, which is the maximum for one call of S3. */
  public static final long BLOB_BYTES = 5L * 1024 * 1024 * 1024;

  /** A task's own id. */
  public static final int ID_BYTES = 256;

  /** A run's or a cluster's name; see {@link Names}. */
  public static final int NAME_CHARS = 40;

  /** An epoch's or nonce's length in characters. */
  public static final int TOKEN_CHARS = 40;

  /** A bundle's id, with every child's suffix. */
  public static final int BUNDLE_ID_CHARS = 256;

  /**
   * How deep children may nest; deeper splits are not made. Halves of the largest bundle nest 12
   * deep; the rest is for children that deaths of workers cause, and ids have room for it.
   */
  public static final int SPLIT_DEPTH = 32;

  /** Children of one bundle. */
  public static final int CHILDREN = 64;

  /** Default of {@code --capture}: the part of each output stream that is kept. */
  public static final int DEFAULT_CAPTURE_BYTES = 64 * 1024;

  /** The largest {@code --capture}: a result is held in memory as a whole. */
  public static final int CAPTURE_BYTES = 256 * 1024 * 1024;

  /** The most retries of a task. */
  public static final int RETRIES = 1000;

  /** Shipped files and folders of one run. Each is unpacked for every task. */
  public static final int SHIPS = 64;

  /** Files that a single task needs; to send more, ship a folder. */
  public static final int TASK_FILES = 256;

  /** The total length of the paths of all files that a single task needs. */
  public static final int TASK_FILES_BYTES = 64 * 1024;

  /** Patterns of files that a task brings back. */
  public static final int COLLECT_PATTERNS = 64;

  /** One such pattern, in characters. */
  public static final int COLLECT_PATTERN_CHARS = 1024;

  /** Files that a result names as left out; their total number is stored as well. */
  public static final int LEFT_OUT = 20;

  /** Files that a result names as left by a task that was to bring back none. */
  public static final int DISCARDED = 3;

  /** The name, and the reason, of a file that a result names as left out, in characters. */
  public static final int LEFT_OUT_CHARS = 512;

  /**
   * One text of a decision or of a provisioner's entry, in characters; longer ones are cut. An item
   * of DynamoDB has 400 KiB, and is billed by its size.
   */
  public static final int DECISION_TEXT_CHARS = 8 * 1024;

  /** A blob's key. */
  public static final int KEY_CHARS = 512;

  /** Ranks of one HPC job: the outputs of all ranks must fit into its result. */
  public static final int RANKS = 4096;

  /** Tasks of one run. */
  public static final int TASKS_PER_RUN = Integer.MAX_VALUE - 8;

  /** Messages in one batch call. */
  public static final int BATCH = 10;

  /** Bundles that a worker holds ahead of need. */
  public static final int BUNDLES_AHEAD = 4;

  /** A bundle that this many sick workers gave back is not tried again. */
  public static final int SICK_WORKERS = 5;

  private Limits() {}
}
