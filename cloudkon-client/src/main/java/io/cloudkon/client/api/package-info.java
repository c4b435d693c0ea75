/**
 * CloudKon for Java programs: {@link io.cloudkon.client.api.Session} is where to begin.
 *
 * <p>Besides the types of this package and of the JDK, a program meets only these, which are as
 * public: {@link io.cloudkon.core.model.TaskStatus}, {@link io.cloudkon.core.model.Consistency},
 * and the errors {@link io.cloudkon.core.error.CloudKonException} and {@link
 * io.cloudkon.core.error.UsageException}. Everything else in CloudKon's jars may change at any
 * time.
 */
@NullMarked
package io.cloudkon.client.api;

import org.jspecify.annotations.NullMarked;
