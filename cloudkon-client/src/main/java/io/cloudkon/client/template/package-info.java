/**
 * Tasks from a command line: a command with placeholders, and the values that replace them. {@link
 * io.cloudkon.client.template.TemplateLines} combines the command with the {@link
 * io.cloudkon.client.template.Rows} to a workload like any other.
 */
@NullMarked
package io.cloudkon.client.template;

import org.jspecify.annotations.NullMarked;
