import { revealTraveler, saveTravelerDocument } from '@tour-ops/contract/travelers/travelers'
import { refuse } from '@tour-ops/contract/refusals'
import { ofGuests } from '@tour-ops/contract/sensitive-data'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { dispatcherHours, seesSensitiveOf } from '../../platform/private-fields.ts'
import type { SealedPlace } from '../../platform/sealed-text.ts'
import { type Verb, verb } from '../../platform/verb.ts'

interface Hidden {
  medicalSealed: Buffer | null
  dateOfBirth: string | null
}

/**
 * Refuses dispatchers who are outside of the hours around a tour, whether they want to see or to write.
 *
 * @throws AppError `not-found`, `permission-denied` with reason `outside_duty_window`.
 */
export async function requireSensitive(call: MemberCall, travelerId: string): Promise<void> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select ${seesSensitiveOf(call, sql`t.id`)} as "isOpen" from travelers t
    where t.org_id = ${call.orgId} and t.id = ${travelerId} and t.archived_at is null`.execute(call.tx)
  if (!rows[0]) throw notFound('traveler')
  if (rows[0].isOpen) return
  throw refuse('outside_duty_window', { hours: dispatcherHours })
}

const reveal = verb(revealTraveler, async (call, { id, fields }) => {
  await requireSensitive(call, id)
  const { rows } = await sql<Hidden>`
    select p.medical_sealed as "medicalSealed", p.date_of_birth as "dateOfBirth"
    from travelers t left join traveler_private p on p.org_id = t.org_id and p.traveler_id = t.id
    where t.org_id = ${call.orgId} and t.id = ${id} and t.archived_at is null`.execute(call.tx)
  const hidden = rows[0]
  if (!hidden) throw notFound('traveler')
  await sql`select record_event(${ofGuests.look}, 'travelers', ${id}, ${JSON.stringify({ fields })}::jsonb)`.execute(
    call.tx,
  )
  return {
    medicalNote:
      fields.includes('medical') && hidden.medicalSealed
        ? call.sealed.open(hidden.medicalSealed, medicalNoteOf(call, id))
        : null,
    dateOfBirth: fields.includes('date_of_birth') ? hidden.dateOfBirth : null,
    documents: fields.includes('documents') ? await openDocuments(call, id) : [],
  }
})

/** Where the medical note of a traveler is stored. */
export const medicalNoteOf = ({ orgId }: Pick<MemberCall, 'orgId'>, travelerId: string): SealedPlace => ({
  orgId,
  column: 'traveler_private.medical_sealed',
  id: travelerId,
})

const numberOf = ({ orgId }: MemberCall, id: string): SealedPlace => ({
  orgId,
  column: 'traveler_documents.number_encrypted',
  id,
})

async function openDocuments(call: MemberCall, travelerId: string): Promise<{ id: string; number: string }[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    select id, number_encrypted as sealed from traveler_documents
     where org_id = ${call.orgId} and traveler_id = ${travelerId} and number_encrypted is not null`.execute(call.tx)
  return rows.map(({ id, sealed }) => ({ id, number: call.sealed.open(sealed, numberOf(call, id)) }))
}

const saveDocument = verb(saveTravelerDocument, async (call, { travelerId, id, kind, number, country, expiresOn }) => {
  await requireSensitive(call, travelerId)
  const documentId = id ?? newId()
  const sealed = call.sealed.seal(number, numberOf(call, documentId))
  const hint = number.slice(-4)
  const statement = id
    ? sql<{ id: string; version: number }>`
        update traveler_documents set kind = ${kind}, number_encrypted = ${sealed}, number_last4 = ${hint},
          country = ${country}, expires_on = ${expiresOn}
         where org_id = ${call.orgId} and traveler_id = ${travelerId} and id = ${documentId}
        returning id, version`
    : sql<{ id: string; version: number }>`
        insert into traveler_documents (org_id, id, traveler_id, kind, number_encrypted, number_last4, country, expires_on)
        values (${call.orgId}, ${documentId}, ${travelerId}, ${kind}, ${sealed}, ${hint}, ${country}, ${expiresOn})
        returning id, version`
  const { rows } = await statement.execute(call.tx)
  if (!rows[0]) throw notFound('document')
  return rows[0]
})

export const sensitiveVerbs: Verb[] = [reveal, saveDocument]
