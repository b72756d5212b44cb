import { isRole } from '@tour-ops/contract/access'
import { AppError, codeOfHttpStatus } from '@tour-ops/contract/errors'
import { FetchError, type $Fetch } from 'ofetch'
import type { Accounts, OwnInvitation } from './accounts-port.ts'
import type { EmbeddedIdentity } from './embedded.ts'
import { walletMessage } from './wallet-message.ts'

interface InvitationAnswer {
  id: string
  organizationName: string
  role?: string | null
  status: string
  expiresAt: string
  inviterEmail?: string | null
}

interface SignUpAnswer {
  token?: string | null
  user: { emailVerified: boolean }
}

/**
 * Accounts at our own server (better-auth under `/api/auth`).
 *
 * @param auth HTTP client whose addresses start at `/api/auth`.
 * @param page Where this application stands; wallet messages name it. Source: EIP-4361.
 */
export function makeEmbeddedAccounts(
  auth: $Fetch,
  { changeSession }: Pick<EmbeddedIdentity, 'changeSession'>,
  page: { host: string; origin: string } = location,
): Accounts {
  const get = <Answer>(path: string, query: Record<string, string> = {}) => asked(auth<Answer>(path, { query }))
  const post = <Answer>(path: string, body: Record<string, unknown> = {}) =>
    asked(auth<Answer>(path, { method: 'POST', body }))
  /** Sends what changes the session, and waits until the identity has seen it. */
  const change = async (path: string, body: Record<string, unknown>): Promise<void> => {
    await changeSession(() => post(path, body))
  }
  const tell = async (path: string, body: Record<string, unknown>): Promise<void> => {
    await post(path, body)
  }
  const signIn: Accounts['signIn'] = ({ email, password }) => change('/sign-in/email', { email, password })

  return {
    signIn,
    async signInWithWallet(wallet) {
      const { nonce } = await post<{ nonce: string }>('/siwe/nonce')
      const { host: domain, origin: uri } = page
      const { address, chainId } = wallet
      const message = walletMessage({ domain, uri, address, chainId, nonce, issuedAt: new Date() })
      await change('/siwe/verify', { message, signature: await wallet.sign(message) })
    },
    async signUp({ email, password, name, setupToken }) {
      const body = { email, password, name, ...(setupToken ? { setupToken } : {}) }
      const { user } = await post<SignUpAnswer>('/sign-up/email', body)
      // The set-up link proves the address; everybody else answers a letter first.
      if (!user.emailVerified) return 'verify-email'
      await signIn({ email, password })
      return 'signed-in'
    },
    sendVerification: (email) => tell('/send-verification-email', { email }),
    async verifyEmail(token) {
      await get('/verify-email', { token })
    },
    requestPasswordReset: (email) => tell('/request-password-reset', { email }),
    resetPassword: (token, newPassword) => change('/reset-password', { token, newPassword }),
    joinWaitlist: (email) => tell('/waitlist/join', { email }),

    rename(name) {
      const words = name.trim().split(/\s+/)
      const lastName = words.length > 1 ? words.pop() : null
      return change('/update-user', { name: name.trim(), firstName: words.join(' '), lastName })
    },
    changePassword: (currentPassword, newPassword) =>
      change('/change-password', { currentPassword, newPassword, revokeOtherSessions: true }),

    createOrganization: ({ name, slug }) => change('/organization/create', { name, slug }),
    updateOrganization: (organizationId, { name, imageUrl }) =>
      change('/organization/update', {
        organizationId,
        data: { ...(name === undefined ? {} : { name }), ...(imageUrl === undefined ? {} : { logo: imageUrl }) },
      }),
    leaveOrganization: (organizationId) => change('/organization/leave', { organizationId }),

    async listInvitations() {
      const answers = await get<InvitationAnswer[]>('/organization/list-user-invitations')
      return answers.map(invitationOf).filter(({ expiresAt }) => expiresAt > new Date())
    },
    readInvitation: async (id) => invitationOf(await get<InvitationAnswer>('/organization/get-invitation', { id })),
    acceptInvitation: (invitationId) => change('/organization/accept-invitation', { invitationId }),
    declineInvitation: (invitationId) => tell('/organization/reject-invitation', { invitationId }),
  }
}

const invitationOf = (answer: InvitationAnswer): OwnInvitation => ({
  id: answer.id,
  organizationName: answer.organizationName,
  role: isRole(answer.role) ? answer.role : null,
  expiresAt: new Date(answer.expiresAt),
  inviterEmail: answer.inviterEmail ?? null,
})

const asked = <Answer>(request: Promise<Answer>): Promise<Answer> =>
  request.catch((error: unknown) => {
    throw accountErrorOf(error)
  })

interface ErrorAnswer {
  code?: string
  message?: string
  requestId?: string
}

/** The library's refusals as errors of the application. */
function accountErrorOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof FetchError) || error.status === undefined) {
    return new AppError('unavailable', 'The server cannot be reached.', { cause: error })
  }
  const answer = (error.data ?? {}) as ErrorAnswer
  const headers = error.response?.headers
  const retryAfterS = Number(headers?.get('x-retry-after') ?? headers?.get('retry-after') ?? Number.NaN)
  const requestId = answer.requestId ?? headers?.get('x-request-id') ?? undefined
  return new AppError(codeOfHttpStatus(error.status), answer.message ?? 'The request was refused.', {
    cause: error,
    details: {
      ...(answer.code ? { reason: answer.code.toLowerCase() } : {}),
      ...(requestId ? { requestId } : {}),
      ...(Number.isFinite(retryAfterS) ? { retryAfterS } : {}),
    },
  })
}
