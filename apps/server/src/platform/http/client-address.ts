import type { IncomingMessage } from 'node:http'

/** The header from which the identity library takes the client's address for its limits; what a client sent there is overwritten. */
export const clientAddressHeader = 'x-client-address'

/**
 * The address of the client. Without proxies it is the socket's; behind `hops` of them it is the entry that the outermost
 * trusted proxy wrote into `x-forwarded-for`, counted from the right, since everything further left is the client's own word.
 */
export function clientAddress(request: IncomingMessage, hops: number): string | null {
  const socket = plainAddress(request.socket.remoteAddress ?? null)
  if (hops === 0) return socket
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  return plainAddress(forwarded.at(-hops) ?? forwarded[0] ?? null) ?? socket
}

/** True when nobody outside this computer or its private network can have this address. */
export function isPrivateAddress(address: string | null): boolean {
  if (address === null) return false
  return (
    address === '::1' ||
    /^f[cd][0-9a-f]{2}:/i.test(address) ||
    /^(127|10)(\.\d{1,3}){3}$/.test(address) ||
    /^192\.168(\.\d{1,3}){2}$/.test(address) ||
    /^172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}$/.test(address)
  )
}

/** `::ffff:10.0.0.1` is `10.0.0.1`; a port behind an IPv4 address goes. */
function plainAddress(address: string | null): string | null {
  if (!address) return null
  const plain = address.replace(/^::ffff:/i, '').replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/, '$1')
  return /^[0-9a-f.:]{2,45}$/i.test(plain) ? plain : null
}
