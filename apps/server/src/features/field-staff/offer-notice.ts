import type { TimeFormat } from '@tour-ops/contract/fields'
import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import type { MemberCall } from '../../context.ts'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import { dateTag, zonedTimes } from '../../platform/zoned-times.ts'
import { type NoticeText, sendNotice } from '../../platform/notices.ts'
import type { DepartureSpan } from './assignments-store.ts'

interface Offer {
  readonly tour: string
  readonly start: string
  readonly answerBy: string
}

const words: Readonly<Record<Locale, (offer: Offer) => NoticeText>> = {
  en: ({ tour, start, answerBy }) => ({
    title: `Assignment offer: ${tour}, ${start}`,
    body: `Please reply by ${answerBy}.`,
  }),
  de: ({ tour, start, answerBy }) => ({
    title: `Einsatzangebot: ${tour}, ${start}`,
    body: `Bitte antworten Sie bis ${answerBy}.`,
  }),
  es: ({ tour, start, answerBy }) => ({
    title: `Oferta de asignación: ${tour}, ${start}`,
    body: `Responda antes del ${answerBy}.`,
  }),
}

/** Notifies those who got an offer and have an account; times are those of the tour and name its zone. */
export async function notifyOffered(
  call: MemberCall,
  departure: DepartureSpan,
  staffIds: readonly string[],
  respondBy: Date,
): Promise<void> {
  const { rows } = await sql<{ userId: string; tour: string; timeFormat: TimeFormat }>`
    select m.user_id as "userId", t.name as tour, s.time_format as "timeFormat" from members m join org_settings s on s.org_id = m.org_id
    join departures d on d.org_id = m.org_id and d.id = ${departure.id} join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where m.org_id = ${call.orgId} and m.staff_id = any (${[...staffIds]}::uuid[])`.execute(call.tx)
  for (const { userId, tour, timeFormat } of rows) {
    await sendNotice(call, userId, {
      event: 'assignment_offered',
      link: `/dashboard/overview?departure=${departure.id}`,
      text: (locale) => {
        const timeOf = zonedTimes(dateTag(locale), departure.timeZone, timeFormat, {
          dateStyle: 'medium',
          timeStyle: 'short',
        })
        return words[locale]({
          tour: nameInEmail(tour),
          start: timeOf(departure.startsAt),
          answerBy: timeOf(respondBy),
        })
      },
    })
  }
}
