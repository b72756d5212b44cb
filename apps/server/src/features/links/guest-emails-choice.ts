import type { SharedEmails } from '@tour-ops/contract/links/shared-page'
import { type ContactEmails, selectContactEmails, writeOptOut } from '../../platform/channels/opt-outs.ts'
import type { Tx } from '../../platform/db/database.ts'
import { type OpenLink, linkOver } from '../../platform/operations/open-link.ts'

/** Which e-mails the contact of the link's booking gets; null on other links, and for a contact without an address. */
export async function selectGuestEmails(tx: Tx, link: OpenLink): Promise<SharedEmails | null> {
  const contact = link.kind === 'booking_guest' && (await selectContactEmails(tx, link.orgId, link.subjectId))
  return contact ? asShown(contact) : null
}

/** @throws AppError `not-found` as where there is no such link. */
export async function writeGuestEmails(tx: Tx, link: OpenLink, wanted: boolean): Promise<SharedEmails> {
  const contact = link.kind === 'booking_guest' && (await writeOptOut(tx, link.orgId, link.subjectId, wanted))
  if (!contact) throw linkOver()
  return asShown(contact)
}

/** A link may be passed on: its address is known to who has it already. */
const asShown = ({ address, isOptedOut }: ContactEmails): SharedEmails => {
  const [name = ''] = address
  return { address: `${name}…${address.slice(address.lastIndexOf('@'))}`, isOptedOut }
}
