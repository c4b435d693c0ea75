package io.cloudkon.core.model;

/** Input limits, all explicit and in one place. Sizes are in bytes. */
public final class Limits {
  /**
   * Tasks in one bundle: keeps each of a claim's bitmaps at 512 bytes, so that the claim of an
   * exactly-once bundle costs one DynamoDB write unit.
   */
  public static final int TASKS_PER_BUNDLE = 4096;

  /** A natural full bundle: SQS bills a request per 64 KiB, this leaves room for the attributes. */
  public static final int FULL_BUNDLE_BYTES = 60 * 1024;

  /** The largest message that SQS takes, body and attributes together; also the largest batch. */
  public static final int MESSAGE_BYTES = 1024 * 1024;

  /** One encoded task. A larger one needs the blob store. */
  public static final int TASK_BYTES = MESSAGE_BYTES - 8 * 1024;

  /**
   * One line of a workload file: large standard inputs may stand there, and go through the blob
   * store.
   */
  public static final int LINE_BYTES = 256 * 1024 * 1024;

  /** One object of the blob store: what S3 takes in one call. */
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
   * How deep children may nest: a split deeper than this is not made. Halves of the largest bundle
   * nest 12 deep; the rest is for children that deaths of workers make, and ids have room for it.
   */
  public static final int SPLIT_DEPTH = 32;

  /** Children of one bundle. */
  public static final int CHILDREN = 64;

  /** Default of {@code --capture}: how much of each output stream is kept. */
  public static final int DEFAULT_CAPTURE_BYTES = 64 * 1024;

  /** The largest {@code --capture}: a result is held in memory as a whole. */
  public static final int CAPTURE_BYTES = 256 * 1024 * 1024;

  /** The most retries of a task. */
  public static final int RETRIES = 1000;

  /** What one run ships: each is unpacked for every task. */
  public static final int SHIPS = 64;

  /** Files that one task needs for itself; a folder of more is shipped. */
  public static final int TASK_FILES = 256;

  /** The paths of all files that one task needs for itself, together, in bytes. */
  public static final int TASK_FILES_BYTES = 64 * 1024;

  /** Patterns of files that a task brings back. */
  public static final int COLLECT_PATTERNS = 64;

  /** One such pattern, in characters. */
  public static final int COLLECT_PATTERN_CHARS = 1024;

  /** Files that a result names as left out; how many there are in all stands beside them. */
  public static final int LEFT_OUT = 20;

  /** What a result says of a file that was left out, name and reason each, in characters. */
  public static final int LEFT_OUT_CHARS = 512;

  /**
   * One text of a decision or of a provisioner's entry, in characters; longer ones are cut. An item
   * of DynamoDB has 400 KiB, and is billed by its size.
   */
  public static final int DECISION_TEXT_CHARS = 8 * 1024;

  /** A blob's key. */
  public static final int KEY_CHARS = 512;

  /** Ranks of one HPC job: what every rank answers has to fit into its result. */
  public static final int RANKS = 4096;

  /** Tasks of one run. */
  public static final int TASKS_PER_RUN = Integer.MAX_VALUE - 8;

  /** Messages in one batch call. */
  public static final int BATCH = 10;

  /** Bundles that a worker holds ahead of need. */
  public static final int BUNDLES_AHEAD = 4;

  /** A bundle that so many workers gave back because they were sick is not tried again. */
  public static final int SICK_WORKERS = 5;

  private Limits() {}
}
