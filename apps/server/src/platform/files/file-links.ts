import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** How long a link to a private file works: long enough to load a page full of them, too short to be passed on. */
const linkLifetimeMs = 5 * 60_000

export interface LinkTarget {
  readonly orgId: string
  readonly fileId: string
  /** Who asked for the link; it works while they are a member. */
  readonly userId: string
  /** The backend session that asked, which says whether a second factor was shown. */
  readonly sessionId: string | null
  /** Name of an image size; null for the file itself. */
  readonly size: string | null
}

export interface FileLinks {
  make(target: LinkTarget, now: Date): { url: string; expiresAt: Date }
  /** What a token leads to; undefined when it was changed, made by somebody else, or is over. */
  read(token: string, now: Date): LinkTarget | undefined
}

/** Where links lead; the rest of the address is the token. */
export const linkPath = '/api/files/links/'

/** Links that carry their own right and end, signed with a key derived from the installation's secret. */
export function fileLinks(secret: string): FileLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'file links', 32))
  const signatureOf = (payload: string) => createHmac('sha256', key).update(payload).digest()
  return {
    make({ orgId, fileId, userId, sessionId, size }, now) {
      // whole minutes, so that the same image has the same address for a while and a browser may reuse what it has
      const expiresMs = Math.ceil((now.getTime() + linkLifetimeMs) / 60_000) * 60_000
      const payload = Buffer.from(JSON.stringify([orgId, fileId, userId, sessionId, size, expiresMs])).toString(
        'base64url',
      )
      const url = `${linkPath}${payload}.${signatureOf(payload).toString('base64url')}`
      return { url, expiresAt: new Date(expiresMs) }
    },
    read(token, now) {
      const [payload = '', signature = ''] = token.split('.')
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(payload)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      const [orgId, fileId, userId, sessionId, size, expiresMs] = JSON.parse(
        Buffer.from(payload, 'base64url').toString('utf8'),
      ) as [string, string, string, string | null, string | null, number]
      return now.getTime() < expiresMs ? { orgId, fileId, userId, sessionId, size } : undefined
    },
  }
}
