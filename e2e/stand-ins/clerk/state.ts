import { randomBytes } from 'node:crypto'

// What the stand-in of the hosted identity service knows. Everything lives in memory; times are epoch milliseconds.

export interface User {
  readonly id: string
  readonly emailId: string
  readonly walletId: string
  email: string | null
  password: string | null
  firstName: string | null
  lastName: string | null
  /** 0x-prefixed, or null. */
  wallet: string | null
  readonly createdAt: number
  lastSignInAt: number | null
}

export interface Organization {
  readonly id: string
  name: string
  slug: string
  /** The picture that somebody gave it, by its media type and content. */
  logo: Blob | null
  readonly createdAt: number
}

export interface Membership {
  readonly id: string
  readonly userId: string
  readonly orgId: string
  /** Such as `org:admin`. */
  role: string
  readonly createdAt: number
}

export interface Session {
  readonly id: string
  readonly userId: string
  status: 'active' | 'pending' | 'ended' | 'removed' | 'revoked'
  orgId: string | null
  readonly createdAt: number
  lastActiveAt: number
}

export interface SignIn {
  readonly id: string
  status: 'needs_identifier' | 'needs_first_factor' | 'complete'
  identifier: string | null
  user: User | null
  verification: Record<string, unknown> | null
  /** The text that a wallet has to sign. */
  message: string | null
  sessionId: string | null
  readonly createdAt: number
}

export interface SignUp {
  readonly id: string
  status: 'missing_requirements' | 'complete'
  fields: Record<string, string>
  isPrepared: boolean
  isVerified: boolean
  userId: string | null
  sessionId: string | null
  readonly createdAt: number
}

/** A browser. */
export interface Client {
  readonly id: string
  sessions: Session[]
  signIn: SignIn | null
  signUp: SignUp | null
  readonly createdAt: number
}

export interface Invitation {
  readonly id: string
  readonly orgId: string
  readonly email: string
  readonly role: string
  status: 'pending' | 'accepted' | 'revoked'
  readonly createdAt: number
}

export interface WaitlistEntry {
  readonly id: string
  readonly email: string
  status: 'pending' | 'invited' | 'rejected'
  readonly createdAt: number
}

/** An id as the service makes them: a word, then letters and digits. */
export const newId = (word: string): string => `${word}_${randomBytes(14).toString('hex')}`

export class ClerkState {
  readonly users = new Map<string, User>()
  readonly organizations = new Map<string, Organization>()
  memberships: Membership[] = []
  readonly clients = new Map<string, Client>()
  readonly invitations: Invitation[] = []
  readonly waitlist: WaitlistEntry[] = []

  addUser(facts: Partial<User>): User {
    const user: User = {
      id: newId('user'),
      emailId: newId('idn'),
      walletId: newId('idn'),
      email: null,
      password: null,
      firstName: null,
      lastName: null,
      wallet: null,
      createdAt: Date.now(),
      lastSignInAt: null,
      ...facts,
    }
    this.users.set(user.id, user)
    return user
  }

  addOrganization({ name, slug }: { name: string; slug?: string }): Organization {
    const fallback = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    const id = newId('org')
    const organization: Organization = { id, name, slug: slug ?? fallback, logo: null, createdAt: Date.now() }
    this.organizations.set(organization.id, organization)
    return organization
  }

  addMember(userId: string, orgId: string, role: string): Membership {
    const membership: Membership = { id: newId('orgmem'), userId, orgId, role, createdAt: Date.now() }
    this.memberships.push(membership)
    return membership
  }

  membershipOf = (userId: string, orgId: string | null): Membership | undefined =>
    this.memberships.find((membership) => membership.userId === userId && membership.orgId === orgId)

  removeMember(userId: string, orgId: string): void {
    this.memberships = this.memberships.filter((kept) => kept.userId !== userId || kept.orgId !== orgId)
    for (const session of this.sessions()) {
      if (session.userId === userId && session.orgId === orgId) session.orgId = null
    }
  }

  sessions = (): Session[] => [...this.clients.values()].flatMap((client) => client.sessions)

  userByIdentifier(identifier: string): User | undefined {
    const wanted = identifier.toLowerCase()
    return [...this.users.values()].find(
      (user) => user.email?.toLowerCase() === wanted || user.wallet?.toLowerCase() === wanted,
    )
  }
}
