/** What CloudKon asks of EC2: fleets, instances, launch templates, and what a launch needs. */
@NullMarked
package io.cloudkon.core.aws.ec2;

import org.jspecify.annotations.NullMarked;
