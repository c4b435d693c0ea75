/**
 * One contract suite per port: the same tests on every adapter, each of which brings a {@link
 * io.cloudkon.core.contract.ClusterFixture}.
 */
@NullMarked
package io.cloudkon.core.contract;

import org.jspecify.annotations.NullMarked;
