package io.cloudkon.hpc.rmi;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager with a single key and its certificate, for both sides of a connection. Immutable.
 */
final class OwnKey extends X509ExtendedKeyManager {
  private static final String ALIAS = "worker";

  private final PrivateKey key;
  private final X509Certificate certificate;

  OwnKey(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  private static @Nullable String aliasOf(@Nullable String type) {
    return "EC".equals(type) ? ALIAS : null;
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return aliasOf(type) == null ? null : new String[] {ALIAS};
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    for (String type : types) {
      if (aliasOf(type) != null) {
        return ALIAS;
      }
    }
    return null;
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return getClientAliases(type, issuers);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return aliasOf(type);
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return new X509Certificate[] {certificate};
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }
}
