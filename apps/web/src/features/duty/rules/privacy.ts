import type { DutyDay } from '@tour-ops/contract/duty/duty-phone'
import type { PhoneState } from '../store/phone.ts'

/** What the line about being seen says. `none`: nobody's position is ever taken, as with a link. */
export type Privacy =
  | { readonly kind: 'none' | 'off-duty' }
  /** On duty, and the office sees no position: not agreed, or the phone gives none. */
  | { readonly kind: 'unseen'; readonly since: string; readonly because: 'consent' | 'denied' | 'unavailable' }
  | { readonly kind: 'break'; readonly since: string }
  | { readonly kind: 'seen'; readonly since: string }

export function privacyOf(duty: DutyDay['duty'], tracking: PhoneState['tracking']): Privacy {
  if (duty === null) return { kind: 'none' }
  const { session, consentVersion } = duty
  if (session === null || session.status !== 'open') return { kind: 'off-duty' }
  if (session.breakStartedAt !== null) return { kind: 'break', since: session.breakStartedAt }
  const since = session.startedAt
  if (session.consentVersion !== consentVersion) return { kind: 'unseen', since, because: 'consent' }
  if (tracking === 'denied' || tracking === 'unavailable') return { kind: 'unseen', since, because: tracking }
  return { kind: 'seen', since }
}

/** Whether beginning duty asks first: the text that counts now was never answered. */
export const asksConsent = (duty: NonNullable<DutyDay['duty']>): boolean =>
  duty.consent?.version !== duty.consentVersion
