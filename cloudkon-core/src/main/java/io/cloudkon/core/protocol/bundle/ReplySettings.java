package io.cloudkon.core.protocol.bundle;

/**
 * The rules for sending results while a bundle still runs. Its last results never wait.
 *
 * @param holdMillis how long a result may wait for others, in milliseconds; default 400 ms, so that
 *     the results of a bundle that takes its target of 250 ms or slightly longer fit in one message
 * @param holdBytes how many bytes of results may wait; default 60 KiB, one billed request
 */
public record ReplySettings(long holdMillis, long holdBytes) {
  /** 400 ms, 60 KiB. */
  public static final ReplySettings DEFAULT = new ReplySettings(400, 60 * 1024);
}
