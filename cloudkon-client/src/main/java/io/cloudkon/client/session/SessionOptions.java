package io.cloudkon.client.session;

import io.cloudkon.client.report.ResultSink;
import io.cloudkon.client.run.Pause;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.RunLabel;
import java.util.List;
import java.util.function.Consumer;

/**
 * The parts that only some sessions need.
 *
 * @param shipper stores what the run ships
 * @param detach whether the client leaves once everything was sent
 * @param label the run's name and tags
 * @param begun called when a new run is published and has its files, before anything is sent
 * @param settled called when every task's result is on disk, before the run is ended, so that what
 *     it writes exists whenever the run is found to have ended
 * @param results receives each task's final result in addition to the run's files, and before it is
 *     synced there; while it blocks, no more results are collected. Only used for a new run
 * @param say receives a message about what is waited for
 * @param pause the way in which the client waits
 */
public record SessionOptions(
    Shipper shipper,
    boolean detach,
    RunLabel label,
    Runnable begun,
    Runnable settled,
    ResultSink results,
    Consumer<String> say,
    Pause pause) {
  /** The options of a run without a name. */
  public SessionOptions(
      Shipper shipper, boolean detach, Runnable settled, Consumer<String> say, Pause pause) {
    this(shipper, detach, RunLabel.NONE, () -> {}, settled, ResultSink.none(), say, pause);
  }

  /** Options that ship nothing, wait for results and print nothing. */
  public static final SessionOptions NONE =
      new SessionOptions((blobs, run) -> List.of(), false, () -> {}, line -> {}, Pause.real());

  /** Stores what a run ships. */
  @FunctionalInterface
  public interface Shipper {
    /** Stores the files, and returns what they are once all of them are there. */
    List<Content> upload(BlobStore blobs, String run) throws InterruptedException;
  }
}
