package io.cloudkon.core.model;

import io.cloudkon.core.config.Labels;

/** The way in which a worker provides each command with unchanged shipped files. */
public enum ShippedFiles {
  /** Each command sees them by a mount of its own, which takes its changes. */
  MOUNTED("mounted for each command, without a copy"),
  /** Each slot has copies; before a command starts, whatever was changed is copied again. */
  REUSED("copied once for each slot and restored before each command"),
  /** Each command has its own copies. */
  COPIED("copied anew for each command");

  private final String text;

  ShippedFiles(String text) {
    this.text = text;
  }

  /** Its name in {@code report.json}, in {@code status --json} and on the wire. */
  public String label() {
    return Labels.of(this);
  }

  /** A description for display. */
  public String text() {
    return text;
  }
}
