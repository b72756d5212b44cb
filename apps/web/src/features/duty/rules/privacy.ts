import type { DutyDay } from '@tour-ops/contract/duty/duty-phone'
import type { PhoneState } from '../store/phone.ts'

/** Why the office sees no position of somebody on duty: not agreed, none from the phone, or none that is taken. */
export type Unseen = 'consent' | Exclude<PhoneState['tracking'], 'on' | 'off'>

/** What the line about being seen says. `none`: no positions are ever recorded, as with a link. */
export type Privacy =
  | { readonly kind: 'none' | 'off-duty' }
  /** On duty, and the office sees no position. */
  | { readonly kind: 'unseen'; readonly since: string; readonly because: Unseen }
  | { readonly kind: 'break'; readonly since: string }
  | { readonly kind: 'seen'; readonly since: string }

export function privacyOf(duty: DutyDay['duty'], tracking: PhoneState['tracking']): Privacy {
  if (duty === null) return { kind: 'none' }
  const { session, consentVersion } = duty
  if (session === null || session.status !== 'open') return { kind: 'off-duty' }
  if (session.breakStartedAt !== null) return { kind: 'break', since: session.breakStartedAt }
  const since = session.startedAt
  if (session.consentVersion !== consentVersion) return { kind: 'unseen', since, because: 'consent' }
  return tracking === 'on' || tracking === 'off'
    ? { kind: 'seen', since }
    : { kind: 'unseen', since, because: tracking }
}

/** Whether beginning duty asks first: the text that counts now was never answered. */
export const asksConsent = (duty: NonNullable<DutyDay['duty']>): boolean =>
  duty.consent?.version !== duty.consentVersion
