package io.cloudkon.hpc.rmi;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cloudkon.core.error.CloudKonException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.function.Predicate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a worker toward its callers and the workers that it calls: a key that ends with
 * the worker, and a certificate whose fingerprint the others receive in advance; or none, in which
 * case calls are not encrypted. Connections use TLS 1.3 with a certificate on both sides. The key
 * is generated when it is first needed, because most workers never have an HPC job. Thread safe.
 */
public final class Identity {
  private static final String PROTOCOL = "TLSv1.3";

  private final boolean secure;
  private @Nullable Made made;

  /** The parts that are created when they are first needed. */
  private record Made(OwnKey key, String fingerprint, SSLSocketFactory accepting) {}

  private Identity(boolean secure) {
    this.secure = secure;
  }

  /** No identity: calls are not encrypted. */
  public static Identity none() {
    return new Identity(false);
  }

  /** A new identity. */
  public static Identity fresh() {
    return new Identity(true);
  }

  /** Whether calls are encrypted. */
  public boolean secure() {
    return secure;
  }

  /**
   * The SHA-256 fingerprint of its certificate, in 43 characters of base64; empty if calls are not
   * encrypted.
   *
   * @throws CloudKonException if this Java runtime cannot generate a key
   */
  public String fingerprint() {
    return secure ? made().fingerprint() : "";
  }

  private synchronized Made made() {
    Made known = made;
    if (known == null) {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        X509Certificate certificate = SelfSigned.of(keys);
        OwnKey key = new OwnKey(keys.getPrivate(), certificate);
        // the caller is checked with each call
        known = new Made(key, fingerprint(certificate), factory(key, any -> true));
        made = known;
      } catch (GeneralSecurityException e) {
        throw new CloudKonException(
            "no key for calls between workers: %s; see worker --rmi-tls".formatted(e.getMessage()),
            e);
      }
    }
    return known;
  }

  /** A factory for connections from this worker to the worker with that fingerprint only. */
  SSLSocketFactory calling(String fingerprint) throws IOException {
    byte[] expected = fingerprint.getBytes(US_ASCII);
    try {
      return factory(
          made().key(), found -> MessageDigest.isEqual(found.getBytes(US_ASCII), expected));
    } catch (GeneralSecurityException e) {
      throw new IOException("no TLS: " + e.getMessage(), e);
    }
  }

  /** Performs the handshake of the called side. */
  SSLSocket accept(Socket beneath) throws IOException {
    SSLSocket socket = (SSLSocket) made().accepting().createSocket(beneath, null, true);
    socket.setUseClientMode(false);
    socket.setNeedClientAuth(true);
    return handshaken(socket);
  }

  /** Performs the handshake of the calling side. */
  static SSLSocket call(SSLSocketFactory factory, Socket beneath, String host, int port)
      throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(beneath, host, port, true);
    socket.setUseClientMode(true);
    return handshaken(socket);
  }

  private static SSLSocket handshaken(SSLSocket socket) throws IOException {
    socket.setEnabledProtocols(new String[] {PROTOCOL});
    socket.startHandshake();
    return socket;
  }

  /** The fingerprint of the other side of that connection. */
  static String peer(SSLSocket socket) throws IOException {
    try {
      return fingerprint(socket.getSession().getPeerCertificates()[0]);
    } catch (CertificateException e) {
      throw new IOException("no certificate of a worker", e);
    }
  }

  static String fingerprint(Certificate certificate) throws CertificateException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new CertificateException(e);
    }
  }

  private static SSLSocketFactory factory(OwnKey key, Predicate<String> trusted)
      throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance(PROTOCOL);
    context.init(new KeyManager[] {key}, new TrustManager[] {new Pinned(trusted)}, null);
    return context.getSocketFactory();
  }

  @Override
  public String toString() {
    return secure ? "TLS" : "no TLS";
  }
}
