import type { Locale } from '@tour-ops/contract/locales'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { nameInEmail, oneLine } from '../../platform/channels/email-text.ts'
import { type NoticeCall, sendNotice } from '../../platform/notices.ts'
import { isPoor } from '../../platform/operations/poor-rating.ts'
import { type OpenLink, partyOf } from '../../platform/operations/open-link.ts'
import { selectPeopleWith } from '../../platform/people-with.ts'

interface Ratings {
  readonly tourRating: number
  readonly guideRating: number | null
}

const fewestStars = ({ tourRating, guideRating }: Ratings): number => Math.min(tourRating, guideRating ?? tourRating)

/** Whether what a party says now is poor, and what it said before was not. */
export async function isNewlyPoor(tx: Tx, orgId: string, said: Ratings, before: Ratings | null): Promise<boolean> {
  const isPoorNow = ({ tourRating, guideRating }: Ratings) =>
    isPoor(orgId, { tour: sql`${tourRating}::int`, guide: sql`${guideRating}::int` })
  const { rows } = await sql<{ is: boolean }>`
    select ${isPoorNow(said)} and not ${before ? isPoorNow(before) : sql`false`} as is`.execute(tx)
  return rows[0]?.is ?? false
}

const titles: Readonly<Record<Locale, (stars: number, tour: string) => string>> = {
  en: (stars, tour) => `${stars} of 5 stars: ${tour}`,
  de: (stars, tour) => `${stars} von 5 Sternen: ${tour}`,
  es: (stars, tour) => `${stars} de 5 estrellas: ${tour}`,
}

/** Tells whoever plans departures that a party was unhappy, while somebody can still call. */
export async function tellOfPoorRating(
  call: NoticeCall,
  link: OpenLink,
  said: Ratings & { readonly comment: string | null },
): Promise<void> {
  const { tx, orgId } = call
  const bookingId = partyOf(link)
  const { rows } = await sql<{ tour: string; contact: string }>`
    select t.name as tour, b.contact_name as contact from bookings b
      join departures d on d.org_id = b.org_id and d.id = b.departure_id join tours t on t.org_id = d.org_id and t.id = d.tour_id
    where b.org_id = ${orgId} and b.id = ${bookingId}`.execute(tx)
  const [about] = rows
  if (!about) return
  const stars = fewestStars(said)
  const tour = nameInEmail(about.tour)
  const body = [nameInEmail(about.contact), oneLine(said.comment ?? '', 160)].filter(Boolean).join(': ')
  for (const userId of await selectPeopleWith(tx, orgId, 'departures:manage')) {
    await sendNotice(call, userId, {
      event: 'poor_rating',
      link: `/travelers/list?booking=${bookingId}`,
      text: (locale) => ({ title: titles[locale](stars, tour), body }),
    })
  }
}
