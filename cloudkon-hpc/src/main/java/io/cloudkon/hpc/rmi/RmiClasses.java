package io.cloudkon.hpc.rmi;

import java.util.List;

/**
 * The JDK's own classes of RMI. Those that serve calls and those that make them need each other
 * while they are initialized, and a worker's first gang has it do both at the same moment, in
 * several threads: two threads that begin at different ends wait for each other for ever. Whoever
 * comes first initializes them all here, and everybody else waits for that.
 */
final class RmiClasses {
  private static final List<String> NAMES =
      List.of(
          "sun.rmi.transport.ObjectTable",
          "sun.rmi.transport.DGCImpl",
          "sun.rmi.transport.DGCClient",
          "sun.rmi.transport.tcp.TCPEndpoint",
          "sun.rmi.transport.tcp.TCPTransport",
          "sun.rmi.transport.tcp.TCPChannel",
          "sun.rmi.server.UnicastRef",
          "sun.rmi.server.UnicastServerRef",
          "sun.rmi.registry.RegistryImpl",
          "java.rmi.server.UnicastRemoteObject");

  static {
    for (String name : NAMES) {
      try {
        Class<?> unused = Class.forName(name);
      } catch (ClassNotFoundException e) {
        // another JDK: whatever it has instead is initialized as it is met
      }
    }
  }

  private RmiClasses() {}

  /** Returns once they are initialized; costs nothing then. To be called before RMI is used. */
  static void ready() {
    // the class's own initializer does it, once
  }
}
