import {
  type DutyDay,
  type DutyEvent,
  type DutyOutcome,
  getDutyDay,
  getLinkedDutyDay,
  sendDutyEvents,
  sendLinkedDutyEvents,
} from '@tour-ops/contract/duty/duty-phone'
import { registerDutyPhone } from '@tour-ops/contract/tracking/devices'
import type { ComponentType } from 'react'
import { chooseBackend } from '../../../backend/choose-backend.ts'
import { readPageConfig } from '../../../backend/page-config.ts'
import type { Backend } from '../../../backend/port.ts'
import { chooseIdentity } from '../../../identity/choose-identity.tsx'
import type { Identity } from '../../../identity/port.ts'
import { endPushOfBrowser } from '../../../identity/push-of-browser.ts'
import { memberIn, orOutOfReach, outOfReach, ownerOf, withReach } from './identity-reach.ts'
import type { Owner } from './phone-storage.ts'
import { serviceRoot } from './service-root.tsx'

/** The office, as a phone with a signal reaches it. Loaded when there is one: the phone's own screens need nothing of it. */
export interface Office {
  /** Who is signed in now; null for nobody. @throws AppError while the identity service does not answer. */
  whoIsHere(): Promise<(Owner & { readonly kind: 'member' }) | null>
  day(owner: Owner): Promise<DutyDay>
  send(owner: Owner, events: readonly DutyEvent[]): Promise<readonly DutyOutcome[]>
  /** Token and pace with which this phone sends positions. */
  registerPhone(label: string): Promise<{ readonly token: string; readonly reportIntervalS: number }>
  signOut(): Promise<void>
  /** What the identity service needs on the page; it shows nothing. */
  readonly Root: ComponentType
}

/** How long the identity service may take to say that it is there. */
const identityWaitMs = 8_000
const identityPollMs = 1_000

export async function openOffice(): Promise<Office> {
  const config = readPageConfig()
  const fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request)
  const { identity, ownServerToken, Root } = await chooseIdentity(config, fetch, { hasWidgets: false })
  const { backend, credential } = await chooseBackend(
    config,
    withReach(identity),
    () => orOutOfReach(identity, ownServerToken),
    fetch,
  )
  let signedInAs: string | null = null

  async function whoIsHere() {
    await untilLoaded(identity)
    const member = memberIn(identity.state())
    if (!member) return null
    const session = `${member.sessionId ?? ''} ${member.orgId}`
    if (signedInAs !== session) {
      await backend.signIn(await credential())
      signedInAs = session
    }
    return ownerOf(member)
  }

  return {
    Root: serviceRoot(Root, identity),
    whoIsHere,
    day: (owner) =>
      owner.kind === 'link' ? backend.call(getLinkedDutyDay, { token: owner.token }) : backend.call(getDutyDay, {}),
    send: async (owner, events) => (await sendAs(backend, owner, events)).outcomes,
    registerPhone: (label) => backend.call(registerDutyPhone, { label }),
    async signOut() {
      signedInAs = null
      await endPushOfBrowser()
      await backend.signOut()
      await identity.signOut()
    },
  }
}

function sendAs(backend: Backend, owner: Owner, events: readonly DutyEvent[]) {
  const sent = { sentAt: new Date().toISOString(), events: [...events] }
  return owner.kind === 'link'
    ? backend.call(sendLinkedDutyEvents, { token: owner.token, ...sent })
    : backend.call(sendDutyEvents, sent)
}

async function untilLoaded(identity: Identity): Promise<void> {
  const until = Date.now() + identityWaitMs
  await identity.refresh()
  while (!identity.state().isLoaded) {
    if (Date.now() > until) throw outOfReach()
    await new Promise((resolve) => setTimeout(resolve, identityPollMs))
    await identity.refresh()
  }
}
