import type { DutyDay, DutyEvent } from '@tour-ops/contract/duty/duty-phone'
import { maxDutyEvents } from '@tour-ops/contract/duty/duty-terms'
import { AppError } from '@tour-ops/contract/errors'
import { randomUuid } from '../../../backend/random-id.ts'
import { sentNext } from '../rules/help-call.ts'
import { onDayForgotten } from '../../../identity/phone-day.ts'
import { isCutOff } from './network.ts'
import type { Office } from './office.ts'
import { oneOnly } from './one-only.ts'
import { type EventDraft, type PhoneActions, type PhonePerson, usePhone } from './phone.ts'
import type { Owner, PhoneStorage } from './phone-storage.ts'
import type { StoredEvent } from './shown-day.ts'

/** A shown page asks the office again so often. */
const askAgainMs = 30_000
/** Without a signal it is tried again so often; the browser's own notice of a network comes sooner. */
const tryAgainMs = 8_000
/** After the browser's notice of a network it is tried once more so soon. */
const backAgainMs = 1_500

export interface SendingParts {
  readonly storage: PhoneStorage
  /** Loads what reaches the office. */
  readonly office: () => Promise<Office>
  /** Of the address, when the page was opened by a run sheet link. */
  readonly linkToken: string | null
  /** Called when something waits, for a browser that wakes the page up when the network is back. */
  readonly onWaiting?: () => void
  readonly now?: () => Date
}

export interface Sending extends Omit<PhoneActions, 'reportHere'> {
  /** Shows what the phone keeps, then asks the office; from then on by itself. @returns How to stop. */
  start(): Promise<() => void>
  /** Whether the present person may be tracked, for the positions. */
  owner(): Owner | null
}

/** Keeps what is done on the phone and sends it, in order, once each; and shows what the office says. One per page. */
export function makeSending({ storage, office, linkToken, onWaiting, now = () => new Date() }: SendingParts): Sending {
  let owner: Owner | null = null
  let underWay: Promise<void> | null = null
  let following: Promise<void> | null = null
  let inFlight: ReadonlySet<string> = new Set()
  /** How often a day was forgotten here: what was asked before is not stored any more. */
  let timesForgotten = 0
  let storing: Promise<void> = Promise.resolve()
  const show = usePhone.setState
  const kept = (): readonly StoredEvent[] => usePhone.getState().kept

  async function start() {
    owner = linkToken === null ? await storage.owner() : await linkOwner(linkToken)
    if (owner) await showStored(owner)
    show({ isReady: true, isKept: storage.isKept, ...(owner?.kind === 'link' && { person: 'link' as const }) })
    // shown at once; whether the office answers all the same, as on its own computer, is asked
    if (isCutOff()) show({ offlineSince: now() })
    void refresh()
    return followSignal()
  }

  async function linkOwner(token: string): Promise<Owner> {
    const made: Owner = { kind: 'link', key: `link ${token}`, token }
    await storage.setOwner(made)
    return made
  }

  async function showStored(of: Owner): Promise<void> {
    const [day, events] = await Promise.all([storage.day(of), storage.events(of)])
    show({ day, kept: events })
  }

  /** One at a time; a caller meanwhile waits for another one right after. */
  function refresh(): Promise<void> {
    if (underWay) {
      following ??= underWay.then(() => {
        following = null
        return refresh()
      })
      return following
    }
    underWay = oneOnly('duty-send', exchange).finally(() => {
      underWay = null
      show({ isSending: false })
    })
    return underWay
  }

  async function exchange(): Promise<void> {
    const began = timesForgotten
    const isOver = () => timesForgotten !== began
    try {
      const reached = await office()
      await identify(reached, isOver)
      const of = owner
      if (!of || isOver()) return
      await sendWaiting(reached, of)
      const day = await reached.day(of)
      // who has signed out meanwhile leaves nothing here
      if (isOver()) return
      storing = takeDay(of, day)
      await storing
      // a link may have opened meanwhile
      if (!isOver()) show({ offlineSince: null, ...(of.kind === 'link' && { person: 'link' as const }) })
    } catch (error) {
      showFailure(AppError.from(error))
    }
  }

  /** What waits belongs to one person: somebody else who signs in sees their own day and sends nothing of it. */
  async function identify(reached: Office, isOver: () => boolean): Promise<void> {
    if (owner?.kind === 'link') return
    const here = await reached.whoIsHere()
    if (isOver()) return
    if (!here) throw new AppError('unauthenticated', 'Nobody is signed in.')
    if (owner?.key !== here.key) {
      owner = here
      await storage.setOwner(here)
      await showStored(here)
    }
    show({ person: 'member' })
  }

  async function sendWaiting(reached: Office, of: Owner): Promise<void> {
    for (;;) {
      const waiting = kept().filter(({ outcome }) => outcome === null)
      const batch = sentNext(waiting.map(({ event }) => event)).slice(0, maxDutyEvents)
      if (batch.length === 0) return
      show({ isSending: true })
      inFlight = new Set(batch.map(({ id }) => id))
      try {
        const outcomes = await reached.send(of, batch)
        await storage.setOutcomes(of, outcomes)
        const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
        show({ kept: kept().map((each) => ({ ...each, outcome: byId.get(each.event.id) ?? each.outcome })) })
      } finally {
        inFlight = new Set()
      }
    }
  }

  /** The day has in it whatever was answered before it was requested; refusals stay until they were read. */
  async function takeDay(of: Owner, day: DutyDay): Promise<void> {
    const inDay = kept().filter(({ outcome }) => outcome !== null && outcome.outcome !== 'refused')
    const ids = inDay.map(({ event }) => event.id)
    await storage.keepDay(of, day)
    if (ids.length > 0) await storage.dropEvents(of, ids)
    if (owner !== of) return
    show({ day, kept: kept().filter(({ event }) => !ids.includes(event.id)) })
  }

  function showFailure(failure: AppError): void {
    const { code, details } = failure
    // the office has answered: it is no signal that is missing
    if (code === 'unauthenticated') {
      return show({ person: usePhone.getState().day ? 'expired' : 'signed-out', offlineSince: null })
    }
    if (details.reason === 'no_staff_record' || details.reason === 'no_organization')
      return show({ person: 'not-staff' })
    if (details.reason === 'shared_link_over') return show({ person: 'link-over' })
    if (details.reason === 'shared_link_early')
      return show({ person: 'link-early', opensAt: String(details['opensAt']), offlineSince: null })
    if (code !== 'unavailable' && code !== 'deadline-exceeded') console.error(failure)
    // nobody is known here: a day that is not on the phone must not look as if it were being loaded
    if (!owner) show({ person: 'signed-out' })
    show(({ offlineSince }) => ({ offlineSince: offlineSince ?? now() }))
  }

  function forget(): void {
    timesForgotten += 1
    owner = null
    show({ day: null, kept: [], person: 'signed-out' satisfies PhonePerson })
  }

  async function record(...drafts: readonly EventDraft[]): Promise<readonly string[]> {
    if (!owner) return []
    const at = now().toISOString()
    const events = drafts.map((each) => ({ ...each, id: randomUuid(), at }) as DutyEvent)
    const added = await storage.addEvents(owner, events)
    show({ kept: [...kept(), ...added] })
    onWaiting?.()
    void refresh()
    return events.map(({ id }) => id)
  }

  async function takeBack(ids: readonly string[]): Promise<boolean> {
    const own = kept().filter(({ event }) => ids.includes(event.id))
    if (!owner || own.length !== ids.length) return false
    if (own.some(({ event, outcome }) => outcome !== null || inFlight.has(event.id))) return false
    await dropped(owner, ids)
    return true
  }

  async function dropped(of: Owner, ids: readonly string[]): Promise<void> {
    await storage.dropEvents(of, ids)
    show({ kept: kept().filter(({ event }) => !ids.includes(event.id)) })
  }

  /** The network, the person and the clock, each of which is a reason to ask. */
  function followSignal(): () => void {
    const ask = () => void refresh()
    // a browser may say so a moment before a request gets through
    let soon: ReturnType<typeof setTimeout> | undefined
    const back = () => {
      ask()
      clearTimeout(soon)
      soon = setTimeout(() => usePhone.getState().offlineSince !== null && ask(), backAgainMs)
    }
    const lost = () => show(({ offlineSince }) => ({ offlineSince: offlineSince ?? now() }))
    const shown = () => document.visibilityState === 'visible' && ask()
    const tick = () => {
      const { offlineSince } = usePhone.getState()
      if (offlineSince !== null || document.visibilityState === 'visible') ask()
    }
    const again = setInterval(tick, askAgainMs)
    const retry = setInterval(() => usePhone.getState().offlineSince !== null && ask(), tryAgainMs)
    addEventListener('online', back)
    addEventListener('offline', lost)
    document.addEventListener('visibilitychange', shown)
    const stopHearing = onDayForgotten(forget)
    return () => {
      stopHearing()
      clearInterval(again)
      clearInterval(retry)
      removeEventListener('online', back)
      clearTimeout(soon)
      removeEventListener('offline', lost)
      document.removeEventListener('visibilitychange', shown)
    }
  }

  return {
    start,
    refresh,
    record,
    takeBack,
    owner: () => owner,
    dismiss: async (id) => {
      if (owner) await dropped(owner, [id])
    },
    async signOut() {
      const reached = await office().catch(() => null)
      forget()
      // who asked for the day hears of the error
      await storing.catch(() => undefined)
      await storage.forgetDay()
      await reached?.signOut().catch((error: unknown) => console.warn('The session ends by itself.', error))
    },
  }
}
