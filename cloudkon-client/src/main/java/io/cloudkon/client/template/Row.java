package io.cloudkon.client.template;

import java.util.List;

/**
 * The values of one task, one from each source.
 *
 * @param number the task's number, from 1
 * @param values in the order of the sources
 */
record Row(long number, List<String> values) {}
