package io.cloudkon.client.session;

import io.cloudkon.client.report.ResultSink;
import io.cloudkon.core.model.Content;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.port.RunLabel;
import java.util.List;
import java.util.function.Consumer;

/**
 * The parts that only some sessions need.
 *
 * @param shipper stores what the run ships
 * @param detach whether the client leaves when everything was sent
 * @param label what people call the run
 * @param begun is called when a new run is published and has its files, before anything is sent
 * @param settled is called when every task's result is on disk, before the run is ended: what is
 *     written then is there whenever the run is found to have ended
 * @param results is told each task's final result besides the run's files, before it is synced
 *     there; while it does not return, no more results are collected. Only of a new run
 * @param say is told what is waited for
 * @param pause how the client waits
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
  /** Of a run that nobody has given a name. */
  public SessionOptions(
      Shipper shipper, boolean detach, Runnable settled, Consumer<String> say, Pause pause) {
    this(shipper, detach, RunLabel.NONE, () -> {}, settled, ResultSink.none(), say, pause);
  }

  /** Ships nothing, waits for results, says nothing. */
  public static final SessionOptions NONE =
      new SessionOptions((blobs, run) -> List.of(), false, () -> {}, line -> {}, Pause.real());

  /** Stores what a run ships. */
  @FunctionalInterface
  public interface Shipper {
    /** Stores it, and says what it is; returns when all of it is there. */
    List<Content> upload(BlobStore blobs, String run) throws InterruptedException;
  }
}
