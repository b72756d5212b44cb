import type { Config } from '../../config.ts'

/**
 * Headers of every answer. The policy allows our own origin only: no inline script, no inline style (React sets `style`
 * through the CSS object model, which the policy does not concern), no frame. Map hosts are the one opening, by configuration,
 * since the policy is older than any organization's settings. Source: architecture, section 8, "page config", "map close up".
 */
export function securityHeaders(config: Config): ReadonlyArray<readonly [string, string]> {
  const maps = config.map.styleHosts.join(' ')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${maps}`,
    "font-src 'self'",
    `connect-src 'self' ${maps}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  const isHttps = config.publicUrl.startsWith('https:')
  return [
    [
      'content-security-policy',
      policy.map((rule) => rule.trim()).join('; ') + (isHttps ? '; upgrade-insecure-requests' : ''),
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
