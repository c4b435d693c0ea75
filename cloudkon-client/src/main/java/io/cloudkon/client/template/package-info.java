/**
 * Tasks made of a command line: a command with placeholders, and the values that take their places.
 * Command and {@link io.cloudkon.client.template.Rows} meet in {@link
 * io.cloudkon.client.template.TemplateLines}, which is a workload like any other.
 */
@NullMarked
package io.cloudkon.client.template;

import org.jspecify.annotations.NullMarked;
