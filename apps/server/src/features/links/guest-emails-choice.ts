import type { SharedEmails } from '@tour-ops/contract/links/shared-page'
import { type ContactChoice, selectContactChoice, writeOptOut } from '../../platform/channels/opt-outs.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type OpenLink, linkOver } from '../../platform/operations/open-link.ts'

/** What the contact of the link's booking gets; null on other links, and for a contact who cannot be reached. */
export async function selectGuestEmails(tx: Tx, link: OpenLink): Promise<SharedEmails | null> {
  const contact = link.kind === 'booking_guest' && (await selectContactChoice(tx, link.orgId, link.subjectId))
  return contact ? asShown(contact) : null
}

/** @throws AppError `not-found` as where there is no such link. */
export async function writeGuestEmails(tx: Tx, link: OpenLink, wanted: boolean): Promise<SharedEmails> {
  const contact = link.kind === 'booking_guest' && (await writeOptOut(tx, link.orgId, link.subjectId, wanted))
  if (!contact) throw linkOver()
  return asShown(contact)
}

/** A link may be passed on: its address is known to who has it already. */
const asShown = ({ channel, address, isOptedOut, isByText }: ContactChoice): SharedEmails => {
  const [name = ''] = address
  const isEmail = channel === 'email'
  const shown = isEmail ? `${name}…${address.slice(address.lastIndexOf('@'))}` : `…${address.slice(-3)}`
  return { channel, address: shown, isOptedOut, isStopped: isByText }
}
