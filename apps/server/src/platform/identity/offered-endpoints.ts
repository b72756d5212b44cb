/**
 * Everything the embedded identity service answers below `/api/auth`, by method and exact path, each with what needs it. The library
 * registers many more endpoints, some of which name colleagues to any member; whatever is not listed here is 404. What a signed-in person
 * learns of members and invitations comes from our own callables, with permissions and the audit log.
 */
export const offeredEndpoints: Readonly<Record<string, string>> = {
  'GET /get-session': 'who is signed in, at every start',
  'GET /token': 'the token that becomes a backend session',
  'POST /sign-out': 'user menu',
  'POST /sign-in/email': 'sign-in page',
  'POST /sign-up/email': 'sign-up page, first account',
  'GET /verify-email': 'page of the link in the e-mail',
  'POST /send-verification-email': 'sign-up page, "send it again"',
  'POST /request-password-reset': 'sign-in page',
  'POST /reset-password': 'page of the link in the e-mail',
  'POST /waitlist/join': 'waitlist page',
  'POST /siwe/nonce': 'sign-in with a wallet',
  'POST /siwe/verify': 'sign-in with a wallet',
  'POST /update-user': 'own profile',
  'POST /change-password': 'own profile',
  'GET /security': 'own profile, security',
  'POST /security/confirm': 'password asked again before a factor changes',
  'POST /security/end-session': 'own profile, security',
  'POST /security/end-other-sessions': 'own profile, security',
  'POST /two-factor/enable': 'own profile, security',
  'POST /two-factor/disable': 'own profile, security',
  'POST /two-factor/generate-backup-codes': 'own profile, security',
  'POST /two-factor/verify-totp': 'sign-in, and the end of setting up the app',
  'POST /two-factor/verify-backup-code': 'sign-in without the app',
  'GET /passkey/generate-register-options': 'own profile, security',
  'POST /passkey/verify-registration': 'own profile, security',
  'POST /passkey/update-passkey': 'own profile, security',
  'POST /passkey/delete-passkey': 'own profile, security',
  'GET /passkey/generate-authenticate-options': 'sign-in page',
  'POST /passkey/verify-authentication': 'sign-in page',
  'GET /organization/list': 'choice of organization',
  'GET /organization/get-full-organization': 'the active organization, at every start; cut to what a member may see',
  'POST /organization/set-active': 'choice of organization',
  'POST /organization/create': 'choice of organization',
  'POST /organization/update': 'profile of the organization',
  'POST /organization/leave': 'profile of the organization',
  'GET /organization/list-user-invitations': 'own invitations',
  'GET /organization/get-invitation': 'page of the link in the e-mail',
  'POST /organization/accept-invitation': 'own invitations',
  'POST /organization/reject-invitation': 'own invitations',
}

/** The answer to an address that is not offered, null for one that is. */
export function refuseUnoffered(request: Request): Response | null {
  const path = new URL(request.url).pathname.slice('/api/auth'.length)
  if (Object.hasOwn(offeredEndpoints, `${request.method} ${path}`)) return null
  const body = { code: 'NOT_FOUND', message: 'There is nothing at this address.' }
  return Response.json(body, { status: 404, headers: { 'cache-control': 'no-store' } })
}
