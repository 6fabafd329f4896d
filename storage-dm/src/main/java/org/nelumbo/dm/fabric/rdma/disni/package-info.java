/**
 * DiSNI between the engine and libibverbs ({@code provider=disni}): its objects open the device,
 * register memory and make queue pairs. Where its native library is not installed, {@code
 * ForeignProvider} does by foreign functions what the engine needs of it.
 *
 * <p>Entry type: {@link org.nelumbo.dm.fabric.rdma.disni.DisniDomain}.
 */
package org.nelumbo.dm.fabric.rdma.disni;
