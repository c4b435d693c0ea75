package io.cloudkon.worker.input;

import io.cloudkon.core.batch.BackOff;
import io.cloudkon.core.model.BundleHeader;
import io.cloudkon.core.model.CollectRule;
import io.cloudkon.core.model.InputFile;
import io.cloudkon.core.model.Task;
import io.cloudkon.core.model.Work;
import io.cloudkon.core.port.BlobStore;
import io.cloudkon.core.ship.FileNames;
import io.cloudkon.worker.execute.OwnFiles;
import io.cloudkon.worker.execute.TaskEnvironment;
import io.cloudkon.worker.execute.TaskRunner;
import io.cloudkon.worker.pipeline.BundleInHand;
import io.cloudkon.worker.pipeline.Pulse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the objects from the blob store that tasks need before they run, for all slots of a
 * worker. Thread safe.
 */
public final class Inputs implements AutoCloseable {
  private final Fetching fetching;
  private final StoredWork works;
  private final InputRoom room = InputRoom.ofHeap();
  private final SlotWait patience;
  private final ShipmentCache shipments;

  /**
   * Fetches nothing yet.
   *
   * @param runner the task runner, whose folder takes shipped files
   * @param cacheBytes the maximum size of the cache there, in unpacked bytes
   * @param leaving whether the worker starts nothing any more, which ends all waits
   */
  public Inputs(
      BlobStore blobs,
      TaskRunner runner,
      long cacheBytes,
      Pulse pulse,
      BackOff backOff,
      BooleanSupplier leaving) {
    this(blobs, scratch(runner), cacheBytes, new SlotWait(pulse, leaving), new Fetching(backOff));
  }

  private static ShipmentFetch.Scratch scratch(TaskRunner runner) {
    return new ShipmentFetch.Scratch() {
      @Override
      public Path folder() throws IOException {
        return runner.scratch();
      }

      @Override
      public boolean protects() {
        return !runner.mountsShippedFiles();
      }
    };
  }

  Inputs(
      BlobStore blobs,
      ShipmentFetch.Scratch scratch,
      long cacheBytes,
      SlotWait patience,
      Fetching fetching) {
    this.fetching = fetching;
    this.patience = patience;
    this.works = new StoredWork(blobs, fetching, patience);
    this.shipments =
        new ShipmentCache(
            new ShipmentFetch(blobs, fetching, scratch, cacheBytes),
            fetching,
            patience,
            cacheBytes);
  }

  /** The provisions for the tasks of one bundle in one slot. */
  public Provisions provisions(BundleInHand inHand) {
    return new Provisions(inHand);
  }

  /** Aborts running fetches and closes handlers. Slots should have ended before. */
  @Override
  public void close() throws InterruptedException {
    fetching.close();
    shipments.close();
  }

  /** Holds shipped files from their first use until it is closed. Used by one thread. */
  public final class Provisions implements AutoCloseable {
    private final BundleInHand inHand;
    private @Nullable ShipmentLease lease;

    /** The files of the running task. */
    private @Nullable ShipmentLease files;

    /** The memory of the running task's input. */
    private InputRoom.@Nullable Place place;

    /** The environment of tasks that need only what the worker has. */
    private final TaskEnvironment bare;

    private Provisions(BundleInHand inHand) {
      this.inHand = inHand;
      this.bare = TaskEnvironment.bare(inHand.header().run(), inHand.header().captureBytes());
    }

    /**
     * Returns the task with its work, which is fetched if necessary.
     *
     * @throws InputException if it can never be had
     * @throws GivenUpException if the task is not to run here any more
     */
    public Task complete(Task task) throws InputException, GivenUpException {
      return task.work() instanceof Work.Stored stored
          ? task.with(works.fetch(inHand, stored))
          : task;
    }

    /**
     * The same, once the inputs of other running tasks leave room for it. Not for ranks: they run
     * together, and would wait for one another.
     */
    public Task completeInTurn(Task task) throws InputException, GivenUpException {
      if (task.work() instanceof Work.Stored stored) {
        InputRoom.Place asked = room.place(stored.content().bytes());
        place = asked;
        var unused = patience.await(asked.granted(), inHand);
      }
      return complete(task);
    }

    private void leaveRoom() {
      if (place != null) {
        place.close();
        place = null;
      }
    }

    /**
     * Returns the task's environment; waits until its files are there.
     *
     * @throws InputException if it can never be had
     * @throws GivenUpException if the task is not to run here any more
     */
    public TaskEnvironment around(Task task) throws InputException, GivenUpException {
      leaveRoom(); // that of the task before
      return shared(task).with(own(task));
    }

    private OwnFiles own(Task task) throws InputException, GivenUpException {
      letGoOfFiles();
      CollectRule collect =
          task.work() instanceof Work.Hpc ? CollectRule.NONE : inHand.header().collect(task);
      boolean keepsNone = collect.isEmpty() && task.files().collect() != null;
      List<InputFile> wanted = task.files().inputs();
      if (wanted.isEmpty()) {
        return collect.isEmpty() && !keepsNone
            ? OwnFiles.NONE
            : new OwnFiles(List.of(), collect, keepsNone);
      }
      for (InputFile file : wanted) {
        if (!file.isStored()) {
          throw InputException.lasting(
              "its file '%s' could not be read when the task was sent; restore it, and run the task again, for example with rerun"
                  .formatted(file.path()));
        }
      }
      ShipmentLease held =
          shipments.lease(inHand, wanted.stream().map(InputFile::content).toList());
      files = held;
      return new OwnFiles(
          wanted.stream()
              .map(file ->
                  new OwnFiles.Input(
                      held.shipment(file.content()).root(), FileNames.path(file.path())))
              .toList(),
          collect,
          keepsNone);
    }

    private void letGoOfFiles() {
      if (files != null) {
        files.close();
        files = null;
      }
    }

    private TaskEnvironment shared(Task task) throws InputException, GivenUpException {
      BundleHeader header = inHand.header();
      boolean needsShips =
          switch (task.work().kind()) {
            case NOOP, SLEEP -> false;
            case EXEC, JAVA -> !header.ships().isEmpty();
          };
      if (!needsShips) {
        return bare;
      }
      ShipmentLease held = lease;
      if (held == null) {
        held = shipments.lease(inHand);
        lease = held;
      }
      return new TaskEnvironment(
          header.run(),
          header.captureBytes(),
          held.shipments().stream().map(UnpackedShipment::root).toList(),
          held.handlers());
    }

    @Override
    public void close() {
      leaveRoom();
      letGoOfFiles();
      if (lease != null) {
        lease.close();
      }
    }
  }
}
