package io.cloudkon.hpc.rmi;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shapes that known attacks on deserialization have, made of classes of the JDK. */
final class Shapes {
  private static final String HARMLESS = "harmless";

  private Shapes() {}

  /** By name; where one refers to a remote object, its listener is at that port. */
  static Map<String, Object> all(int listener) throws Exception {
    Map<String, Object> shapes = new LinkedHashMap<>();
    shapes.put("map hashing a URL", urlMap());
    shapes.put("nested hash sets", nestedSets());
    shapes.put("priority queue with comparator", queue());
    shapes.put("proxy with annotation handler", annotation());
    shapes.put("remote stub", LocateRegistry.getRegistry("127.0.0.1", listener));
    shapes.put("remote reference", reference(listener));
    shapes.put("proxy with remote handler", remoteProxy(listener));
    shapes.put("canary", new Canary());
    shapes.put("array of canaries", new Object[] {new Canary()});
    shapes.put("list of canaries", new ArrayList<>(List.of(new Canary())));
    shapes.put("enum", Thread.State.NEW);
    shapes.put("class", Runtime.class);
    shapes.put("deep array", new byte[][][] {{{1}}});
    return shapes;
  }

  /** Reading it would ask the name service. */
  private static Object urlMap() throws Exception {
    URLStreamHandler silent =
        new URLStreamHandler() {
          @Override
          protected @Nullable URLConnection openConnection(URL url) {
            return null;
          }

          @Override
          protected @Nullable InetAddress getHostAddress(URL url) {
            return null;
          }
        };
    Object url = URL.of(URI.create("http://canary.invalid/"), silent);
    return new HashMap<>(Map.of(url, HARMLESS));
  }

  /** Reading it would take longer than anybody waits. */
  private static Object nestedSets() {
    Set<Object> root = new HashSet<>();
    Set<Object> left = root;
    Set<Object> right = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      Set<Object> nextLeft = new HashSet<>();
      Set<Object> nextRight = new HashSet<>();
      nextLeft.add(HARMLESS);
      left.add(nextLeft);
      left.add(nextRight);
      right.add(nextLeft);
      right.add(nextRight);
      left = nextLeft;
      right = nextRight;
    }
    return root;
  }

  private static Object queue() {
    PriorityQueue<Object> queue = new PriorityQueue<>(2, new Canary());
    queue.add("one");
    queue.add("two");
    return queue;
  }

  /** An annotation as the JDK makes them: a proxy whose handler reads a map of its values. */
  private static Object annotation() {
    return Old.class.getAnnotations()[0];
  }

  private static RemoteRef reference(int listener) throws Exception {
    return ((RemoteObject) LocateRegistry.getRegistry("127.0.0.1", listener)).getRef();
  }

  private static Object remoteProxy(int listener) throws Exception {
    return Proxy.newProxyInstance(
        Shapes.class.getClassLoader(),
        new Class<?>[] {Registry.class, Remote.class},
        new RemoteObjectInvocationHandler(reference(listener)));
  }

  @Deprecated
  private static final class Old {}
}
