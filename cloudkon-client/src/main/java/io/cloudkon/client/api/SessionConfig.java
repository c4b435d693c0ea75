package io.cloudkon.client.api;

import io.cloudkon.client.report.RunFolder;
import io.cloudkon.client.report.RunTags;
import io.cloudkon.client.run.RunOptions;
import io.cloudkon.core.error.UsageException;
import io.cloudkon.core.model.Consistency;
import io.cloudkon.core.model.Limits;
import io.cloudkon.core.model.Names;
import io.cloudkon.core.protocol.bundler.BundlerSettings;
import io.cloudkon.core.protocol.claim.LeaseSettings;
import io.cloudkon.core.protocol.completeness.CompletenessSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a {@link Session}. Start with {@link #cluster} or {@link #local}; each of
 * the other methods returns a copy with one setting changed. Immutable, and thread safe if its
 * listener is.
 *
 * <p>AWS's region, credentials and endpoints are found as in every program that uses AWS's SDK.
 */
public final class SessionConfig {
  /** The default of {@link #maxOpen}. */
  public static final int DEFAULT_MAX_OPEN = 100_000;

  private static final int THREADS = 2;
  private static final long MOST_SECONDS = Long.MAX_VALUE / 1_000;

  // set by the method that makes a copy, before anything else sees the copy
  private String queue = "";
  private int slots;
  private Consistency consistency = Consistency.EXACTLY_ONCE;
  private Duration timeout = Duration.ZERO;
  private int retries;
  private int capture = Limits.DEFAULT_CAPTURE_BYTES;
  private int maxOpen = DEFAULT_MAX_OPEN;
  private String name = "";
  private @Nullable String runId;
  private @Nullable Path folder;
  private boolean files = true;
  private @Nullable Path handlers;
  private @Nullable String bucket;
  private Set<String> insecureEndpoints = Set.of();
  private Consumer<SessionResult> listener = result -> {};

  private SessionConfig() {}

  private SessionConfig(SessionConfig of) {
    queue = of.queue;
    slots = of.slots;
    consistency = of.consistency;
    timeout = of.timeout;
    retries = of.retries;
    capture = of.capture;
    maxOpen = of.maxOpen;
    name = of.name;
    runId = of.runId;
    folder = of.folder;
    files = of.files;
    handlers = of.handlers;
    bucket = of.bucket;
    insecureEndpoints = of.insecureEndpoints;
    listener = of.listener;
  }

  private SessionConfig but(Consumer<SessionConfig> change) {
    SessionConfig copy = new SessionConfig(this);
    change.accept(copy);
    return copy;
  }

  /**
   * A session whose tasks run on the workers of a cluster.
   *
   * @param queue the cluster's name
   * @throws UsageException if it is not a legal name of a cluster
   */
  public static SessionConfig cluster(String queue) {
    Names.checkShared(queue);
    return new SessionConfig().but(c -> c.queue = queue);
  }

  /**
   * A session whose tasks run in this process and end with it. It needs nothing else.
   *
   * @param slots the number of tasks at a time, from 1 to 10,000
   */
  public static SessionConfig local(int slots) {
    require(slots >= 1 && slots <= 10_000, "slots", slots, "1 to 10000");
    return new SessionConfig()
        .but(c -> {
          c.queue = Names.LOCAL;
          c.slots = slots;
        });
  }

  /**
   * The consistency: how often a task may start if something fails. Default: {@code EXACTLY_ONCE}.
   */
  public SessionConfig consistency(Consistency mode) {
    return but(c -> c.consistency = mode);
  }

  /** The time limit of each try, for tasks without their own; zero, the default, means no limit. */
  public SessionConfig timeout(Duration limit) {
    boolean legal = limit.isZero() || limit.compareTo(Duration.ofMillis(1)) >= 0;
    require(legal && limit.toSeconds() < MOST_SECONDS, "timeout", limit, "0, or 1 ms or more");
    return but(c -> c.timeout = limit);
  }

  /** The number of retries after a failure, for tasks without their own; default 0. */
  public SessionConfig retries(int most) {
    require(most >= 0 && most <= Limits.RETRIES, "retries", most, "0 to " + Limits.RETRIES);
    return but(c -> c.retries = most);
  }

  /** The number of bytes kept of each output of a task; default 64 KiB. */
  public SessionConfig capture(int bytes) {
    require(
        bytes >= 0 && bytes <= Limits.CAPTURE_BYTES,
        "capture",
        bytes,
        "0 to " + Limits.CAPTURE_BYTES);
    return but(c -> c.capture = bytes);
  }

  /**
   * The maximum number of tasks without a result; default {@value #DEFAULT_MAX_OPEN}. {@link
   * Session#submit} waits while there are as many. Each takes some 200 bytes of this process's
   * memory.
   */
  public SessionConfig maxOpen(int tasks) {
    require(tasks >= 1, "maxOpen", tasks, "1 or more");
    return but(c -> c.maxOpen = tasks);
  }

  /** The display name of the session's run, which {@code cloudkon runs} shows. */
  public SessionConfig name(String text) {
    RunTags.checkText("name", text);
    return but(c -> c.name = text);
  }

  /** The id of the session's run, unique in its cluster; by default date, time and 6 characters. */
  public SessionConfig runId(String id) {
    Names.check("run id", id);
    return but(c -> c.runId = id);
  }

  /**
   * The folder for the session's files: its tasks, journal, results and report. It must not exist,
   * or be empty. Default: {@code cloudkon-RUN} in this process's directory.
   */
  public SessionConfig folder(Path place) {
    require(
        !place.toString().equals(RunFolder.NONE), "folder", place, "another name, or noFiles()");
    return but(c -> {
      c.folder = place;
      c.files = true;
    });
  }

  /**
   * Keeps no folder, so that the session cannot be resumed if this process dies. Until its end, the
   * lines of all its tasks take room on the disk of {@code java.io.tmpdir}.
   */
  public SessionConfig noFiles() {
    return but(c -> c.files = false);
  }

  /** A folder of jars with handlers, for a {@link #local} session. */
  public SessionConfig handlers(Path jars) {
    return but(c -> c.handlers = jars);
  }

  /** The S3 bucket for large tasks and files; default {@code cloudkon-ACCOUNT-REGION}. */
  public SessionConfig bucket(String bucketName) {
    return but(c -> c.bucket = bucketName);
  }

  /** Allows plain http to this host, besides loopback; repeatable. */
  public SessionConfig insecureEndpoint(String host) {
    return but(c -> {
      Set<String> more = new TreeSet<>(c.insecureEndpoints);
      more.add(host);
      c.insecureEndpoints = Set.copyOf(more);
    });
  }

  /**
   * The listener that receives each result as it arrives, on one thread, before the result's future
   * completes. Until it returns, no other result is delivered, and collecting soon waits for it.
   */
  public SessionConfig onResult(Consumer<SessionResult> to) {
    return but(c -> c.listener = to);
  }

  private static void require(boolean legal, String what, Object value, String expected) {
    if (!legal) {
      throw new UsageException("%s %s: expected %s".formatted(what, value, expected));
    }
  }

  // ---- for the session

  boolean isLocal() {
    return queue.equals(Names.LOCAL);
  }

  String queue() {
    return queue;
  }

  int slots() {
    return slots;
  }

  Consistency consistency() {
    return consistency;
  }

  Duration timeout() {
    return timeout;
  }

  int retries() {
    return retries;
  }

  int capture() {
    return capture;
  }

  int maxOpen() {
    return maxOpen;
  }

  String name() {
    return name;
  }

  Optional<String> runId() {
    return Optional.ofNullable(runId);
  }

  Optional<Path> folder() {
    return Optional.ofNullable(folder);
  }

  boolean files() {
    return files;
  }

  Optional<Path> handlers() {
    return Optional.ofNullable(handlers);
  }

  @Nullable String bucket() {
    return bucket;
  }

  Set<String> insecureEndpoints() {
    return insecureEndpoints;
  }

  Consumer<SessionResult> listener() {
    return listener;
  }

  /** Refuses settings that cannot go together. */
  void check() {
    if (retries > 0 && consistency == Consistency.AT_MOST_ONCE) {
      throw new UsageException(
          "retries %d cannot be combined with AT_MOST_ONCE, which never starts a task twice"
              .formatted(retries));
    }
    if (handlers != null && !isLocal()) {
      throw new UsageException(
          "handlers work only with a local session; a cluster's handlers are given to its workers");
    }
  }

  RunOptions options(String run) {
    return new RunOptions(
        run,
        consistency,
        capture,
        THREADS,
        timeout.toMillis(),
        retries,
        BundlerSettings.DEFAULT,
        CompletenessSettings.DEFAULT.forOpenEnd(),
        LeaseSettings.DEFAULT);
  }
}
