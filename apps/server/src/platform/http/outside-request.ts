import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { lookup as lookUp } from 'node:dns/promises'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Why an address that somebody typed gave no answer. */
export type OutsideFault =
  /** It is in the network of the server, where only the installation's settings allow requests. */
  | 'private'
  /** Nobody answers there, or not in time. */
  | 'silent'
  /** The answer is longer than anything we asked for. */
  | 'too_long'

export class OutsideError extends Error {
  override readonly name = 'OutsideError'
  readonly fault: OutsideFault

  constructor(fault: OutsideFault, cause?: unknown) {
    super(`No answer from outside: ${fault}`, { cause })
    this.fault = fault
  }
}

export interface OutsideRequest {
  readonly url: URL
  /** JSON that is posted; without it the address is got. */
  readonly body?: unknown
  /** Posted as it is in the place of `body`; `headers` say what it is. */
  readonly text?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Hosts that may be in the server's own network, as `name` or `name:port`. */
  readonly trustedHosts: readonly string[]
  readonly timeoutMs: number
  readonly maxBytes: number
  /** A longer answer is cut instead of refused. */
  readonly isCut?: boolean
  readonly signal?: AbortSignal
}

export interface OutsideAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Addresses that are no place of the public internet. Source: RFC 6890 and the IANA registries of special-purpose addresses. */
const notPublic = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv4')
}
// of IPv6 only what is handed out to the world is let through, and of that not what carries an IPv4 address
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6')
}

/** Whether an IP address is in the public internet. */
export const isPublicAddress = (address: string): boolean =>
  isIP(address) === 6
    ? publicV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
    : isIP(address) === 4 && !notPublic.check(address, 'ipv4')

/**
 * Asks an address that somebody of an organization typed in. The server is inside a network that they are not in: addresses that are not public are refused
 * unless the installation trusts the host, at the moment of connecting, so that a name cannot change its mind between a check and its use.
 * Redirects are not followed.
 *
 * @throws OutsideError; the reason of the signal when it is aborted.
 */
export async function askOutside(request: OutsideRequest): Promise<OutsideAnswer> {
  const { url, trustedHosts, timeoutMs, signal } = request
  const trusted = isTrusted(url, trustedHosts)
  const literal = literalOf(url)
  // no name is looked up for these
  if (!trusted && isIP(literal) !== 0 && !isPublicAddress(literal)) throw new OutsideError('private')
  const over = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  try {
    return await send(request, trusted ? undefined : publicOnly, over)
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof OutsideError ? error : new OutsideError('silent', error)
  }
}

function send(
  outside: OutsideRequest,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
  connection: 'kept' | 'new' = 'kept',
): Promise<OutsideAnswer> {
  const { url, body, headers, maxBytes, isCut = false } = outside
  const { promise, resolve: answer, reject } = Promise.withResolvers<OutsideAnswer>()
  const text = outside.text ?? (body === undefined ? undefined : JSON.stringify(body))
  const options = {
    method: text === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal,
    ...(lookup && { lookup }),
    ...(connection === 'new' && { agent: false as const }),
  }
  const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = () => {
      const bytes = Buffer.concat(chunks).subarray(0, maxBytes)
      answer({ status: response.statusCode ?? 0, headers: response.headers, bytes })
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= maxBytes) return
      if (isCut) end()
      request.destroy(new OutsideError('too_long'))
    })
    response.on('end', end)
    response.on('error', reject)
  })
  request.on('error', (error: NodeJS.ErrnoException) => {
    // the other side closed a connection that was kept open, just when it was used again
    if (request.reusedSocket && error.code === 'ECONNRESET') answer(send(outside, lookup, signal, 'new'))
    else reject(error)
  })
  request.end(text)
  return promise
}

/**
 * Whether an address is in the network of the server, by what its name says now: for entries, which `askOutside` checks again. A name that
 * nobody knows is not.
 */
export async function isInside(url: URL, trustedHosts: readonly string[]): Promise<boolean> {
  if (isTrusted(url, trustedHosts)) return false
  const literal = literalOf(url)
  if (isIP(literal) !== 0) return !isPublicAddress(literal)
  const addresses = await lookUp(literal, { all: true }).catch(() => [])
  return !addresses.every(({ address }) => isPublicAddress(address))
}

/** Whether the installation lets organizations ask a host in the server's own network. */
export const isTrusted = (url: URL, trustedHosts: readonly string[]): boolean =>
  trustedHosts.includes(url.host) || trustedHosts.includes(url.hostname)

const literalOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** Looks a name up and refuses it where any of its addresses is not public. */
const publicOnly: LookupFunction = (hostname, options: LookupOptions, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, [])
    if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new OutsideError('private'), [])
    const [first] = addresses
    if (options.all === true || !first) done(null, addresses)
    else done(null, first.address, first.family)
  })
}
