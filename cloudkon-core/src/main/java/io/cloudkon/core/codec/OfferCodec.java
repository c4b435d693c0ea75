package io.cloudkon.core.codec;

import static io.cloudkon.core.codec.MalformedMessageException.check;

import com.google.protobuf.InvalidProtocolBufferException;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.RankOffer;
import io.cloudkon.core.port.OutgoingMessage;
import io.cloudkon.core.wire.WireOffer;
import java.util.Map;
import java.util.regex.Pattern;

/** Encodes and decodes offers of ranks. Stateless and thread safe. */
public final class OfferCodec {
  /** The maximum length of an address: host name, colon, port. */
  private static final int ADDRESS_CHARS = 300;

  private static final int SECRET_CHARS = 128;

  /** Only the form is checked; the caller finds out whether the address can be reached. */
  private static final Pattern ADDRESS = Pattern.compile("[!-~]+:[0-9]{1,5}");

  private static final Pattern FINGERPRINT = Pattern.compile("[A-Za-z0-9_-]{43}");

  private OfferCodec() {}

  /**
   * The message of the queue of ranks.
   *
   * @param group the job's client: see {@link OutgoingMessage#group}
   */
  public static OutgoingMessage encode(RankOffer offer, String group) {
    WireOffer wire =
        WireOffer.newBuilder()
            .setVersion(BundleCodec.VERSION)
            .setGang(offer.gang())
            .setJob(offer.job())
            .setAttempt(offer.attempt())
            .setRank(offer.rank())
            .setSize(offer.size())
            .setManager(offer.manager())
            .setSecret(offer.secret())
            .setDeadlineMillis(offer.deadlineMillis())
            .setFingerprint(offer.fingerprint())
            .build();
    return new OutgoingMessage(
        Map.of(OutgoingMessage.BUNDLE, offer.job()), wire.toByteArray(), group);
  }

  /**
   * Decodes an offer from untrusted bytes.
   *
   * @throws MalformedMessageException if they are not an offer within all limits
   */
  public static RankOffer decode(byte[] bytes) throws MalformedMessageException {
    WireOffer wire;
    try {
      wire = WireOffer.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedMessageException("expected an offer of a rank", e);
    }
    check(wire.getVersion() == BundleCodec.VERSION, "an offer of this schema version");
    check(
        visible(wire.getGang()) && wire.getGang().length() <= Limits.TOKEN_CHARS,
        "a gang's id of legal length and characters");
    check(
        !wire.getJob().isEmpty() && wire.getJob().length() <= Limits.BUNDLE_ID_CHARS,
        "a job's id of legal length");
    check(wire.getAttempt() >= 1, "an attempt of 1 or more");
    check(
        wire.getSize() >= 1 && wire.getSize() <= Limits.RANKS,
        "a gang of 1 to " + Limits.RANKS + " ranks");
    check(wire.getRank() >= 0 && wire.getRank() < wire.getSize(), "a rank of this gang");
    check(
        ADDRESS.matcher(wire.getManager()).matches() && wire.getManager().length() <= ADDRESS_CHARS,
        "a manager's address, HOST:PORT");
    check(
        visible(wire.getSecret()) && wire.getSecret().length() <= SECRET_CHARS,
        "a secret of legal length and characters");
    check(wire.getDeadlineMillis() >= 0, "a deadline");
    check(
        wire.getFingerprint().isEmpty() || FINGERPRINT.matcher(wire.getFingerprint()).matches(),
        "no fingerprint, or one of SHA-256 in base64");
    return new RankOffer(
        wire.getGang(),
        wire.getJob(),
        wire.getAttempt(),
        wire.getRank(),
        wire.getSize(),
        wire.getManager(),
        wire.getSecret(),
        wire.getDeadlineMillis(),
        wire.getFingerprint());
  }

  private static boolean visible(String token) {
    return !token.isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 127);
  }
}
