package io.cloudkon.local;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * Leaves the shell's session, so that neither Ctrl-C nor the end of the shell reaches this process.
 */
final class OwnSession {
  private OwnSession() {}

  /** Calls {@code setsid(2)}, if the system has it. */
  @SuppressWarnings("restricted") // one call without arguments; the manifest allows it
  static void enter() {
    Linker linker = Linker.nativeLinker();
    try (Arena arena = Arena.ofConfined()) {
      Optional<MemorySegment> setsid = linker.defaultLookup().find("setsid");
      if (setsid.isPresent()) {
        int _ =
            (int)
                linker
                    .downcallHandle(setsid.get(), FunctionDescriptor.of(ValueLayout.JAVA_INT))
                    .invokeExact();
      }
    } catch (Throwable e) {
      throw new LocalException("The background process cannot leave its shell's session: " + e, e);
    }
  }
}
