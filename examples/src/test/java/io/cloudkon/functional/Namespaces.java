package io.cloudkon.functional;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Network namespaces with an address each, as if they were machines, all on one bridge. From within
 * one, 127.0.0.1 is its own: what listens there on this machine is reached by the bridge's address.
 * Linux only, and only as root.
 */
final class Namespaces implements AutoCloseable {
  private final String name = "ck" + ProcessHandle.current().pid() % 100_000;
  private final String net = "10.213.%d.".formatted(ProcessHandle.current().pid() % 250);
  private final List<List<String>> undo = new ArrayList<>();
  private final List<ServerSocket> doors = new ArrayList<>();

  /** Makes so many, or throws and leaves nothing behind. */
  Namespaces(int number) throws IOException {
    try {
      ip("link", "add", name, "type", "bridge");
      undo.addFirst(List.of("link", "del", name));
      ip("addr", "add", net + "1/24", "dev", name);
      ip("link", "set", name, "up");
      for (int i : IntStream.range(0, number).toArray()) {
        ip("netns", "add", space(i));
        undo.addFirst(List.of("netns", "del", space(i)));
        String here = name + "v" + i;
        ip("link", "add", here, "type", "veth", "peer", "name", "eth0", "netns", space(i));
        ip("link", "set", here, "master", name, "up");
        ip("-n", space(i), "addr", "add", address(i) + "/24", "dev", "eth0");
        ip("-n", space(i), "link", "set", "eth0", "up");
        ip("-n", space(i), "link", "set", "lo", "up");
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private String space(int i) {
    return name + "-" + i;
  }

  /** Of one of them. */
  String address(int i) {
    return net + (i + 11);
  }

  /** This machine's, as they see it. */
  String bridge() {
    return net + "1";
  }

  /** Put before a command, runs it there. */
  List<String> within(int i) {
    return List.of("ip", "netns", "exec", space(i));
  }

  /** The same variables, with endpoints that are reached from within: each by a door of its own. */
  Map<String, String> seenFromWithin(Map<String, String> environment) throws IOException {
    Map<String, String> seen = new HashMap<>(environment);
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (variable.getKey().startsWith("AWS_ENDPOINT_URL")) {
        int door = door(URI.create(variable.getValue()).getPort());
        seen.put(variable.getKey(), "http://%s:%d".formatted(bridge(), door));
      }
    }
    return seen;
  }

  /** The port by which the bridge leads to one of 127.0.0.1. */
  private int door(int to) throws IOException {
    ServerSocket door = new ServerSocket(0, 100, InetAddress.getByName(bridge()));
    doors.add(door);
    Thread.startVirtualThread(() -> {
      try {
        while (true) {
          Socket from = door.accept();
          Socket there = new Socket(InetAddress.getLoopbackAddress(), to);
          Thread.startVirtualThread(() -> pass(from, there));
          Thread.startVirtualThread(() -> pass(there, from));
        }
      } catch (IOException e) {
        // closed
      }
    });
    return door.getLocalPort();
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // one side has gone, and the other one with it
    }
  }

  private static void ip(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    try {
      for (ServerSocket door : doors) {
        door.close();
      }
      for (List<String> words : undo) {
        ip(words.toArray(String[]::new));
      }
      undo.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
