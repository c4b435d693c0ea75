package io.cloudkon.hpc.rmi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** This machine's own addresses. */
public final class Addresses {
  private static final String LOOPBACK = "127.0.0.1";

  /** An address for documentation, to which nothing is sent. */
  private static final String OUTSIDE = "198.51.100.1";

  private static final int OUTSIDE_PORT = 9;
  private static final Pattern LITERAL = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

  private Addresses() {}

  /**
   * The private address at which other workers reach this machine: the private IPv4 address from
   * which it calls the outside world. If that one is public or unknown, the first private IPv4
   * address of an interface that is up and not a bridge, because a bridge leads to containers and
   * virtual machines on this machine only, and may be removed with them. Otherwise loopback.
   * Private are the site-local addresses and those of 100.64.0.0/10.
   */
  public static String own() {
    return own(false);
  }

  /**
   * Like {@link #own()}, for an EC2 instance: its network may have addresses of any range, and the
   * address of an interface is never the instance's public one.
   */
  public static String ofInstance() {
    return own(true);
  }

  private static String own(boolean instance) {
    try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
      List<InetAddress> candidates =
          interfaces
              .filter(Addresses::usable)
              .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
              .flatMap(NetworkInterface::inetAddresses)
              .toList();
      return choose(outgoing(), candidates, instance);
    } catch (SocketException e) {
      return LOOPBACK;
    }
  }

  /** Whether {@link #own()} found nothing better than loopback, so that nobody else can call it. */
  public static boolean isLoopback(String own) {
    return own.equals(LOOPBACK);
  }

  /**
   * The address among these candidates.
   *
   * @param anyRange whether an address that is not private will do
   */
  static String choose(
      @Nullable InetAddress outgoing, List<InetAddress> inOrder, boolean anyRange) {
    return Stream.concat(Stream.ofNullable(outgoing), inOrder.stream())
        .filter(address -> address instanceof Inet4Address)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .filter(address -> !address.isAnyLocalAddress() && (anyRange || isPrivate(address)))
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse(LOOPBACK);
  }

  private static boolean isPrivate(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean shared = bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
    return shared || address.isSiteLocalAddress();
  }

  /**
   * The address from which packets leave for the outside world; null if there is no route. A
   * datagram socket that is connected tells it without sending anything.
   */
  private static @Nullable InetAddress outgoing() {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(OUTSIDE, OUTSIDE_PORT));
      return socket.getLocalAddress();
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }

  private static boolean usable(NetworkInterface each) {
    try {
      return each.isUp() && !each.isLoopback() && !isBridge(each.getName());
    } catch (SocketException e) {
      return false;
    }
  }

  /**
   * Whether it is a bridge without a network card, as Linux tells it. A bridge with one leads to
   * the network of that card. Elsewhere no interface counts as a bridge.
   */
  private static boolean isBridge(String name) {
    Path folder = Path.of("/sys/class/net", name);
    if (!Files.exists(folder.resolve("bridge"))) {
      return false;
    }
    try (Stream<Path> ports = Files.list(folder.resolve("brif"))) {
      return ports.noneMatch(
          port -> Files.exists(folder.resolveSibling(port.getFileName()).resolve("device")));
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Whether one of this machine's interfaces has that address now. True for a name, which would
   * have to be resolved, and if the interfaces cannot be listed.
   */
  public static boolean isHere(String address) {
    if (!LITERAL.matcher(address).matches()) {
      return true;
    }
    try {
      InetAddress literal = InetAddress.getByName(address);
      return literal.isLoopbackAddress() || NetworkInterface.getByInetAddress(literal) != null;
    } catch (IOException e) {
      return true;
    }
  }
}
