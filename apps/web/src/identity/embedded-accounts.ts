import { isRole } from '@tour-ops/contract/identity/access'
import { AppError } from '@tour-ops/contract/errors'
import type { $Fetch } from 'ofetch'
import { authReasonOf } from '../backend/auth-codes.ts'
import { asked } from './account-errors.ts'
import type { Accounts, OwnInvitation, SignInOutcome } from './accounts-port.ts'
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

interface SignInAnswer {
  twoFactorRedirect?: boolean
}

interface SignUpAnswer {
  token?: string | null
  user: { emailVerified: boolean }
}

/**
 * Accounts at our own server (better-auth under `/api/auth`).
 *
 * @param auth HTTP client whose addresses start at `/api/auth`.
 * @param page The URL of this application; wallet messages name it. Source: EIP-4361.
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
  /** Sends what proves who somebody is; an account with an authenticator app is asked for a code next. */
  const enter = async (path: string, body: Record<string, unknown>): Promise<SignInOutcome> => {
    const answer = await changeSession(() => post<SignInAnswer>(path, body))
    return answer.twoFactorRedirect ? 'second-factor' : 'signed-in'
  }
  /**
   * A wallet signs nothing for a page from which nobody may sign in; the hosted service's SDK asks the same before it opens a pop-up.
   * Source: spec, section 7, "Authorized domains check", and section 8, "unauthorized-domain".
   */
  const checkDomain = async (): Promise<void> => {
    const { authorizedDomains } = await asked(
      auth<{ authorizedDomains: string[] }>('/projects', { baseURL: `${new URL(page.origin).origin}/api/v1` }),
    )
    if (authorizedDomains.includes(new URL(page.origin).hostname)) return
    throw new AppError('unauthenticated', 'Nobody may sign in from this address.', {
      details: { reason: authReasonOf('unauthorized-domain') },
    })
  }
  const signIn: Accounts['signIn'] = ({ email, password }) => enter('/sign-in/email', { email, password })

  return {
    signIn,
    async signInWithWallet(wallet) {
      await checkDomain()
      const { nonce } = await post<{ nonce: string }>('/siwe/nonce')
      const { host: domain, origin: uri } = page
      const { address, chainId } = wallet
      const message = walletMessage({ domain, uri, address, chainId, nonce, issuedAt: new Date() })
      return enter('/siwe/verify', { message, signature: await wallet.sign(message) })
    },
    async signUp({ email, password, name, setupToken }) {
      const body = { email, password, name, ...(setupToken ? { setupToken } : {}) }
      const { user } = await post<SignUpAnswer>('/sign-up/email', body)
      // The set-up link proves the address; everybody else answers an e-mail first.
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
