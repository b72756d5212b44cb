/** A piece of what names the makers of tiles: a text, or a link to them. */
export interface Credit {
  readonly text: string
  readonly href?: string
}

/** Longer than any list of makers; somebody else wrote it. */
const maxLength = 300

/** Texts and links of what tiles say about their makers, which is HTML of somebody else: nothing else of it is shown. */
export function creditsOf(texts: readonly string[]): Credit[] {
  return texts.flatMap((text, at) => {
    const { body } = new DOMParser().parseFromString(text.slice(0, 5000), 'text/html')
    return [...(at > 0 ? [{ text: ' · ' }] : []), ...[...body.childNodes].flatMap(creditOf)]
  })
}

function creditOf(node: ChildNode): Credit[] {
  if (node instanceof HTMLScriptElement || node instanceof HTMLStyleElement) return []
  const text = (node.textContent ?? '').replaceAll(/\s+/g, ' ').slice(0, maxLength)
  if (text === '') return []
  const href = node instanceof HTMLAnchorElement ? node.href : ''
  return [/^https?:/.test(href) ? { text, href } : { text }]
}
