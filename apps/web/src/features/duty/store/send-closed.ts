import { dutySendNames, maxDutyEvents } from '@tour-ops/contract/duty/duty-terms'
import type { DutyEvent, DutyOutcome } from '@tour-ops/contract/duty/duty-phone'
import type { $Fetch } from 'ofetch'
import { callErrorOf } from '../../../backend/callable-client.ts'
import { backendTokenTemplate } from '../../../backend/constants.ts'
import { TokenKeeper } from '../../../backend/token-keeper.ts'
import type { Identity } from '../../../identity/port.ts'
import { sentNext } from '../rules/help-call.ts'
import { memberIn, outOfReach, ownerOf } from './identity-reach.ts'
import { oneOnly } from './one-only.ts'
import { openPhoneDatabase } from './phone-database.ts'
import { type Owner, type PhoneStorage, phoneStorage } from './phone-storage.ts'

/** Statuses that say nothing about what was sent: it is sent again later. */
const passing: ReadonlySet<string> = new Set(['unavailable', 'deadline-exceeded', 'internal', 'resource-exhausted'])

/** Sends a batch as the person whom it belongs to. */
type Send = (events: readonly DutyEvent[]) => Promise<readonly DutyOutcome[]>

export interface OwnServer {
  /** Addresses start at its API. */
  readonly http: $Fetch
  /** Whose session is the browser's cookie. */
  readonly identity: Identity
}

/**
 * Sends what waits on this phone from its worker, while no page of it is shown, to our own server. The session is the browser's cookie and the
 * token of a run sheet link is stored sealed, so that nothing more is on the disk for it. The next page takes the answers over.
 *
 * @throws AppError when the server does not answer, so that the browser tries again.
 */
export async function sendWhileClosed(server: OwnServer): Promise<void> {
  // a newer build waits for the end of this sending
  const database = await openPhoneDatabase(() => undefined)
  if (!database) return
  const storage = phoneStorage(database)
  try {
    await oneOnly('duty-send', () => sendAll(storage, server))
  } catch (error) {
    const failure = callErrorOf(error)
    if (passing.has(failure.code)) throw failure
    // whatever else it is, the page says it to its person
  } finally {
    database.db.close()
  }
}

async function sendAll(storage: PhoneStorage, { http, identity }: OwnServer): Promise<void> {
  const owner = await storage.owner()
  const waiting = owner ? await waitingOf(storage, owner) : []
  if (!owner || waiting.length === 0) return
  if (owner.kind === 'link') {
    const { token } = owner
    return sendInOrder(storage, owner, (events) => sendTo(http, dutySendNames.link, { token, events }))
  }
  const keeper = new TokenKeeper(http)
  if (!(await signIn(keeper, owner, identity))) return
  try {
    const bearer = await keeper.token(false)
    await sendInOrder(storage, owner, (events) => sendTo(http, dutySendNames.member, { events }, bearer))
  } finally {
    await keeper.signOut()
  }
}

/** False where nobody or somebody else is signed in: what waits belongs to one person. */
async function signIn(keeper: TokenKeeper, owner: Owner, identity: Identity): Promise<boolean> {
  await identity.refresh()
  const state = identity.state()
  if (!state.isLoaded) throw outOfReach()
  const member = memberIn(state)
  if (!member || ownerOf(member).key !== owner.key) return false
  await keeper.signIn(await identity.templateToken(backendTokenTemplate))
  return true
}

async function sendInOrder(storage: PhoneStorage, owner: Owner, send: Send): Promise<void> {
  for (;;) {
    const batch = sentNext(await waitingOf(storage, owner)).slice(0, maxDutyEvents)
    if (batch.length === 0) return
    await storage.setOutcomes(owner, await send(batch))
  }
}

async function waitingOf(storage: PhoneStorage, owner: Owner): Promise<DutyEvent[]> {
  const kept = await storage.events(owner)
  return kept.filter(({ outcome }) => outcome === null).map(({ event }) => event)
}

async function sendTo(http: $Fetch, name: string, sent: object, bearer?: string): Promise<readonly DutyOutcome[]> {
  const { result } = await http<{ result: { outcomes: DutyOutcome[] } }>(`/${name}`, {
    method: 'POST',
    body: { data: { sentAt: new Date().toISOString(), ...sent } },
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
  })
  return result.outcomes
}
