package io.cloudkon.core.model;

import io.cloudkon.core.config.Labels;

/** How a worker provides the shipped files that each command finds as if they were fresh. */
public enum ShippedFiles {
  /** Each slot has copies; before a command starts, whatever was changed is copied again. */
  REUSED("copied once for each slot and restored before each command"),
  /** Each command has copies of its own. */
  COPIED("copied anew for each command");

  private final String text;

  ShippedFiles(String text) {
    this.text = text;
  }

  /** Its name in {@code report.json}, in {@code status --json} and on the wire. */
  public String label() {
    return Labels.of(this);
  }

  /** The same, for people. */
  public String text() {
    return text;
  }
}
