package io.cloudkon.core.cli;

import java.util.Optional;

/** A command that recognizes options of similar programs, which its users may try by habit. */
public interface ForeignOptions {
  /**
   * Returns what this command has instead.
   *
   * @param option the option as it was written, without a value after {@code =}
   * @return a clause for the error message; empty if the option is not recognized
   */
  Optional<String> instead(String option);
}
