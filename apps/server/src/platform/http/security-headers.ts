import type { ServerResponse } from 'node:http'
import type { Config } from '../../config.ts'
import { openingsOf } from '../../openings.ts'

/**
 * Headers of every answer but those of passive files (`dropDocumentHeaders`). The policy allows our own origin only: no inline script, no inline style (React sets `style`
 * through the CSS object model, which the policy does not concern), no frame. Map hosts are the one opening, by configuration,
 * since the policy is older than any organization's settings; a hosted identity service adds its own. See ARCHITECTURE.md, "Where the specification is silent".
 */
export function securityHeaders(config: Config): ReadonlyArray<readonly [string, string]> {
  const maps = config.map.styleHosts.join(' ')
  const opened = openingsOf(config)
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${opened.script}`,
    `style-src 'self' ${opened.style}`,
    `img-src 'self' data: blob: ${opened.image} ${maps}`,
    "font-src 'self'",
    `connect-src 'self' ${opened.connect} ${maps}`,
    `worker-src 'self' ${opened.worker}`,
    ...(opened.frame === '' ? [] : [`frame-src ${opened.frame}`]),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  const isHttps = config.publicUrl.startsWith('https:')
  return [
    [
      'content-security-policy',
      policy.map((rule) => rule.trim().replaceAll(/ +/g, ' ')).join('; ') +
        (isHttps ? '; upgrade-insecure-requests' : ''),
    ],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    // share links carry a token in their path
    ['referrer-policy', 'same-origin'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['permissions-policy', 'geolocation=(self), camera=(self), microphone=(), payment=(), usb=()'],
    ...(isHttps ? [['strict-transport-security', 'max-age=31536000; includeSubDomains'] as const] : []),
  ]
}

/**
 * What an answer keeps that a document only refers to, such as a style sheet or a font: nobody guesses its type, no other site embeds it,
 * and whether the connection ends. Policies of documents and workers mean nothing on it.
 */
const headersOfPassiveFiles = new Set(['x-content-type-options', 'cross-origin-resource-policy', 'connection'])

/** Takes off a passive file what is for documents. To be called before the headers of the file itself are set. */
export function dropDocumentHeaders(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) if (!headersOfPassiveFiles.has(name)) response.removeHeader(name)
}
