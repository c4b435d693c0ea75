package io.cloudkon.worker.execute.spawn;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The variables that commands inherit from this process, with the bytes that it got. Immutable and
 * thread safe.
 */
public final class Variables {
  private final Arena arena = Arena.ofAuto();
  private final Map<String, MemorySegment> inherited = new LinkedHashMap<>();

  /**
   * Reads the variables of this process.
   *
   * @param passes whether a variable of this name is inherited
   * @param changed variables that replace those of the same names, or are added
   */
  public Variables(Predicate<String> passes, Map<String, String> changed) {
    for (byte[] entry : entries()) {
      String name = name(entry);
      if (passes.test(name)) {
        MemorySegment copy = arena.allocate(entry.length + 1L);
        MemorySegment.copy(entry, 0, copy, JAVA_BYTE, 0, entry.length);
        inherited.put(name, copy);
      }
    }
    changed.forEach((name, value) -> inherited.put(name, arena.allocateFrom(checked(name, value))));
  }

  @SuppressWarnings("restricted") // as in Libc
  private static List<byte[]> entries() {
    List<byte[]> entries = new ArrayList<>();
    MemorySegment all =
        Libc.environ().reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0).reinterpret(Long.MAX_VALUE);
    for (int i = 0; ; i++) {
      MemorySegment entry = all.getAtIndex(ADDRESS, i);
      if (entry.address() == 0) {
        return entries;
      }
      MemorySegment text = entry.reinterpret(Long.MAX_VALUE);
      int length = 0;
      while (text.get(JAVA_BYTE, length) != 0) {
        length++;
      }
      entries.add(text.asSlice(0, length).toArray(JAVA_BYTE));
    }
  }

  private static String name(byte[] entry) {
    String text = new String(entry, UTF_8);
    int end = text.indexOf('=', 1); // as Java reads it
    return end < 0 ? text : text.substring(0, end);
  }

  /**
   * These variables and a command's own ones, as a program gets them.
   *
   * @throws IllegalArgumentException if an environment cannot hold one of the command's own
   *     variables
   */
  MemorySegment with(Map<String, String> own, SegmentAllocator memory) {
    MemorySegment pointers = memory.allocate(ADDRESS, inherited.size() + own.size() + 1L);
    int count = 0;
    for (Map.Entry<String, MemorySegment> entry : inherited.entrySet()) {
      if (!own.containsKey(entry.getKey())) {
        pointers.setAtIndex(ADDRESS, count++, entry.getValue());
      }
    }
    for (Map.Entry<String, String> entry : own.entrySet()) {
      pointers.setAtIndex(
          ADDRESS, count++, memory.allocateFrom(checked(entry.getKey(), entry.getValue())));
    }
    pointers.setAtIndex(ADDRESS, count, MemorySegment.NULL);
    return pointers;
  }

  private static String checked(String name, String value) {
    if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "Invalid environment variable name: \"%s\"".formatted(name));
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "Invalid environment variable value: \"%s\"".formatted(value));
    }
    return name + '=' + value;
  }
}
