package io.cloudkon.core.protocol.health;

/**
 * A problem of a worker, not of its tasks, that prevents it from starting tasks. Two instances of
 * one type have the same cause, whatever their details are. Immutable.
 */
public sealed interface Sickness {

  /** The message of the operating system or the service, in one line. */
  String detail();

  /** The cause and its detail in one line, without a full stop at its end. */
  default String reason() {
    String cause =
        switch (this) {
          case Scratch _ -> "its temporary file system cannot be written";
          case Processes _ -> "it cannot start processes";
          case Memory _ -> "it is out of memory";
          case BlobStore _ -> "the blob store refuses it";
          case Service _ -> "a service refuses it";
        };
    return detail().isEmpty() ? cause : cause + ": " + detail();
  }

  /** Whether running tasks may cause it, so that stopping them may cure it. */
  default boolean mayBeOfTasks() {
    return switch (this) {
      case Scratch _, Processes _, Memory _ -> true;
      case BlobStore _, Service _ -> false;
    };
  }

  /** The file system of {@code java.io.tmpdir} is full, read-only, or gone. */
  record Scratch(String detail) implements Sickness {}

  /** No process can be started, neither a guard nor a command. */
  record Processes(String detail) implements Sickness {}

  /** The heap is exhausted, or no thread can be started. */
  record Memory(String detail) implements Sickness {}

  /** The blob store refuses access to objects that tasks need. */
  record BlobStore(String detail) implements Sickness {}

  /** SQS or DynamoDB refuses a call that the worker cannot do without. */
  record Service(String detail) implements Sickness {}
}
