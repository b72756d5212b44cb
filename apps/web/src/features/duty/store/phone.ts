import type { DutyDay, NewDutyEvent } from '@tour-ops/contract/duty/duty-phone'
import type { TokenEnd } from '@tour-ops/contract/tracking/duty-fixes'
import { create } from 'zustand'
import { shownDay, type StoredEvent, type ShownDay } from './shown-day.ts'

/** Who uses the phone: nobody is known yet, a person with an account, somebody with a run sheet link, or a person who must sign in again. */
export type PhonePerson =
  | 'unknown'
  | 'member'
  | 'link'
  | 'signed-out'
  | 'expired'
  | 'not-staff'
  | 'link-over'
  | 'link-early'

/** Why nothing that this phone reports is taken: by whom its token was ended, as far as the office says so. */
export type ReportingEnd = TokenEnd | 'unknown'

export interface PhoneState {
  /** False until the phone's own storage was read. */
  readonly isReady: boolean
  readonly person: PhonePerson
  /** When a link opens that is not open yet, ISO 8601; null for one that is. */
  readonly opensAt: string | null
  /** The office's last answer, unchanged. */
  readonly day: DutyDay | null
  /** In the order of doing; those that are answered stay until the next day has them in. */
  readonly kept: readonly StoredEvent[]
  /** Null with a signal; since when there is none. */
  readonly offlineSince: Date | null
  readonly isSending: boolean
  /** False where the browser keeps nothing (no secure address, no storage): marks then last as long as the page. */
  readonly isKept: boolean
  /** Another build of this application is waiting; it is taken with the next start. */
  readonly hasUpdate: boolean
  /** How positions are taken: `off` without duty, consent or during a break; or why the office no longer accepts any from this phone. */
  readonly tracking: 'off' | 'on' | 'denied' | 'unavailable' | ReportingEnd
  /** Where the phone is, while it reports; null otherwise. Never stored as such. */
  readonly place: { readonly lat: number; readonly lng: number; /** ISO 8601. */ readonly at: string } | null
}

export const usePhone = create<PhoneState>(() => ({
  isReady: false,
  person: 'unknown',
  opensAt: null,
  day: null,
  kept: [],
  offlineSince: null,
  isSending: false,
  isKept: true,
  hasUpdate: false,
  tracking: 'off',
  place: null,
}))

/** An event without what the phone itself adds. */
export type EventDraft = NewDutyEvent extends infer E ? (E extends unknown ? Omit<E, 'id' | 'at'> : never) : never

/** What screens can do. Everything is stored on the phone first and answered from there; nothing waits for the office. */
export interface PhoneActions {
  /** Keeps what was done and sends it as soon as there is a signal. @returns The ids of the events, for `takeBack`. */
  record(...drafts: readonly EventDraft[]): Promise<readonly string[]>
  /** Deletes events that the office does not have yet, as if they had never been done. @returns Whether all of them could be. */
  takeBack(ids: readonly string[]): Promise<boolean>
  /** Asks the office now. Never rejects. */
  refresh(): Promise<void>
  /** Forgets a refusal that was read. */
  dismiss(id: string): Promise<void>
  /** Reports positions from this phone again after another phone replaced it; that other phone is then no longer paired. */
  reportHere(): Promise<void>
  /** Ends the session. The day is gone from the phone at once; what waits stays, encrypted, for the same person. */
  signOut(): Promise<void>
}

let actions: PhoneActions | undefined

/** Called once by the entry, and by tests with theirs. */
export function providePhone(given: PhoneActions): void {
  actions = given
}

/** @throws Error before `providePhone`: a programming error. */
export function phone(): PhoneActions {
  if (!actions) throw new Error('providePhone must be called before a screen acts')
  return actions
}

let lastShown: { day: DutyDay; kept: readonly StoredEvent[]; shown: ShownDay } | undefined

/** The day with what was done here on top; the same object until either changes. */
export function useShownDay(): ShownDay | null {
  return usePhone(({ day, kept }) => {
    if (!day) return null
    if (lastShown?.day !== day || lastShown.kept !== kept) lastShown = { day, kept, shown: shownDay(day, kept) }
    return lastShown.shown
  })
}

/** Events that the office does not have yet. */
export const useWaiting = (): number => usePhone(({ kept }) => kept.filter(({ outcome }) => outcome === null).length)
