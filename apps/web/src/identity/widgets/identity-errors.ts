import type { AppError } from '@tour-ops/contract/errors'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'

/** What is wrong, by field; `form` for errors that belong to no field. */
export type Problems<Name extends string> = Partial<Record<Name | 'form', string>>

/** What the identity service's reasons mean to a person. */
const byReason: Readonly<Record<string, () => string>> = {
  invalid_email_or_password: () => m.identity_wrong_password(),
  invalid_email: () => m.identity_email_invalid(),
  invalid_password: () => m.identity_current_password_wrong(),
  password_too_short: () => m.identity_password_too_short(),
  password_too_long: () => m.identity_password_too_long(),
  waitlist_required: () => m.identity_sign_up_refused(),
  setup_link_invalid: () => m.identity_setup_link_invalid(),
  invalid_token: () => m.identity_link_invalid(),
  token_expired: () => m.identity_link_invalid(),
  organization_already_exists: () => m.identity_slug_taken(),
  organization_slug_already_taken: () => m.identity_slug_taken(),
  invalid_slug: () => m.identity_slug_invalid(),
  invalid_name: () => m.identity_name_invalid(),
  suspended: () => m.identity_membership_suspended(),
  last_admin: () => m.identity_last_admin(),
  you_cannot_leave_the_organization_as_the_only_owner: () => m.identity_last_admin(),
  you_cannot_leave_the_organization_without_an_owner: () => m.identity_last_admin(),
  invitation_not_found: () => m.identity_invitation_gone(),
  you_are_not_the_recipient_of_the_invitation: () => m.identity_invitation_not_yours(),
  no_wallet: () => m.identity_wallet_missing(),
  wallet_declined: () => m.identity_wallet_declined(),
  wallet_failed: () => m.identity_wallet_failed(),
  invalid_code: () => m.security_code_wrong(),
  code_used: () => m.security_code_used(),
  invalid_backup_code: () => m.security_recovery_wrong(),
  too_many_attempts_request_new_code: () => m.security_step_over(),
  invalid_two_factor_cookie: () => m.security_step_over(),
  account_temporarily_locked: () => m.security_locked(),
  authenticator_unreadable: () => m.security_app_unreadable(),
  second_factor_required: () => m.security_factor_show_first(),
  confirm_required: () => m.security_confirm_sign_in(),
  user_verification_required: () => m.security_passkey_not_unlocked(),
  passkey_cancelled: () => m.security_passkey_cancelled(),
  passkey_exists: () => m.security_passkey_exists(),
  passkey_failed: () => m.security_passkey_failed(),
  passkey_not_found: () => m.security_passkey_failed(),
  authentication_failed: () => m.security_passkey_failed(),
  challenge_not_found: () => m.security_passkey_cancelled(),
  session_ended: () => m.security_session_signed_out(),
}

/** Where a reason belongs, when the form has that field. */
const fieldOf: Readonly<Record<string, string>> = {
  invalid_email_or_password: 'password',
  invalid_email: 'email',
  invalid_password: 'current',
  password_too_short: 'password',
  password_too_long: 'password',
  organization_already_exists: 'slug',
  organization_slug_already_taken: 'slug',
  invalid_slug: 'slug',
  invalid_name: 'name',
  invalid_code: 'code',
  code_used: 'code',
  invalid_backup_code: 'recovery',
}

/** The text of a refusal of the identity service. */
export function identityErrorText(error: AppError): string {
  const { reason, retryAfterS } = error.details
  const own = reason && byReason[reason]?.()
  if (own) return own
  if (error.code === 'resource-exhausted') {
    const seconds = typeof retryAfterS === 'number' ? Math.max(1, Math.ceil(retryAfterS)) : 60
    return seconds < 120
      ? m.identity_rate_limited({ seconds })
      : m.identity_rate_limited_minutes({ minutes: Math.ceil(seconds / 60) })
  }
  return refusalText(error)
}

/** The refusal at the field that it belongs to. */
export function problemOf<Name extends string>(error: AppError, fields: readonly Name[]): Problems<Name> {
  const { reason = '' } = error.details
  // the person's present password is called so where a form has only one
  const wanted =
    reason === 'invalid_password' && fields.every((name) => name !== 'current') ? 'password' : fieldOf[reason]
  const field = fields.find((name) => name === wanted)
  return { [field ?? 'form']: identityErrorText(error) } as Problems<Name>
}

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** What is wrong with a typed address, before the server is asked. */
export const emailProblem = (email: string): string | undefined =>
  emailForm.test(email.trim()) ? undefined : m.identity_email_invalid()

/** What is wrong with a new password. */
export const passwordProblem = (password: string, minLength: number): string | undefined =>
  password.length < minLength ? m.identity_password_min({ count: minLength }) : undefined

/** Only the problems that there are. */
export function problemsIn<Name extends string>(found: Partial<Record<Name, string | undefined>>): Problems<Name> {
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message !== undefined)) as Problems<Name>
}
