@NullMarked
package io.cloudkon.client.template;

import org.jspecify.annotations.NullMarked;
