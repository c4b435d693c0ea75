package io.cloudkon.hpc.rmi;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** This machine's own addresses. */
public final class Addresses {
  private static final String LOOPBACK = "127.0.0.1";

  private Addresses() {}

  /**
   * The private address at which other workers reach this machine: the first site-local IPv4
   * address, in the order of the network interfaces that are up, or loopback if there is none. The
   * result is the same each time as long as the interfaces do not change.
   */
  public static String own() {
    try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
      return choose(
          interfaces
              .filter(Addresses::usable)
              .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
              .flatMap(NetworkInterface::inetAddresses)
              .toList());
    } catch (SocketException e) {
      return LOOPBACK;
    }
  }

  static String choose(List<InetAddress> inOrder) {
    return inOrder.stream()
        .filter(address -> address instanceof Inet4Address)
        .filter(address -> address.isSiteLocalAddress() && !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse(LOOPBACK);
  }

  private static boolean usable(NetworkInterface each) {
    try {
      return each.isUp() && !each.isLoopback();
    } catch (SocketException e) {
      return false;
    }
  }
}
