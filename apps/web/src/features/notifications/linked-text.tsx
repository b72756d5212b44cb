import { linkPlaceholder } from '@tour-ops/contract/notifications/guest-rules'
import { internalPath } from '../../addresses/navigate-to.ts'
import { m } from '../../paraglide/messages.js'

/** The text of an e-mail; addresses of this application can be followed, all others stay words. The guest's own is only in what was sent. */
export function LinkedText({ text }: { text: string }) {
  return text.split(/(https?:\/\/\S+|\{link\})/).map((piece, at) => {
    const path = piece.startsWith('http') ? internalPath(piece) : undefined
    if (piece === linkPlaceholder) {
      return (
        // The same pieces are in the same places as long as the text is the same.
        // eslint-disable-next-line react/no-array-index-key -- see above
        <span key={at} className="text-ink-2">
          {m.notifications_guest_page()}
        </span>
      )
    }
    return path === undefined ? (
      piece
    ) : (
      // eslint-disable-next-line react/no-array-index-key -- see above
      <a key={at} href={path} className="link">
        {piece}
      </a>
    )
  })
}
