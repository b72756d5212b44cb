import { type UnitType, unitTypes } from '@tour-ops/contract/units'
import { meaningOf, unitWords } from './recognized-values.ts'

/** How many guests of each kind. */
export type PartyCounts = Partial<Record<UnitType, number>>

export interface PartyText {
  /** Empty where the text is only a number of guests. */
  readonly units: PartyCounts
  /** Guests whose kind the text does not say. */
  readonly guests: number
}

/** Guests of one booking at most. Source: contract, guests of a booking. */
export const maxGuests = 500

const separators = /[,;+&\n/|]| and | und | y | et | e | con /i
const countFirst = /^(\d{1,4})\s*[x×*]?\s*(.*)$/i
const countLast = /^(.*?)\s*[:=x×*]?\s*(\d{1,4})$/i

/**
 * `4 Adults`, `2 Adults, 1 Child (8)`, `Adult x 2`, `Erwachsene: 2; Kinder: 1`, `3`. Ages and conditions in brackets are
 * left aside.
 *
 * @param own Words of the file with their meanings.
 * @returns undefined for anything else, also where only a part is not understood.
 */
export function partyOf(text: string, own: Readonly<Record<string, string>>): PartyText | undefined {
  const units: PartyCounts = {}
  let guests = 0
  const parts = partsOf(text)
  for (const part of parts) {
    const { count, word } = countAndWord(part)
    if (count === undefined) return undefined
    if (word === '' || guestWords.has(word.toLowerCase())) {
      guests += count
      continue
    }
    const unit = meaningOf(unitWords, word, own)
    if (!unit) return undefined
    units[unit] = (units[unit] ?? 0) + count
  }
  return parts.length === 0 ? undefined : { units, guests }
}

const partsOf = (text: string): string[] =>
  text
    .replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Words behind a count that are no kind of guest yet; a person may say what they mean. */
export const unknownKindsIn = (text: string, own: Readonly<Record<string, string>>): string[] =>
  partsOf(text).flatMap((part) => {
    const { count, word } = countAndWord(part)
    const isKnown = word === '' || guestWords.has(word.toLowerCase()) || meaningOf(unitWords, word, own) !== undefined
    return count === undefined || isKnown ? [] : [word]
  })

/** `2 adult, 1 child`, in our codes. */
export const countsText = (units: PartyCounts): string =>
  unitTypes.flatMap((type) => (units[type] ? [`${units[type]} ${type}`] : [])).join(', ')

/** Words for guests of no certain kind. */
const guestWords: ReadonlySet<string> = new Set(
  'pax,px,guest,guests,people,persons,person,participant,participants,traveler,travelers,traveller,travellers,gast,gäste,personen,teilnehmer,reisende,persona,personas,pasajero,pasajeros,viajeros,personne,personnes,participants,voyageurs,persone,partecipanti,ospiti,viaggiatori'.split(
    ',',
  ),
)

function countAndWord(part: string): { count: number | undefined; word: string } {
  const first = countFirst.exec(part)
  if (first) return { count: Number(first[1]), word: (first[2] ?? '').trim() }
  const last = countLast.exec(part)
  if (last) return { count: Number(last[2]), word: (last[1] ?? '').trim() }
  return { count: undefined, word: part }
}

/** A count in a column of its own; a dash is none. */
export function countOf(text: string): number | undefined {
  if (/^[-–—]$/.test(text)) return 0
  const whole = /^(\d{1,4})(?:[.,]0+)?$/.exec(text)
  return whole ? Number(whole[1]) : undefined
}

export const sumOf = (units: PartyCounts): number => Object.values(units).reduce((sum, count) => sum + count, 0)

/** Kinds in the order in which guests without one get theirs: who leads a party is grown up. */
const leadFirst: readonly UnitType[] = ['adult', 'senior', 'student', 'military', 'family', 'youth', 'other']
const inOrder: readonly UnitType[] = [...leadFirst, ...unitTypes.filter((type) => !leadFirst.includes(type))]

/** The kinds of a party one by one, those who may lead it first. */
export const kindsOf = (units: PartyCounts): UnitType[] =>
  inOrder.flatMap((type) => Array.from({ length: Math.min(units[type] ?? 0, maxGuests) }, () => type))
