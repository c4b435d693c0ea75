package io.cloudkon.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder with the state of the background emulator, in four files: {@code emulator.properties}
 * while an emulator is ready, {@code emulator.log}, and two lock files. The holder of {@code
 * command.lock} may check, start or stop the emulator. The emulator holds {@code alive.lock} while
 * its process lives, so that no other process with a reused id is taken for it; the file names the
 * process.
 */
record StateDirectory(Path path) {
  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");

  /**
   * The folder {@code chosen}, or else this user's: {@code $XDG_STATE_HOME/cloudkon} or {@code
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
    // HOME, as in every shell; Java's user.home comes from the system's list of users instead.
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

  /** The file that the emulator locks while it lives. */
  Path alive() {
    return path.resolve("alive.lock");
  }

  /**
   * Waits for the folder's lock. Creates the folder, for this user only, if it does not exist.
   *
   * @throws LocalException if others have access to the folder, or if it belongs to another user
   */
  StateLock lock() {
    try {
      Files.createDirectories(path, privately());
      checkPrivate();
      FileChannel channel = open(path.resolve("command.lock"));
      channel.lock();
      return new StateLock(channel);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static FileAttribute<?>[] privately() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNERS)}
        : new FileAttribute<?>[0];
  }

  /** The mode is checked before anything is written. */
  private void checkPrivate() throws IOException {
    PosixFileAttributeView posix = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (posix == null) {
      return;
    }
    Set<PosixFilePermission> mode = posix.readAttributes().permissions();
    if (!OWNERS.containsAll(mode)) {
      throw new LocalException(
          "The state folder %s is accessible to others (%s), and the emulator's credentials would be in it; name a new folder with --state-dir, or make this one yours alone: chmod 700 '%s'"
              .formatted(path, PosixFilePermissions.toString(mode), path));
    }
    Path mine = Files.createTempFile(path, "owner", ".tmp");
    UserPrincipal me = Files.getOwner(mine);
    Files.delete(mine);
    UserPrincipal owner = posix.getOwner();
    if (!owner.equals(me)) {
      throw new LocalException(
          "The state folder %s belongs to %s; name one of your own with --state-dir."
              .formatted(path, owner.getName()));
    }
  }

  /** Marks this process as the emulator while it lives. */
  StateLock holdAlive() {
    try {
      FileChannel channel = open(alive());
      if (channel.tryLock() == null) {
        channel.close();
        throw new LocalException("Another emulator holds " + alive() + ".");
      }
      String own = BackgroundProcess.here(ProcessHandle.current().pid()).format();
      channel.truncate(0).write(ByteBuffer.wrap(own.getBytes(StandardCharsets.UTF_8)));
      return new StateLock(channel);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /**
   * Whether an emulator's process lives. If not, forgets which one was the last. Call it only under
   * {@link #lock()}.
   */
  boolean isAlive() {
    try (FileChannel channel = open(alive())) {
      if (channel.tryLock() == null) {
        return true;
      }
      channel.truncate(0);
      return false;
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /**
   * The emulator's process, if it is alive and has said so. One of an earlier version says so when
   * it is ready, and leaves the number of its predecessor in the file that it locks. Call it only
   * under {@link #lock()}.
   */
  Optional<BackgroundProcess> process() {
    try {
      Optional<BackgroundProcess> named = BackgroundProcess.parse(Files.readString(alive()));
      return remembered()
          .map(RunningEmulator::pid)
          .filter(pid -> named.stream().noneMatch(process -> process.pid() == pid))
          .map(BackgroundProcess::here)
          .or(() -> named);
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** The emulator that is alive and ready. Call it only under {@link #lock()}. */
  Optional<RunningEmulator> running() {
    return isAlive() ? remembered() : Optional.empty();
  }

  /** The last emulator that became ready, unless it has removed its file. */
  Optional<RunningEmulator> remembered() {
    try {
      return RunningEmulator.parse(Files.readString(properties()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Writes the emulator's file atomically. */
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
