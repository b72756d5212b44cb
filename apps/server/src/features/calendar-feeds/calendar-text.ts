import ical, { ICalEventStatus } from 'ical-generator'
import type { Feed } from './feed-departures.ts'

const product = { company: 'Tour operations', product: 'Departures' }
/** How often calendars that follow such advice ask again, seconds. */
const askAgainAfterS = 15 * 60

/**
 * The feed as an iCalendar file. Times are UTC: whatever reads it shows them in its own zone. Nothing in it depends on when it is made, so that
 * an unchanged feed is the same text. Source: RFC 5545; `X-WR-…` as calendars read it.
 *
 * @param publicUrl Where the screens are.
 */
export function calendarText({ organizationName, timeZone, subjectName, departures }: Feed, publicUrl: string): string {
  const calendar = ical({
    prodId: product,
    name: [subjectName, organizationName].filter(Boolean).join(' · '),
    ttl: askAgainAfterS,
  })
  calendar.x([{ key: 'X-WR-TIMEZONE', value: timeZone }])
  for (const departure of departures) {
    const { id, version, changedAt, code, tourName, startsAt, endsAt, isCancelled, firstStop } = departure
    const runSheet = new URL(`/dashboard/overview?departure=${id}`, publicUrl).href
    calendar.createEvent({
      id,
      sequence: version,
      stamp: changedAt,
      lastModified: changedAt,
      start: startsAt,
      end: endsAt,
      summary: `${tourName} · ${code}`,
      status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      description: runSheet,
      url: runSheet,
      location: firstStop && {
        title: [firstStop.name, firstStop.address].filter(Boolean).join(', '),
        geo: { lat: firstStop.lat, lon: firstStop.lng },
      },
    })
  }
  return calendar.toString()
}
