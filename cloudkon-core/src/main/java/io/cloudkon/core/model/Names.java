package io.cloudkon.core.model;

import io.cloudkon.core.error.UsageException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names that belong to one cluster, all derived from the name of its request queue. */
public final class Names {
  /** The queue name of a run whose cluster is part of its client's process and ends with it. */
  public static final String LOCAL = "LOCAL";

  private static final Pattern LEGAL =
      Pattern.compile("[A-Za-z0-9_-]{1," + Limits.NAME_CHARS + "}");

  private static final String RESPONSE = "-response-";

  /** The form of a response queue's name. Names in messages are untrusted and must match it. */
  private static final Pattern RESPONSE_QUEUE =
      Pattern.compile("[A-Za-z0-9_-]+?" + RESPONSE + "([A-Za-z0-9_]{1,80})(-[0-9]+)?");

  /** A name after its prefix: the client's id, and the number of a queue that replaced another. */
  private static final Pattern CLIENT = Pattern.compile("[0-9a-f]{12}(-[0-9]+)?");

  private Names() {}

  /**
   * Checks a cluster's or a run's name.
   *
   * @param what the kind of name, for the message: "queue", "run id"
   * @throws UsageException if it is not 1 to 40 letters, digits, dashes or underscores
   */
  public static String check(String what, String name) {
    if (!LEGAL.matcher(name).matches()) {
      throw new UsageException(
          "illegal %s '%s': expected 1 to %d letters, digits, '-' or '_'"
              .formatted(what, name, Limits.NAME_CHARS));
    }
    return name;
  }

  /**
   * Checks a cluster's name.
   *
   * @throws UsageException if it is not valid, it or one of its queues would have the name of
   *     another cluster's queue, or it differs from LOCAL only in case
   */
  public static String checkCluster(String name) {
    check("queue", name);
    if (name.equalsIgnoreCase(LOCAL) && !name.equals(LOCAL)) {
      throw new UsageException(
          "queue '%s': did you mean LOCAL, which is this process? A cluster needs another name"
              .formatted(name));
    }
    if (name.endsWith("-hpc")
        || name.endsWith("-ranks")
        || name.endsWith("-dead")
        || name.contains(RESPONSE)) {
      throw new UsageException(
          "queue '%s' belongs to cluster '%s': name that one, or choose another name"
              .formatted(name, name.replaceFirst("-(hpc|ranks|dead|response-.*)$", "")));
    }
    if ((name + '-').endsWith(RESPONSE)) {
      throw new UsageException(
          "queue '%s' cannot be a cluster: its queues, such as '%s', would look like response queues of cluster '%s'; choose a name that does not end in -response"
              .formatted(
                  name, hpc(name), name.substring(0, name.length() + 1 - RESPONSE.length())));
    }
    return name;
  }

  /**
   * Checks the name of a cluster that several processes share.
   *
   * @throws UsageException if {@link #checkCluster} refuses it, or it is the name LOCAL, which
   *     means the client's own process
   */
  public static String checkShared(String name) {
    if (name.equals(LOCAL)) {
      throw new UsageException(
          "queue 'LOCAL': a client of that name runs everything in its own process, and there is no"
              + " cluster LOCAL; give another name");
    }
    return checkCluster(name);
  }

  /** The queue for HPC jobs. */
  public static String hpc(String cluster) {
    return cluster + "-hpc";
  }

  /** The queue for ranks of HPC jobs that need a slot. */
  public static String ranks(String cluster) {
    return cluster + "-ranks";
  }

  /** The queue for dead letters. */
  public static String dead(String cluster) {
    return cluster + "-dead";
  }

  /** The prefix of every response queue's name. */
  public static String responsePrefix(String cluster) {
    return cluster + RESPONSE;
  }

  /** Whether the name can be that of a response queue of this cluster. */
  public static boolean isResponse(String cluster, String queue) {
    return queue.startsWith(responsePrefix(cluster));
  }

  /**
   * Whether the name is one that a client of this cluster gives to a response queue. Other queues
   * that begin alike belong to somebody else and must not be removed with the cluster.
   */
  public static boolean isClients(String cluster, String queue) {
    return isResponse(cluster, queue)
        && CLIENT.matcher(queue.substring(responsePrefix(cluster).length())).matches();
  }

  /** One client's response queue. */
  public static String response(String cluster, String clientId) {
    return responsePrefix(cluster) + clientId;
  }

  /**
   * The client for which a response queue was made. A queue that replaced a missing one has a
   * number after the client's id, which is ignored.
   *
   * @return its id; empty if the name is not that of a response queue
   */
  public static String client(String responseQueue) {
    Matcher made = RESPONSE_QUEUE.matcher(responseQueue);
    return made.matches() ? made.group(1) : "";
  }

  /** The table of claims. */
  public static String claims(String cluster) {
    return cluster + "-claims";
  }

  /** The table of workers. */
  public static String workers(String cluster) {
    return cluster + "-workers";
  }

  /** The table of runs. */
  public static String runs(String cluster) {
    return cluster + "-runs";
  }

  /** The table of HPC capacity. */
  public static String ledger(String cluster) {
    return cluster + "-ledger";
  }

  /** The table of the provisioner's decisions. */
  public static String decisions(String cluster) {
    return cluster + "-decisions";
  }
}
