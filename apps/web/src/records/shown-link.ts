import { withLinkLine } from '@tour-ops/contract/notifications/link-line'

/** A text that is to be sent, with the beginning of the address that is made when it leaves. */
export const withShownLink = (body: string): string => withLinkLine(body, `${globalThis.location.origin}/share/…`)
