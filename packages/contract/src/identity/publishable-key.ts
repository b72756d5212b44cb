/** What a publishable key of the hosted identity service contains. */
export interface PublishableKey {
  /** Development instances limit users and show a badge; real people belong in production ones. */
  readonly instance: 'production' | 'development'
  /** Host of the instance's Frontend API. */
  readonly frontendApi: string
}

/** Browsers and Node have it; this package knows neither. */
declare const atob: (encoded: string) => string

const prefixes = { pk_live_: 'production', pk_test_: 'development' } as const

/**
 * Reads a publishable key: a prefix that decides production or development, then the host of the Frontend API in base64 with a `$` at its
 * end.
 *
 * @throws Error with a message when it is not such a key.
 * @see Spec, section 9, "Identity publishable key prefixes decide production or development".
 */
export function readPublishableKey(key: string): PublishableKey {
  const prefix = (Object.keys(prefixes) as (keyof typeof prefixes)[]).find((known) => key.startsWith(known))
  if (!prefix) throw new Error('A publishable key begins with "pk_live_" or "pk_test_".')
  const host = hostIn(key.slice(prefix.length))
  if (host === null) throw new Error('The publishable key is not complete: copy it again, to its last character.')
  return { instance: prefixes[prefix], frontendApi: host }
}

function hostIn(encoded: string): string | null {
  try {
    return /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\$$/i.exec(atob(encoded))?.[1] ?? null
  } catch {
    return null // not base64 at all
  }
}
