package io.cloudkon.client.cli;

import io.cloudkon.core.model.ClaimScope;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts {@code bundle}, {@code task} and {@code once}; the last is only allowed with a preset.
 */
final class ClaimConverter implements ITypeConverter<ClaimScope> {
  @Override
  public ClaimScope convert(String value) {
    for (ClaimScope scope : ClaimScope.values()) {
      if (scope.label().equals(value)) {
        return scope;
      }
    }
    throw new TypeConversionException("expected bundle or task, not '%s'".formatted(value));
  }
}
