/**
 * DiSNI between the engine and libibverbs ({@code provider=disni}): its objects open the device,
 * register memory and make queue pairs. Where its native library is not installed, {@link
 * org.nelumbo.dm.fabric.rdma.disni.ForeignProvider} does what that would: it is a provider of
 * DiSNI's interface by foreign functions, atomics included, for any program that is written against
 * it.
 *
 * <p>Entry type: {@link org.nelumbo.dm.fabric.rdma.disni.DisniDomain}.
 */
package org.nelumbo.dm.fabric.rdma.disni;
