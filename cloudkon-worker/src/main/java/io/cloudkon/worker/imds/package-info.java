/** The metadata service of an EC2 instance (IMDSv2), and what it says of the instance. */
@NullMarked
package io.cloudkon.worker.imds;

import org.jspecify.annotations.NullMarked;
