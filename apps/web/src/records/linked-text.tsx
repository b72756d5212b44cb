import { isLinkLine } from '@tour-ops/contract/notifications/link-line'
import { internalPath } from '../addresses/navigate-to.ts'
import { m } from '../paraglide/messages.js'

/** The text of an e-mail; addresses of this application can be followed, all others stay words. The guest's own is only in what was sent. */
export function LinkedText({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+|^[^\S\n]*\{link\}[^\S\n]*$)/m).map((piece, at) => (
    // The same pieces are in the same places as long as the text is the same.
    // eslint-disable-next-line react/no-array-index-key -- see above
    <Piece key={at} text={piece} />
  ))
}

function Piece({ text }: { text: string }) {
  if (isLinkLine(text)) return <span className="text-ink-2">{m.notifications_guest_page()}</span>
  const path = text.startsWith('http') ? internalPath(text) : undefined
  if (path === undefined) return text
  return (
    <a href={path} className="link">
      {text}
    </a>
  )
}
