package io.cloudkon.core.protocol.bundle;

/**
 * The rules for sending results of a bundle that still runs. The last ones never wait.
 *
 * @param holdMillis how long a finished task's result may wait for its neighbours'; default 400 ms,
 *     so that a bundle which lasts for its target of 250 ms, or somewhat longer, has one message
 * @param holdBytes how many bytes of results may wait; default 60 KiB, one billed request
 */
public record ReplySettings(long holdMillis, long holdBytes) {
  /** 400 ms, 60 KiB. */
  public static final ReplySettings DEFAULT = new ReplySettings(400, 60 * 1024);
}
