package io.cloudkon.client.report;

import java.util.Locale;

/**
 * The 14 timestamps of a task, in the order in which they are written to a result line; {@link
 * #STAGE_BEGUN} is written only if it differs from {@link #STARTED}.
 */
public enum Stamp {
  /** Taken from the workload. */
  SUBMITTED,
  /** The send of its bundle began. */
  SEND_BEGUN,
  /** The request queue accepted the bundle. */
  SENT,
  /**
   * The worker's receive that brought the bundle began; may lie before {@link #SENT}, because it is
   * a long poll.
   */
  RECEIVE_BEGUN,
  /** The worker has the bundle. */
  RECEIVED,
  /** The claim's write began. */
  CLAIM_BEGUN,
  /** The claim is held. */
  CLAIMED,
  /** Its slot began to make its files ready; equal to {@link #STARTED} for a task without files. */
  STAGE_BEGUN,
  /** The task itself started. */
  STARTED,
  /** The task itself finished. */
  FINISHED,
  /** The send of the results began. */
  REPLY_BEGUN,
  /** The response queue accepted the results. */
  REPLIED,
  /** The client's receive that brought the results began; may lie before {@link #REPLIED}. */
  COLLECT_BEGUN,
  /** The client has the result. */
  COLLECTED;

  private final String key;

  Stamp() {
    StringBuilder camel = new StringBuilder();
    for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
      camel.append(
          camel.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    key = camel.toString();
  }

  /** Its name in {@code results.jsonl}, such as {@code sendBegun}. */
  public String key() {
    return key;
  }
}
