package io.cloudkon.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX) // where the kernel shows them
class PortsTest {
  private final Ports ports = new Ports();

  @Test
  void port_is_open_until_it_is_closed_and_is_not_another_one_of_the_same_number()
      throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ports.note(ProcessHandle.current().pid());
      port = socket.getLocalPort();

      assertThat(ports.open()).anyMatch(address -> isAt(address, port));
    }
    assertThat(ports.open()).noneMatch(address -> isAt(address, port));
    assertThat(ports.noted()).anyMatch(address -> isAt(address, port));
    try (ServerSocket another = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(another.isBound()).isTrue();
      assertThat(ports.open()).noneMatch(address -> isAt(address, port));
    }
  }

  private static boolean isAt(String address, int port) {
    return address.contains(":%04X of process ".formatted(port));
  }
}
