package io.cloudkon.hpc.rmi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;

/**
 * Creates a self-signed certificate, for which the JDK has no public API: X.509 version 3 (RFC
 * 5280) in DER (ITU-T X.690), without extensions and without an expiry date, because workers check
 * the fingerprint of a certificate and not its content.
 */
final class SelfSigned {
  private static final String ALGORITHM = "SHA256withECDSA";

  /** The identifier of {@link #ALGORITHM}, 1.2.840.10045.4.3.2, with its tag and length. */
  private static final byte[] ALGORITHM_ID = HexFormat.of().parseHex("06082a8648ce3d040302");

  /** The identifier of a common name, 2.5.4.3, with its tag and length. */
  private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");

  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int INTEGER = 0x02;
  private static final int BITS = 0x03;
  private static final int UTF8 = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int VERSION = 0xa0;
  private static final int SERIAL_BYTES = 16;

  private SelfSigned() {}

  /** Creates a certificate for that elliptic-curve key pair. */
  static X509Certificate of(KeyPair keys) throws GeneralSecurityException {
    byte[] serial = new byte[SERIAL_BYTES];
    new SecureRandom().nextBytes(serial);
    serial[0] = (byte) ((serial[0] & 0x3f) | 0x40); // positive, and in its shortest form
    byte[] algorithm = tagged(SEQUENCE, ALGORITHM_ID);
    byte[] name =
        tagged(SEQUENCE, tagged(SET, tagged(SEQUENCE, COMMON_NAME, text(UTF8, "cloudkon"))));
    byte[] content =
        tagged(
            SEQUENCE,
            tagged(VERSION, tagged(INTEGER, new byte[] {2})),
            tagged(INTEGER, serial),
            algorithm,
            name,
            tagged(
                SEQUENCE,
                text(UTC_TIME, "200101000000Z"),
                text(GENERALIZED_TIME, "99991231235959Z")),
            name,
            keys.getPublic().getEncoded());
    Signature signature = Signature.getInstance(ALGORITHM);
    signature.initSign(keys.getPrivate());
    signature.update(content);
    byte[] whole =
        tagged(SEQUENCE, content, algorithm, tagged(BITS, new byte[1], signature.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(whole));
  }

  private static byte[] text(int tag, String text) {
    return tagged(tag, text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(tag);
    if (length > 0xff) {
      whole.write(0x82);
      whole.write(length >> 8);
    } else if (length > 0x7f) {
      whole.write(0x81);
    }
    whole.write(length);
    whole.writeBytes(content.toByteArray());
    return whole.toByteArray();
  }
}
