/**
 * The parts of EC2 that CloudKon uses: fleets, instances, launch templates, and checks before a
 * launch.
 */
@NullMarked
package io.cloudkon.core.aws.ec2;

import org.jspecify.annotations.NullMarked;
