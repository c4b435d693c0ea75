package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The bucket, which holds results that are too large for a message or that no queue takes. */
public final class SimBlobs {
  private final Network network;
  private final CloudWatch watch;
  private final TreeMap<String, ResultMessage> objects = new TreeMap<>();

  private final Set<String> removed = new HashSet<>();

  /**
   * Keys of objects that expire: those of which no client knew, and those that were stored after
   * the removal by a worker that did not know of it yet.
   */
  private final Set<String> late = new HashSet<>();

  SimBlobs(Network network, CloudWatch watch) {
    this.network = network;
    this.watch = watch;
  }

  /**
   * Puts an object.
   *
   * @param last whether no message will refer to the object
   */
  public void put(
      SimProcess caller, String key, ResultMessage object, boolean last, Reply<Boolean> reply) {
    network.call(
        caller,
        Call.BLOB_PUT,
        1,
        () -> "stores " + key,
        () -> {
          objects.put(key, object);
          if (last) {
            watch.stored(object, network.timeline().now());
          }
          if (removed.stream().anyMatch(key::startsWith)) {
            late.add(key);
          }
          return true;
        },
        reply);
  }

  /** Gets the object with exactly this key; empty if there is none. */
  public void get(SimProcess caller, String key, Reply<Optional<ResultMessage>> reply) {
    network.call(
        caller,
        Call.BLOB_GET,
        1,
        () -> "gets " + key,
        () -> Optional.ofNullable(objects.get(key)),
        reply);
  }

  /** Lists the objects with this key prefix. */
  public void list(SimProcess caller, String prefix, Reply<List<ResultMessage>> reply) {
    network.call(
        caller,
        Call.BLOB_LIST,
        1,
        () -> "lists " + prefix,
        () -> List.copyOf(under(prefix).values()),
        reply);
  }

  /** Removes all objects with this key prefix. */
  public void removeAll(SimProcess caller, String prefix, Reply<Boolean> reply) {
    network.call(
        caller,
        Call.BLOB_DELETE,
        1,
        () -> "removes " + prefix,
        () -> {
          under(prefix).clear();
          removed.add(prefix);
          late.removeIf(key -> key.startsWith(prefix));
          return true;
        },
        reply);
  }

  /** Leaves the objects with this key prefix to expire, and those that still come. */
  public void leave(String prefix) {
    removed.add(prefix);
    late.addAll(under(prefix).keySet());
  }

  private Map<String, ResultMessage> under(String prefix) {
    return objects.subMap(prefix, prefix + '\uffff');
  }

  /** The number of objects, except those that expire. */
  public int left() {
    return objects.size() - late.size();
  }
}
