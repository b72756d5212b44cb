import type { TimeFormat } from '@tour-ops/contract/fields'
import type { Locale } from '@tour-ops/contract/locales'
import type { StaffRole } from '@tour-ops/contract/tours/tour-terms'
import { nameInEmail } from '../../platform/channels/email-text.ts'
import type { NoticeText } from '../../platform/notices.ts'
import { roleNames } from '../../platform/operations/role-names.ts'
import { plural } from '../../platform/plural.ts'
import { dateTag, timesIn, zonedTimes } from '../../platform/zoned-times.ts'
import { type CrewWords, crewWords } from './crew-words.ts'

/** What a person has to know of an assignment: `crew_view()` of the database. */
export interface CrewView {
  readonly state: 'assigned' | 'offered' | 'none'
  readonly startsAt: string
  readonly endsAt: string
  readonly reportAt: string | null
  readonly language: string | null
  /** Of the itinerary; null for a departure without one. */
  readonly revision: number | null
  readonly vehicles: readonly string[]
  readonly weatherNote: string | null
}

/** What happened to an assignment since the person was last told. */
export type CrewNews = keyof CrewWords['titles']

/** An assignment as it was known and as it is. */
export interface ChangedAssignment {
  readonly was: CrewView
  readonly now: CrewView
  readonly role: StaffRole
  readonly respondBy: Date | null
  readonly tourName: string
  readonly timeZone: string
  readonly timeFormat: TimeFormat
  readonly isCancelled: boolean
  /** What the publishers of new revisions wrote. */
  readonly changeNotes: readonly string[]
}

/** Undefined where nothing of it concerns the person: what was taken back in time, and what never was theirs. */
export function newsOf({ was, now }: Pick<ChangedAssignment, 'was' | 'now'>): CrewNews | undefined {
  if (was.state !== now.state) {
    if (now.state === 'none') return was.state === 'offered' ? 'offer_ended' : 'ended'
    return now.state
  }
  if (now.state === 'none') return undefined
  const { state: _, ...known } = was
  const { state: __, ...current } = now
  return JSON.stringify(sorted(known)) === JSON.stringify(sorted(current)) ? undefined : 'changed'
}

const sorted = (view: object) => Object.entries(view).toSorted(([a], [b]) => a.localeCompare(b))

/** One notice about one or several assignments: of one all that changed, of several what happened to which. */
export function newsText(changed: readonly ChangedAssignment[], locale: Locale): NoticeText {
  const [first, ...others] = changed.map((one) => textOfOne(one, locale))
  if (!first) return { title: '', body: '' }
  if (others.length === 0) return first
  return {
    title: plural(changed.length, ...crewWords[locale].changes, locale),
    body: [first, ...others].map(({ title }) => title).join('\n'),
  }
}

function textOfOne(changed: ChangedAssignment, locale: Locale): NoticeText {
  const words = crewWords[locale]
  const news = newsOf(changed) ?? 'changed'
  const moments = zonedTimes(dateTag(locale), changed.timeZone, changed.timeFormat, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return {
    title: `${words.titles[news]}: ${nameInEmail(changed.tourName)}, ${moments(new Date(changed.now.startsAt))}`,
    body: linesOf(changed, news, words, locale).join(' '),
  }
}

function linesOf(changed: ChangedAssignment, news: CrewNews, words: CrewWords, locale: Locale): string[] {
  const { now, role, respondBy, isCancelled, timeZone, timeFormat } = changed
  const clock = timesIn(dateTag(locale), timeZone, timeFormat, { timeStyle: 'short' })
  const moment = timesIn(dateTag(locale), timeZone, timeFormat, { dateStyle: 'medium', timeStyle: 'short' })
  if (news === 'ended' || news === 'offer_ended') return isCancelled ? [words.cancelled] : []
  if (news === 'changed') return differences(changed, words, locale)
  return [
    words.as(roleNames[locale][role]),
    ...(news === 'assigned' && now.reportAt ? [words.reportAt(clock(new Date(now.reportAt)))] : []),
    ...(news === 'offered' && respondBy ? [words.answerBy(moment(respondBy))] : []),
  ]
}

/** One sentence for each thing that is not as it was. */
function differences(
  { was, now, timeZone, timeFormat, changeNotes }: ChangedAssignment,
  { instead, none, newPlan, weather, weatherOver }: CrewWords,
  locale: Locale,
): string[] {
  const moments = timesIn(dateTag(locale), timeZone, timeFormat, { dateStyle: 'medium', timeStyle: 'short' })
  const at = (instant: string | null) => (instant === null ? none : moments(new Date(instant)))
  const languages = new Intl.DisplayNames([locale], { type: 'language' })
  const language = (tag: string | null) => (tag === null ? none : (languages.of(tag) ?? tag))
  const labels = (vehicles: readonly string[]) => vehicles.map(nameInEmail).join(', ') || none
  const pairs = [
    [instead.start, at(now.startsAt), at(was.startsAt)],
    [instead.end, at(now.endsAt), at(was.endsAt)],
    [instead.report, at(now.reportAt), at(was.reportAt)],
    [instead.vehicle, labels(now.vehicles), labels(was.vehicles)],
    [instead.language, language(now.language), language(was.language)],
  ] as const
  return [
    ...pairs.filter(([, is, before]) => is !== before).map(([say, is, before]) => say(is, before)),
    ...(now.weatherNote === was.weatherNote ? [] : [now.weatherNote === null ? weatherOver : weather(now.weatherNote)]),
    ...(now.revision === was.revision ? [] : [newPlan, ...changeNotes.map((note) => note.trim())]),
  ]
}
