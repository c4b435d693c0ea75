package io.cloudkon.client.workload;

import java.nio.file.FileSystems;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The permissions of copies of workloads that were in no file of the user's: people pipe tasks to
 * keep what they hold, such as passwords, from others. Stateless.
 */
final class OwnerOnly {
  private OwnerOnly() {}

  /** For a new file that only its owner may read and write; none where files have no such thing. */
  static FileAttribute<?>[] attributes() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
