import { linkPlaceholder } from '@tour-ops/contract/notifications/guest-rules'

/** A text that is to be sent, with the beginning of the address that is made when it leaves. */
export const withShownLink = (body: string): string =>
  body.replace(linkPlaceholder, `${globalThis.location.origin}/share/…`)
