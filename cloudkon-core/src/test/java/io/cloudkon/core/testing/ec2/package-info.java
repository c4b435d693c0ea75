/** EC2 at the wire, on loopback, with pools that refuse and answers that are lost. */
@NullMarked
package io.cloudkon.core.testing.ec2;

import org.jspecify.annotations.NullMarked;
