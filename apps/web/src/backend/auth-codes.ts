/** What the hosted backend's sign-in fails with. Source: spec, section 8, "Backend auth codes". */
export const authCodes = [
  'unauthorized-domain',
  'popup-blocked',
  'popup-closed-by-user',
  'network-request-failed',
  'user-mismatch',
  'internal-error',
  'multi-factor-auth-required',
] as const
export type AuthCode = (typeof authCodes)[number]

/** `details.reason` of the `AppError` that a sign-in fails with. */
export const authReasonOf = (code: string): string => `auth/${code}`

/** The code behind such a reason; undefined for any other. */
export const authCodeOfReason = (reason: string | undefined): AuthCode | undefined =>
  authCodes.find((code) => authReasonOf(code) === reason)
