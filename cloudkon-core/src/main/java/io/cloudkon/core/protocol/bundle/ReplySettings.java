package io.cloudkon.core.protocol.bundle;

/**
 * The rules for sending results while a bundle still runs. Its last results never wait.
 *
 * @param holdMillis how long a result may wait for others, in milliseconds; default the bundle
 *     target, 250 ms
 * @param holdBytes how many bytes of results may wait; default 60 KiB, one billed request
 */
public record ReplySettings(long holdMillis, long holdBytes) {
  /** 250 ms, 60 KiB. */
  public static final ReplySettings DEFAULT = new ReplySettings(250, 60 * 1024);
}
