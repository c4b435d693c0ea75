package io.cloudkon.client.session;

import io.cloudkon.core.model.Content;
import io.cloudkon.core.port.BlobStore;
import java.util.List;
import java.util.function.Consumer;

/**
 * What not every session needs.
 *
 * @param shipper stores what the run ships
 * @param detach whether the client leaves when everything was sent
 * @param settled is called when every task's result is on disk, before the run is ended: what is
 *     written then is there whenever the run is found to have ended
 * @param say is told what is waited for
 * @param pause how the client waits
 */
public record Extras(
    Shipper shipper, boolean detach, Runnable settled, Consumer<String> say, Pause pause) {
  /** Ships nothing, waits for results, says nothing. */
  public static final Extras NONE =
      new Extras((blobs, run) -> List.of(), false, () -> {}, line -> {}, Pause.real());

  /** Stores what a run ships. */
  @FunctionalInterface
  public interface Shipper {
    /** Stores it, and says what it is; returns when all of it is there. */
    List<Content> upload(BlobStore blobs, String run) throws InterruptedException;
  }
}
