package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import io.cloudkon.core.model.BundleIds;
import io.cloudkon.core.model.Limits;

/** Task and bundle ids on the wire. */
final class Ids {
  /** The longest name of an SQS queue. */
  static final int QUEUE_CHARS = 80;

  private Ids() {}

  /** Whether the id is the default that an empty field represents: the ordinal + 1, in decimal. */
  static boolean isDefault(String id, int ordinal) {
    int rest = ordinal + 1;
    int at = id.length() - 1;
    while (at >= 0 && rest > 0) {
      if (id.charAt(at) != '0' + rest % 10) {
        return false;
      }
      rest /= 10;
      at--;
    }
    return at < 0 && rest == 0;
  }

  static String fromWire(String id, int ordinal) throws MalformedMessageException {
    check(id.length() <= Limits.ID_BYTES, "an id of at most " + Limits.ID_BYTES + " bytes");
    return id.isEmpty() ? Integer.toString(ordinal + 1) : id;
  }

  /** The ordinal after a gap. */
  static int next(int expected, int skip) throws MalformedMessageException {
    check(
        skip >= 0 && skip <= Limits.TASKS_PER_RUN - expected, "an ordinal within the run's limit");
    return expected + skip;
  }

  /** Whether it is 1 to {@code most} letters, digits, dashes or underscores of ASCII. */
  static boolean isName(String name, int most) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean legal =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_';
      if (!legal) {
        return false;
      }
    }
    return !name.isEmpty() && name.length() <= most;
  }

  static void checkBundle(String run, String epoch, String bundle)
      throws MalformedMessageException {
    check(isName(run, Limits.NAME_CHARS), "a run id");
    check(isName(epoch, Limits.TOKEN_CHARS), "an epoch");
    check(bundle.length() <= Limits.BUNDLE_ID_CHARS, "a bundle id of legal length");
    check(
        bundle.startsWith(run + '/' + epoch + '/')
            && areNumbers(bundle, run.length() + epoch.length() + 2)
            && BundleIds.sequence(bundle) >= 0,
        "a bundle id of this run and epoch");
  }

  /** Whether the rest, from that index, is one or more numbers separated by slashes. */
  private static boolean areNumbers(String bundle, int start) {
    boolean digitBefore = false;
    for (int i = start; i < bundle.length(); i++) {
      char c = bundle.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      if (!digit && (c != '/' || !digitBefore)) {
        return false;
      }
      digitBefore = digit;
    }
    return digitBefore;
  }
}
