/**
 * The Java API of CloudKon. Start with {@link io.cloudkon.client.api.Session}.
 *
 * <p>Besides the types of this package and of the JDK, the API uses only these public types: {@link
 * io.cloudkon.core.model.TaskStatus}, {@link io.cloudkon.core.model.Consistency}, and the errors
 * {@link io.cloudkon.core.error.CloudKonException} and {@link
 * io.cloudkon.core.error.UsageException}. Everything else in CloudKon's jars may change at any
 * time.
 */
@NullMarked
package io.cloudkon.client.api;

import org.jspecify.annotations.NullMarked;
