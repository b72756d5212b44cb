import type { $Fetch } from 'ofetch'
import type { AccountSecurity, SecurityOverview } from './account-security-port.ts'
import { asked } from './account-errors.ts'
import type { EmbeddedIdentity } from './embedded.ts'
import { PasskeyOffer } from './passkey-offer.ts'

/** As it travels: moments are text. */
type Wire<Value> = Value extends Date
  ? string
  : Value extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Value extends object
      ? { [Key in keyof Value]: Wire<Value[Key]> }
      : Value

/** The code of the browser's passkeys is loaded when one is made or used. */
const passkeys = () => import('./browser-passkeys.ts')

/** Recovery codes as they were printed, however they are typed: `ABCDE FGHJK` is `abcde-fghjk`. */
function asPrinted(typed: string): string {
  const letters = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/**
 * The security of an account at our own server (better-auth under `/api/auth`).
 *
 * @param auth HTTP client whose addresses start at `/api/auth`.
 */
export function makeEmbeddedSecurity(
  auth: $Fetch,
  { changeSession }: Pick<EmbeddedIdentity, 'changeSession'>,
): AccountSecurity {
  const get = <Answer>(path: string) => asked(auth<Answer>(path))
  const post = <Answer>(path: string, body: Record<string, unknown> = {}) =>
    asked(auth<Answer>(path, { method: 'POST', body }))
  const tell = async (path: string, body?: Record<string, unknown>): Promise<void> => {
    await post(path, body)
  }
  /** Sends what changes the session, and waits until the identity has seen it. */
  const change = async (path: string, body: Record<string, unknown>): Promise<void> => {
    await changeSession(() => post(path, body))
  }
  const withPassword = (password: string | undefined) => (password === undefined ? {} : { password })
  /** @param suggestion Ends the wait among the browser's suggestions; without it the browser asks at once. */
  const answerWithPasskey = async (suggestion?: AbortSignal): Promise<void> => {
    const { usePasskey, areSuggested } = await passkeys()
    if (suggestion && !(await areSuggested())) throw new Error('This browser suggests no passkeys.')
    suggestion?.throwIfAborted()
    const options = await get<never>('/passkey/generate-authenticate-options')
    const response = await usePasskey(options, suggestion)
    await change('/passkey/verify-authentication', { response })
  }
  const offer = new PasskeyOffer(answerWithPasskey)

  return {
    read: async () => overviewOf(await get<Wire<SecurityOverview>>('/security')),
    confirm: (password) => tell('/security/confirm', { password }),

    async beginAuthenticator(password) {
      const answer = await post<{ totpURI: string; backupCodes: string[] }>(
        '/two-factor/enable',
        withPassword(password),
      )
      return { uri: answer.totpURI, recoveryCodes: answer.backupCodes }
    },
    finishAuthenticator: (code) => change('/two-factor/verify-totp', { code }),
    removeAuthenticator: (password) => change('/two-factor/disable', withPassword(password)),
    renewRecoveryCodes: async (password) =>
      (await post<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', withPassword(password))).backupCodes,

    async addPasskey(name) {
      const options = await get<never>('/passkey/generate-register-options')
      const response = await (await passkeys()).makePasskey(options)
      // the session has shown a second factor from now on
      await change('/passkey/verify-registration', { response, name })
    },
    renamePasskey: (id, name) => tell('/passkey/update-passkey', { id, name }),
    removePasskey: (id) => tell('/passkey/delete-passkey', { id }),

    endSession: (id) => tell('/security/end-session', { id }),
    endOtherSessions: () => tell('/security/end-other-sessions'),

    enterCode: (code, { remember }) => change('/two-factor/verify-totp', { code, trustDevice: remember }),
    enterRecoveryCode: (code, { remember }) =>
      change('/two-factor/verify-backup-code', { code: asPrinted(code), trustDevice: remember }),
    async signInWithPasskey() {
      if (await offer.withdraw()) return
      await answerWithPasskey()
    },
    offerPasskeys: () => offer.make(),
    withdrawPasskeys: () => offer.withdraw(),
  }
}

const overviewOf = (answer: Wire<SecurityOverview>): SecurityOverview => ({
  ...answer,
  passkeys: answer.passkeys.map(({ createdAt, ...passkey }) => ({
    ...passkey,
    createdAt: createdAt === null ? null : new Date(createdAt),
  })),
  sessions: answer.sessions.map(({ createdAt, seenAt, ...session }) => ({
    ...session,
    createdAt: new Date(createdAt),
    seenAt: new Date(seenAt),
  })),
})
