package io.cloudkon.client.cli;

import io.cloudkon.core.model.Priority;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts {@code low}, {@code normal} and {@code high}. */
final class PriorityConverter implements ITypeConverter<Priority> {
  @Override
  public Priority convert(String value) {
    for (Priority priority : Priority.values()) {
      if (priority.label().equals(value)) {
        return priority;
      }
    }
    throw new TypeConversionException("expected low, normal or high, not '%s'".formatted(value));
  }
}
