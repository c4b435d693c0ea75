package io.cloudkon.client.cli;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Defaults that belong together; an option that is given wins over them. */
enum SubmitPreset {
  /** What this program does by itself. */
  NONE("", Consistency.EXACTLY_ONCE, null),

  /** What was published: for comparison. Calls carry up to ten messages in any case. */
  ORIGINAL("original", Consistency.AT_MOST_ONCE, 1);

  private final String label;
  private final Consistency consistency;
  private final @Nullable Integer bundle;

  SubmitPreset(String label, Consistency consistency, @Nullable Integer bundle) {
    this.label = label;
    this.consistency = consistency;
    this.bundle = bundle;
  }

  Consistency consistency() {
    return consistency;
  }

  /** What one claim guards in a run of this consistency. */
  ClaimScope claim(Consistency chosen) {
    return this == ORIGINAL ? ClaimScope.asPublished(chosen) : ClaimScope.BUNDLE;
  }

  /** Tasks in each bundle; null adapts. */
  @Nullable Integer bundle() {
    return bundle;
  }

  /** {@code original}. */
  static final class Converter implements ITypeConverter<SubmitPreset> {
    @Override
    public SubmitPreset convert(String value) {
      if (value.equals(ORIGINAL.label)) {
        return ORIGINAL;
      }
      throw new TypeConversionException("expected original, not '%s'".formatted(value));
    }
  }
}
