import type { SharedDocument } from '@tour-ops/contract/links/shared-page'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import type { OpenLink } from '../../platform/operations/open-link.ts'

/** Invoices, credit notes and receipts of the booking of a link, the newest first; none on other links. A link of a traveler shows none: they are the contact's. */
export async function selectGuestDocuments(
  tx: Tx,
  { orgId, kind, bookingId, scopes }: OpenLink,
): Promise<SharedDocument[]> {
  if (kind !== 'booking_guest' || !scopes.documents) return []
  const { rows } = await sql<SharedDocument>`
    select d.id, d.kind, d.number, d.issued_on as "issuedOn", d.total_minor as "totalMinor", d.currency, credit.number as "cancelledByNumber",
      p.voided_at is not null as "isVoid"
    from billing_documents d
      left join billing_documents credit on credit.org_id = d.org_id and credit.cancels_id = d.id
      left join payments p on p.org_id = d.org_id and p.id = d.payment_id
    where d.org_id = ${orgId} and d.booking_id = ${bookingId}::uuid
    order by d.issued_at desc, d.kind desc, d.sequence desc`.execute(tx)
  return rows
}
