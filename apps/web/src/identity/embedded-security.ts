import type { $Fetch } from 'ofetch'
import type { AccountSecurity, SecurityOverview } from './account-security-port.ts'
import { asked } from './account-errors.ts'
import type { EmbeddedIdentity } from './embedded.ts'

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
  const answerWithPasskey = async (isSuggestion: boolean): Promise<void> => {
    const options = await get<never>('/passkey/generate-authenticate-options')
    const response = await (await passkeys()).usePasskey(options, isSuggestion)
    await change('/passkey/verify-authentication', { response })
  }

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
      await tell('/passkey/verify-registration', { response, name })
    },
    renamePasskey: (id, name) => tell('/passkey/update-passkey', { id, name }),
    removePasskey: (id) => tell('/passkey/delete-passkey', { id }),

    endSession: (id) => tell('/security/end-session', { id }),
    endOtherSessions: () => tell('/security/end-other-sessions'),

    enterCode: (code, { remember }) => change('/two-factor/verify-totp', { code, trustDevice: remember }),
    enterRecoveryCode: (code, { remember }) =>
      change('/two-factor/verify-backup-code', { code: asPrinted(code), trustDevice: remember }),
    signInWithPasskey: () => answerWithPasskey(false),
    async offerPasskeys() {
      try {
        if (!(await (await passkeys()).areSuggested())) return false
        await answerWithPasskey(true)
        return true
      } catch {
        // The person signs in another way, or leaves the page; whoever wants to know why presses the button.
        return false
      }
    },
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
