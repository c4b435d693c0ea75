package io.cloudkon.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder that remembers the background emulator, in four files: {@code emulator.properties}
 * while one is ready, {@code emulator.log}, and two that are only locked. {@code command.lock} lets
 * one command at a time look, start or stop. {@code alive.lock} is held by the emulator for as long
 * as its process lives: no other process can be taken for it, whatever number it has.
 */
record StateDirectory(Path path) {

  /**
   * {@code chosen}, or this user's: {@code $XDG_STATE_HOME/cloudkon}, {@code
   * ~/.local/state/cloudkon}.
   */
  static StateDirectory of(@Nullable Path chosen) {
    if (chosen != null) {
      return new StateDirectory(chosen.toAbsolutePath());
    }
    String xdg = System.getenv("XDG_STATE_HOME");
    if (xdg != null && Path.of(xdg).isAbsolute()) {
      return new StateDirectory(Path.of(xdg, "cloudkon"));
    }
    // As every shell says it; Java asks the system's list of users instead.
    String shells = System.getenv("HOME");
    Path home =
        shells != null && Path.of(shells).isAbsolute()
            ? Path.of(shells)
            : Path.of(System.getProperty("user.home", ""));
    if (Files.isDirectory(home) && Files.isWritable(home)) {
      return new StateDirectory(home.resolve(Path.of(".local", "state", "cloudkon")));
    }
    String user = System.getProperty("user.name", "user");
    return new StateDirectory(
        Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "cloudkon-" + user));
  }

  Path log() {
    return path.resolve("emulator.log");
  }

  private Path properties() {
    return path.resolve("emulator.properties");
  }

  private Path alive() {
    return path.resolve("alive.lock");
  }

  /** Creates the folder, readable by this user only, and waits for its lock. */
  StateLock lock() {
    try {
      Files.createDirectories(path);
      PosixFileAttributeView posix = Files.getFileAttributeView(path, PosixFileAttributeView.class);
      if (posix != null) {
        posix.setPermissions(PosixFilePermissions.fromString("rwx------"));
      }
      FileChannel channel = open(path.resolve("command.lock"));
      channel.lock();
      return new StateLock(channel);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Marks this process as the emulator, for as long as it lives. */
  StateLock holdAlive() {
    try {
      FileChannel channel = open(alive());
      if (channel.tryLock() == null) {
        throw new LocalException("Another emulator holds " + alive() + ".");
      }
      return new StateLock(channel);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Whether an emulator's process lives. To be asked under {@link #lock()} only. */
  boolean isAlive() {
    try (FileChannel channel = open(alive())) {
      return channel.tryLock() == null;
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** The emulator that lives and is ready. To be asked under {@link #lock()} only. */
  Optional<RunningEmulator> running() {
    return isAlive() ? remembered() : Optional.empty();
  }

  /** What the last emulator that became ready wrote, unless it has cleared it away. */
  Optional<RunningEmulator> remembered() {
    try {
      return RunningEmulator.parse(Files.readString(properties()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Writes it down in one piece. */
  void remember(RunningEmulator emulator) {
    try {
      Path draft = Files.createTempFile(path, "emulator", ".tmp");
      Files.writeString(draft, emulator.format());
      Files.move(draft, properties(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  void forget() {
    try {
      Files.deleteIfExists(properties());
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private LocalException unusable(IOException cause) {
    return new LocalException(
        "The state folder %s cannot be used (%s); name another one with --state-dir."
            .formatted(path, cause),
        cause);
  }
}
