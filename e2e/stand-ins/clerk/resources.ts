import { ApiError } from './answers.ts'
import type { Client, ClerkState, Membership, Organization, Session, SignIn, SignUp, User } from './state.ts'
import type { TokenIssuer } from './tokens.ts'

const dayMs = 86_400_000

export interface ResourceParts {
  readonly state: ClerkState
  readonly tokens: TokenIssuer
  readonly roles: Readonly<Record<string, readonly string[]>>
  /** The address of pictures, without a slash at its end. */
  readonly pictures: string
}

export type Resources = ReturnType<typeof resources>

/** The service's resources as JSON, both APIs alike. */
export function resources({ state, tokens, roles, pictures }: ResourceParts) {
  const picture = (seed: string): string => `${pictures}/${encodeURIComponent(seed)}.svg`

  const publicUser = (user: User): object => ({
    user_id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: picture(user.id),
    has_image: false,
    identifier: user.email ?? user.wallet ?? '',
  })

  const organization = (facts: Organization): object => ({
    object: 'organization',
    id: facts.id,
    name: facts.name,
    slug: facts.slug,
    image_url: picture(facts.logo ? `${facts.id}-logo` : facts.id),
    has_image: facts.logo !== null,
    members_count: state.memberships.filter(({ orgId }) => orgId === facts.id).length,
    pending_invitations_count: 0,
    max_allowed_memberships: 500,
    admin_delete_enabled: true,
    self_serve_sso_enabled: false,
    public_metadata: {},
    created_at: facts.createdAt,
    updated_at: facts.createdAt,
  })

  const membership = (facts: Membership, withPerson: boolean): object => ({
    object: 'organization_membership',
    id: facts.id,
    role: facts.role,
    role_name: facts.role.replace(/^org:/, ''),
    permissions: [...(roles[facts.role] ?? [])],
    public_metadata: {},
    created_at: facts.createdAt,
    updated_at: facts.createdAt,
    organization: organization(found(state.organizations, facts.orgId)),
    ...(withPerson ? { public_user_data: publicUser(found(state.users, facts.userId)) } : {}),
  })

  const user = (facts: User): object => ({
    object: 'user',
    id: facts.id,
    username: null,
    first_name: facts.firstName,
    last_name: facts.lastName,
    image_url: picture(facts.id),
    has_image: false,
    primary_email_address_id: facts.email === null ? null : facts.emailId,
    primary_phone_number_id: null,
    primary_web3_wallet_id: facts.wallet === null ? null : facts.walletId,
    password_enabled: facts.password !== null,
    two_factor_enabled: false,
    totp_enabled: false,
    backup_code_enabled: false,
    email_addresses: facts.email === null ? [] : [emailAddress(facts, facts.email)],
    phone_numbers: [],
    web3_wallets: facts.wallet === null ? [] : [web3Wallet(facts, facts.wallet)],
    passkeys: [],
    organization_memberships: state.memberships
      .filter(({ userId }) => userId === facts.id)
      .map((each) => membership(each, false)),
    external_accounts: [],
    saml_accounts: [],
    enterprise_accounts: [],
    public_metadata: {},
    unsafe_metadata: {},
    external_id: null,
    last_sign_in_at: facts.lastSignInAt,
    banned: false,
    locked: false,
    deprovisioned: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 100,
    created_at: facts.createdAt,
    updated_at: facts.createdAt,
    delete_self_enabled: false,
    create_organization_enabled: true,
    last_active_at: Date.now(),
    mfa_enabled_at: null,
    mfa_disabled_at: null,
    legal_accepted_at: null,
  })

  const session = (facts: Session, origin: string): object => {
    const person = found(state.users, facts.userId)
    return {
      object: 'session',
      id: facts.id,
      status: facts.status,
      expire_at: facts.createdAt + 7 * dayMs,
      abandon_at: facts.createdAt + 30 * dayMs,
      last_active_at: facts.lastActiveAt,
      last_active_organization_id: facts.orgId,
      last_active_token: { object: 'token', jwt: tokens.sessionToken(facts, origin) },
      actor: null,
      tasks: facts.status === 'pending' ? [{ key: 'choose-organization' }] : null,
      user: user(person),
      public_user_data: publicUser(person),
      factor_verification_age: [0, -1],
      created_at: facts.createdAt,
      updated_at: facts.lastActiveAt,
    }
  }

  const client = (facts: Client, origin: string): object => {
    const live = facts.sessions.filter(isLive)
    return {
      object: 'client',
      id: facts.id,
      sessions: live.map((each) => session(each, origin)),
      sign_in: facts.signIn && signIn(facts.signIn),
      sign_up: facts.signUp && signUp(facts.signUp),
      last_active_session_id: live.at(-1)?.id ?? null,
      last_authentication_strategy: null,
      cookie_expires_at: null,
      captcha_bypass: false,
      created_at: facts.createdAt,
      updated_at: Date.now(),
    }
  }

  const signIn = (facts: SignIn): object => ({
    object: 'sign_in_attempt',
    id: facts.id,
    status: facts.status,
    supported_identifiers: ['email_address', 'web3_wallet'],
    supported_first_factors: facts.user && firstFactors(facts.user),
    supported_second_factors: null,
    first_factor_verification: facts.verification,
    second_factor_verification: null,
    identifier: facts.identifier,
    user_data: facts.user && {
      first_name: facts.user.firstName,
      last_name: facts.user.lastName,
      image_url: picture(facts.user.id),
      has_image: false,
    },
    created_session_id: facts.sessionId,
    abandon_at: facts.createdAt + dayMs,
  })

  return { organization, membership, user, session, client, signIn, signUp }
}

export const isLive = ({ status }: Session): boolean => status === 'active' || status === 'pending'

/** @throws ApiError 404 */
export function found<Thing>(things: ReadonlyMap<string, Thing>, id: string): Thing {
  const thing = things.get(id)
  if (thing === undefined) throw new ApiError(404, 'resource_not_found', 'not found')
  return thing
}

const emailAddress = (facts: User, email: string): object => ({
  object: 'email_address',
  id: facts.emailId,
  email_address: email,
  reserved: false,
  verification: {
    object: 'verification_otp',
    status: 'verified',
    strategy: 'email_code',
    attempts: 1,
    expire_at: facts.createdAt,
  },
  linked_to: [],
  matches_sso_connection: false,
  created_at: facts.createdAt,
  updated_at: facts.createdAt,
})

const web3Wallet = (facts: User, wallet: string): object => ({
  object: 'web3_wallet',
  id: facts.walletId,
  web3_wallet: wallet,
  verification: null,
  created_at: facts.createdAt,
  updated_at: facts.createdAt,
})

const firstFactors = ({ password, email, emailId, wallet, walletId }: User): object[] => [
  ...(password === null ? [] : [{ strategy: 'password' }]),
  ...(email === null
    ? []
    : [{ strategy: 'email_code', safe_identifier: email, email_address_id: emailId, primary: true }]),
  ...(wallet === null
    ? []
    : [{ strategy: 'web3_metamask_signature', web3_wallet_id: walletId, safe_identifier: wallet }]),
]

function signUp(facts: SignUp): object {
  const { email_address: email, password, first_name: firstName, last_name: lastName } = facts.fields
  return {
    object: 'sign_up_attempt',
    id: facts.id,
    status: facts.status,
    required_fields: ['email_address', 'password'],
    optional_fields: ['first_name', 'last_name'],
    missing_fields: ['email_address', 'password'].filter((name) => !facts.fields[name]),
    unverified_fields: email && !facts.isVerified ? ['email_address'] : [],
    verifications: {
      email_address: email ? emailVerification(facts) : null,
      phone_number: null,
      web3_wallet: null,
      external_account: null,
    },
    username: null,
    email_address: email ?? null,
    phone_number: null,
    web3_wallet: null,
    password_enabled: Boolean(password),
    first_name: firstName ?? null,
    last_name: lastName ?? null,
    unsafe_metadata: {},
    public_metadata: {},
    custom_action: false,
    external_id: null,
    created_session_id: facts.sessionId,
    created_user_id: facts.userId,
    abandon_at: facts.createdAt + dayMs,
    legal_accepted_at: null,
  }
}

const emailVerification = ({ isVerified, isPrepared, createdAt }: SignUp): object => ({
  object: 'verification_otp',
  status: isVerified ? 'verified' : 'unverified',
  strategy: 'email_code',
  attempts: 0,
  expire_at: createdAt + 600_000,
  next_action: isVerified ? '' : isPrepared ? 'needs_attempt' : 'needs_prepare',
  supported_strategies: ['email_code'],
})
