/** Launches workers as EC2 instances. */
@NullMarked
package io.cloudkon.provisioner.launch.ec2;

import org.jspecify.annotations.NullMarked;
