import type { Openings } from '../../http/openings.ts'
import { clerkIssuer, type ClerkSettings } from './clerk-settings.ts'

/**
 * The hosted service's script and interface come from its own host, or through a proxy path of ours; it looks for robots in frames of
 * Cloudflare and of its own, and its form elements carry style elements.
 *
 * @see https://clerk.com/docs/guides/secure/best-practices/csp-headers
 */
export function clerkOpenings(clerk: ClerkSettings, publicUrl: string): Openings {
  const { origin } = new URL(clerkIssuer(clerk, publicUrl))
  const own = origin === publicUrl ? '' : origin
  const guards = 'https://challenges.cloudflare.com https://*.protect.clerk.com'
  return {
    script: `${own} ${guards}`,
    connect: `${own} ${guards}:*`,
    image: 'https://img.clerk.com',
    worker: 'blob:',
    style: "'unsafe-inline'",
    frame: guards,
  }
}
