package io.cloudkon.client.collect;

import java.util.ArrayList;
import java.util.List;

/** The fate of one receive's messages. Used by one thread. */
final class TakenMessages {
  private final int messages;

  /** The handles of those that may be deleted. */
  final List<String> handles;

  /** The keys in the blob store that their results named. */
  final List<String> keys = new ArrayList<>();

  /** The number of copies of what another thread has in hand, which answers for it. */
  int elsewhere;

  /** Whether results of the last message, or files for a while, were read from the bucket. */
  boolean fetched;

  /** The number of those that were deleted before the rest was taken. */
  private int deleted;

  TakenMessages(int messages) {
    this.messages = messages;
    this.handles = new ArrayList<>(messages);
  }

  /** Forgets those that may be deleted, because they were. */
  void nowDeleted() {
    deleted += handles.size();
    handles.clear();
    keys.clear();
  }

  /** Whether the results of all are known here, so that none has to be received again. */
  boolean allRead() {
    return handles.size() + deleted == messages;
  }

  /** Whether none comes back. */
  boolean all() {
    return handles.size() + deleted + elsewhere == messages;
  }
}
