import type { Locale } from '@tour-ops/contract/locales'
import { severities } from '@tour-ops/contract/monitoring/alerts'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import type { NoticeText } from '../../platform/notices.ts'
import { roleNames } from '../../platform/operations/role-names.ts'
import { plural } from '../../platform/plural.ts'
import { dateTag, dayName, timesIn, zonedTimes } from '../../platform/zoned-times.ts'
import type { DigestFacts, DigestSchedule, NamedDeparture } from './digest-facts.ts'
import { type DigestLabels, digestLabels } from './digest-labels.ts'

/** Entries of a list; of the others it has the number. */
const maxEntries = 20

export interface DigestLetter {
  readonly facts: DigestFacts
  readonly schedule: DigestSchedule
  /** Where the screens are. */
  readonly publicUrl: string
  /** Whether the reader asked for it now, and it is not the one of the day. */
  readonly isAsked: boolean
}

/** One list of the digest: its heading with the number, and below it the entries, each with the screen that fixes it. */
interface Section {
  readonly heading: string
  readonly entries: readonly { readonly text: string; readonly path: string }[]
  readonly path?: string
}

/** Over which screen departures of tomorrow are shown. */
const boardOf = ({ tomorrow }: DigestFacts): string => `/dashboard/overview?day=${tomorrow}`

/** Where the short form leads. */
export const digestPath = boardOf

/** Where a person chooses what they are notified of. */
const preferencesPath = '/settings/notifications#mine'

/** For the bell and browsers: figures without names. */
export function digestSummary(letter: DigestLetter, locale: Locale): NoticeText {
  const lines = sectionsOf(letter, locale).map(({ heading }) => heading)
  return { title: titleOf(letter, locale), body: lines.length > 0 ? lines.join(' · ') : restText(letter, locale) }
}

export function digestEmail(letter: DigestLetter, locale: Locale): { subject: string; body: string } {
  const { facts, schedule, publicUrl, isAsked } = letter
  const labels = digestLabels[locale]
  const address = (path: string) => publicUrl + path
  const sections = sectionsOf(letter, locale)
  const rest = restText(letter, locale)
  const at = new Date(`2000-01-01T${schedule.at ?? '00:00'}:00Z`)
  const clock = timesIn(dateTag(locale), 'UTC', schedule.timeFormat, { timeStyle: 'short' })(at)
  const blocks = [
    [
      [capital(dayName(facts.tomorrow, locale, 'long')), figuresOf(facts, labels, locale)].join(': '),
      address(boardOf(facts)),
    ],
    ...(rest === '' ? [] : [[rest]]),
    ...sections.map(({ heading, entries, path }) => [
      heading,
      ...entries.slice(0, maxEntries).flatMap(({ text, path: fix }) => [`- ${text}`, `  ${address(fix)}`]),
      ...(entries.length > maxEntries ? [plural(entries.length - maxEntries, ...labels.more, locale)] : []),
      ...(path === undefined ? [] : [address(path)]),
    ]),
    [isAsked ? labels.footerAsked : labels.footer(clock), address(preferencesPath)],
  ]
  return { subject: titleOf(letter, locale), body: blocks.map((lines) => lines.join('\n')).join('\n\n') }
}

const titleOf = ({ facts }: DigestLetter, locale: Locale): string =>
  digestLabels[locale].title(dayName(facts.tomorrow, locale, 'short'), figuresOf(facts, digestLabels[locale], locale))

/** What is said where nothing is to be prepared; empty where something is. */
const restText = ({ facts }: DigestLetter, locale: Locale): string =>
  facts.departures > 0 && facts.unready.length === 0 ? digestLabels[locale].allReady : ''

function figuresOf({ departures, guests, seats }: DigestFacts, labels: DigestLabels, locale: Locale): string {
  if (departures === 0) return labels.noDepartures
  return [
    plural(departures, ...labels.departures, locale),
    plural(guests, ...labels.guests, locale),
    plural(seats, ...labels.seats, locale),
  ].join(', ')
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Lists that have something; the gravest of tomorrow first, then what is open, then today. */
function sectionsOf({ facts, schedule }: DigestLetter, locale: Locale): Section[] {
  const labels = digestLabels[locale]
  const numbers = new Intl.NumberFormat(locale)
  const format = (count: number) => numbers.format(count)
  const nameOf = ({ startsAt, timeZone, tourName }: NamedDeparture): string => {
    const times = timeZone === schedule.timeZone ? timesIn : zonedTimes
    const timeOf = times(dateTag(locale), timeZone, schedule.timeFormat, { timeStyle: 'short' })
    return `${timeOf(startsAt)} ${nameInEmail(tourName)}`
  }
  const drawer = (path: string, { id }: NamedDeparture) => `${path}${path.includes('?') ? '&' : '?'}departure=${id}`
  const list = <Row>(
    heading: keyof DigestLabels['headings'],
    rows: readonly Row[],
    entry: (row: Row) => Section['entries'][number],
  ): Section => ({ heading: `${labels.headings[heading]}: ${format(rows.length)}`, entries: rows.map(entry) })
  const sections = [
    list('unready', facts.unready, (row) => ({
      text: `${nameOf(row)}: ${row.failing.map((check) => labels.failing[check]).join(', ')}`,
      path: drawer(boardOf(facts), row),
    })),
    list('openRoles', facts.openRoles, (row) => ({
      text: `${nameOf(row)}: ${row.roles.map((role) => roleNames[locale][role]).join(', ')}`,
      path: drawer(`/field-staff/list?show=planner&from=${facts.tomorrow}`, row),
    })),
    list('unanswered', facts.unanswered, (row) => ({
      text: `${nameOf(row)}: ${nameInEmail(row.staffName)}`,
      path: drawer(`/field-staff/list?show=planner&from=${facts.tomorrow}`, row),
    })),
    alertsOf(facts, labels, format),
    list('late', facts.late, (row) => ({
      text: `${nameOf(row)}: ${labels.minutesLate(format(row.minutes))}`,
      path: drawer('/dashboard/overview', row),
    })),
    list('ratings', facts.ratings, ({ tourName, contactName, stars, bookingId }) => ({
      text: `${labels.stars(stars)}: ${nameInEmail(tourName)}, ${nameInEmail(contactName)}`,
      path: `/travelers/list?booking=${bookingId}`,
    })),
  ]
  return sections.filter(({ entries, path }) => entries.length > 0 || path !== undefined)
}

/** Alerts by severity; how many of each is enough, the board has the rest. */
function alertsOf({ alerts }: DigestFacts, labels: DigestLabels, format: (count: number) => string): Section {
  const counted = severities.toReversed().filter((severity) => alerts[severity] > 0)
  const parts = counted.map((severity) => `${labels.severities[severity]}: ${format(alerts[severity])}`)
  return {
    heading: `${labels.headings.alerts}: ${parts.join(', ')}`,
    entries: [],
    ...(counted.length > 0 && { path: '/tools/monitoring' }),
  }
}
