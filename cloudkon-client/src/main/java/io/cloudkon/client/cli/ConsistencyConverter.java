package io.cloudkon.client.cli;

import io.cloudkon.core.model.Consistency;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts {@code exactly-once}, {@code at-most-once} and {@code at-least-once}. */
final class ConsistencyConverter implements ITypeConverter<Consistency> {
  @Override
  public Consistency convert(String value) {
    for (Consistency consistency : Consistency.values()) {
      if (consistency.label().equals(value)) {
        return consistency;
      }
    }
    throw new TypeConversionException(
        "expected exactly-once, at-most-once or at-least-once, not '%s'".formatted(value));
  }
}
