package io.cloudkon.core.aws.ec2;

import io.cloudkon.core.error.UsageException;

/**
 * A source of instances: one type in one subnet, and so in one zone. Immutable.
 *
 * @param type such as {@code c7i.large}
 * @param subnet the id of the subnet; empty for that of the launch template, or the account's
 *     default
 */
public record Pool(String type, String subnet) {
  /** The form that {@link #parse} reads. */
  @Override
  public String toString() {
    return subnet.isEmpty() ? type : type + '/' + subnet;
  }

  /** Parses {@code type} or {@code type/subnet}. */
  public static Pool parse(String text) {
    int slash = text.indexOf('/');
    Pool pool =
        slash < 0
            ? new Pool(text, "")
            : new Pool(text.substring(0, slash), text.substring(slash + 1));
    if (pool.type().isEmpty()) {
      throw new UsageException("'%s' is not a pool: expected type or type/subnet".formatted(text));
    }
    return pool;
  }
}
