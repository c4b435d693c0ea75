/** The metadata service of an EC2 instance (IMDSv2), and its information about the instance. */
@NullMarked
package io.cloudkon.worker.imds;

import org.jspecify.annotations.NullMarked;
