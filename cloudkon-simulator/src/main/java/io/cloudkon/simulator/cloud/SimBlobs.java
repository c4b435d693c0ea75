package io.cloudkon.simulator.cloud;

import io.cloudkon.simulator.engine.SimProcess;
import io.cloudkon.simulator.load.ResultMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The bucket: results that are too large for a message, or that nobody takes. */
public final class SimBlobs {
  private final Network network;
  private final CloudWatch watch;
  private final TreeMap<String, ResultMessage> objects = new TreeMap<>();

  private final Set<String> removed = new HashSet<>();

  /** Stored by somebody who had not learned yet that nobody wants them; they expire. */
  private final Set<String> late = new HashSet<>();

  SimBlobs(Network network, CloudWatch watch) {
    this.network = network;
    this.watch = watch;
  }

  /**
   * Puts an object.
   *
   * @param last whether no message will name it
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
            watch.stored(object);
          }
          if (removed.stream().anyMatch(key::startsWith)) {
            late.add(key);
          }
          return true;
        },
        reply);
  }

  /** The objects whose keys begin so. */
  public void list(SimProcess caller, String prefix, Reply<List<ResultMessage>> reply) {
    network.call(
        caller,
        Call.BLOB_LIST,
        1,
        () -> "lists " + prefix,
        () -> List.copyOf(under(prefix).values()),
        reply);
  }

  /** Removes every object whose key begins so. */
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

  private Map<String, ResultMessage> under(String prefix) {
    return objects.subMap(prefix, prefix + '\uffff');
  }

  /** How many there are, but for those that came after the others were removed. */
  public int left() {
    return objects.size() - late.size();
  }
}
