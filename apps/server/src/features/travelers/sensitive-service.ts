import { AppError } from '@tour-ops/contract/errors'
import { revealTraveler, saveTravelerDocument } from '@tour-ops/contract/travelers'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import { notFound } from '../../platform/optimistic-lock.ts'
import { SealedText } from '../../platform/sealed-text.ts'
import { type Verb, verb } from '../../platform/verb.ts'

/** Dispatchers look only while it matters for a tour. Source: product description, section 5.10. */
const dispatcherHours = 48

interface Hidden {
  medicalNote: string | null
  dateOfBirth: string | null
  near: boolean
}

const reveal = verb(revealTraveler, async (call, { id, fields }) => {
  const { rows } = await sql<Hidden>`
    select p.medical_note as "medicalNote", p.date_of_birth as "dateOfBirth",
      exists (select from manifest_entries m join departures d on d.org_id = m.org_id and d.id = m.departure_id
        where m.org_id = t.org_id and m.traveler_id = t.id and m.status <> 'cancelled' and d.ends_at > app_now()
          and d.starts_at < app_now() + make_interval(hours => ${dispatcherHours})) as near
    from travelers t left join traveler_private p on p.org_id = t.org_id and p.traveler_id = t.id
    where t.org_id = ${call.orgId} and t.id = ${id} and t.archived_at is null`.execute(call.tx)
  const hidden = rows[0]
  if (!hidden) throw notFound('traveler')
  if (call.role === 'dispatcher' && !hidden.near) {
    throw new AppError('permission-denied', `Dispatchers see this only within ${dispatcherHours} hours of a tour.`, {
      details: { reason: 'outside_duty_window', hours: dispatcherHours },
    })
  }
  await sql`select record_event('travelers-reveal', 'travelers', ${id}, ${JSON.stringify({ fields })}::jsonb)`.execute(
    call.tx,
  )
  return {
    medicalNote: fields.includes('medical') ? hidden.medicalNote : null,
    dateOfBirth: fields.includes('date_of_birth') ? hidden.dateOfBirth : null,
    documents: fields.includes('documents') ? await openDocuments(call, id) : [],
  }
})

async function openDocuments(call: MemberCall, travelerId: string): Promise<{ id: string; number: string }[]> {
  const box = new SealedText(call.config.secret)
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    select id, number_encrypted as sealed from traveler_documents
     where org_id = ${call.orgId} and traveler_id = ${travelerId} and number_encrypted is not null`.execute(call.tx)
  return rows.map(({ id, sealed }) => ({ id, number: box.open(Buffer.from(sealed)) }))
}

const saveDocument = verb(saveTravelerDocument, async (call, { travelerId, id, kind, number, country, expiresOn }) => {
  const sealed = new SealedText(call.config.secret).seal(number)
  const hint = number.slice(-4)
  const statement = id
    ? sql<{ id: string; version: number }>`
        update traveler_documents set kind = ${kind}, number_encrypted = ${sealed}, number_last4 = ${hint},
          country = ${country}, expires_on = ${expiresOn}
         where org_id = ${call.orgId} and traveler_id = ${travelerId} and id = ${id}
        returning id, version`
    : sql<{ id: string; version: number }>`
        insert into traveler_documents (org_id, id, traveler_id, kind, number_encrypted, number_last4, country, expires_on)
        values (${call.orgId}, ${newId()}, ${travelerId}, ${kind}, ${sealed}, ${hint}, ${country}, ${expiresOn})
        returning id, version`
  const { rows } = await statement.execute(call.tx)
  if (!rows[0]) throw notFound('document')
  return rows[0]
})

export const sensitiveVerbs: Verb[] = [reveal, saveDocument]
