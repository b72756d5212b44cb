import type { SentDocument } from '@tour-ops/contract/bookings/billing'
import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { isoOrNull } from '../list-query.ts'

/** What the log calls a message with an invoice, a credit note or a receipt: the guest must have it. */
export const documentMessage = 'billing_document'

/** Number of a document of a booking; null where the booking has no such document. */
export async function selectDocumentNumber(
  tx: Tx,
  orgId: string,
  bookingId: string,
  id: string,
): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`
    select number from billing_documents where org_id = ${orgId} and id = ${id} and booking_id = ${bookingId}`.execute(
    tx,
  )
  return rows[0]?.number ?? null
}

/**
 * Number of a document for a message that is about to leave: null where its booking has no such document, or where that was cancelled, or its
 * payment voided, since the message was written. Who sends one that was cancelled before means it.
 */
export async function selectValidNumber(
  tx: Tx,
  orgId: string,
  {
    messageId,
    bookingId,
    documentId,
  }: { readonly messageId: string; readonly bookingId: string; readonly documentId: string },
): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`
    select d.number from billing_documents d join messages m on m.org_id = d.org_id and m.id = ${messageId}
    where d.org_id = ${orgId} and d.id = ${documentId} and d.booking_id = ${bookingId}
      and not exists (select from billing_documents c where c.org_id = d.org_id and c.cancels_id = d.id and c.issued_at > m.created_at)
      and not exists (select from payments p where p.org_id = d.org_id and p.id = d.payment_id and p.voided_at > m.created_at)`.execute(
    tx,
  )
  return rows[0]?.number ?? null
}

/** The last message with a document that left, or is to leave; null where there is none. What was taken back does not count. */
export async function selectSentDocument(tx: Tx, orgId: string, id: string): Promise<SentDocument | null> {
  const { rows } = await sql<Omit<SentDocument, 'sentAt'> & { sentAt: Date | null }>`
    select d.recipient as "to", d.channel, d.status, d.sent_at as "sentAt"
    from messages m join deliveries d on d.org_id = m.org_id and d.message_id = m.id and d.status <> 'suppressed'
    where m.org_id = ${orgId} and m.audience ->> 'documentId' = ${id}
    order by m.created_at desc, m.id desc limit 1`.execute(tx)
  const [row] = rows
  return row ? { ...row, sentAt: isoOrNull(row.sentAt) } : null
}
