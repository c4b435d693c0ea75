package io.cloudkon.hpc.rmi;

import java.util.List;

/**
 * The JDK's own RMI classes. Those that serve calls and those that make calls depend on each other
 * while they are initialized, and with its first gang a worker does both at the same moment, in
 * several threads. Two threads that start from different classes would wait for each other forever.
 * So the first thread initializes all of them here, and the others wait for it.
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
        // another JDK: its classes are initialized when they are first used
      }
    }
  }

  private RmiClasses() {}

  /**
   * Returns once the classes are initialized; later calls cost nothing. To be called before RMI is
   * used.
   */
  static void ready() {
    // this class's own initializer does the work, once
  }
}
