import type { TourContent } from '@tour-ops/contract/tours/tour-content'
import type { Tour } from '@tour-ops/contract/tours/tours'

/** An unsaved new tour in this browser: it survives a reload and a lost connection. */
export interface ConstructorDraft<Values> {
  values: Values
  /** ISO 8601. */
  savedAt: string
  content: Pick<TourContent, 'days' | 'stops'>
  /** Names and positions of the places in it. */
  places: Tour['places']
}

const keyOf = (orgId: string): string => `tour-constructor ${orgId}`

/** The draft of an organization, or null when there is none that can be read. */
export function readDraft<Values>(orgId: string): ConstructorDraft<Values> | null {
  try {
    const text = localStorage.getItem(keyOf(orgId))
    const draft: unknown = text === null ? null : JSON.parse(text)
    return isDraft<Values>(draft) ? draft : null
  } catch {
    // Storage may be switched off, or hold what an older build wrote.
    return null
  }
}

const isDraft = <Values>(value: unknown): value is ConstructorDraft<Values> =>
  typeof value === 'object' && value !== null && 'values' in value && 'content' in value && 'places' in value

/** Keeps a draft, or drops it. */
export function keepDraft<Values>(orgId: string, draft: ConstructorDraft<Values> | null): void {
  try {
    if (draft) localStorage.setItem(keyOf(orgId), JSON.stringify(draft))
    else localStorage.removeItem(keyOf(orgId))
  } catch {
    // The draft then lasts as long as the page.
  }
}
