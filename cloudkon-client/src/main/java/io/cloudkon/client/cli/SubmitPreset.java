package io.cloudkon.client.cli;

import io.cloudkon.core.model.ClaimScope;
import io.cloudkon.core.model.Consistency;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A set of defaults; options that are given override them. */
enum SubmitPreset {
  /** The normal defaults. */
  NONE("", Consistency.EXACTLY_ONCE, null),

  /** The published system, for comparison. Calls carry up to ten messages in any case. */
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

  /** The scope of a claim in a run of this consistency. */
  ClaimScope claim(Consistency chosen) {
    return this == ORIGINAL ? ClaimScope.asPublished(chosen) : ClaimScope.BUNDLE;
  }

  /** The number of tasks in each bundle; null for an adaptive number. */
  @Nullable Integer bundle() {
    return bundle;
  }

  /** Converts {@code original}. */
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
