/**
 * DiSNI between the engine and libibverbs ({@code provider=disni}): its objects open the device,
 * register memory and create queue pairs. If its native library is not installed, {@code
 * ForeignProvider} implements the parts that the engine needs by foreign calls.
 *
 * <p>Entry type: {@link org.nelumbo.dm.fabric.rdma.disni.DisniDomain}.
 */
package org.nelumbo.dm.fabric.rdma.disni;
