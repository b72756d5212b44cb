import { expect, type Locator, type Page, test } from '@playwright/test'
import { getTourSettings, type TourSettings, updateTourSettings } from '@tour-ops/contract/settings/settings'
import type { Api } from './api.ts'

// Alerts as they come and go on the open board: what journeys about kinds of alerts share.

/** Something that raises an alert, and what people read of it. */
export interface Cause {
  /** What happened, as the card says it. A time has its day before it where that is not today. */
  readonly title: string | RegExp
  /** Of which departure, person or vehicle. */
  readonly subject: string
  /** One more line of evidence. */
  readonly evidence: string | RegExp
  /** Ends what the alert is about. */
  readonly end: () => Promise<unknown>
  /** Why it ended by itself. */
  readonly over: string | RegExp
  /** How long it goes on counting after `end`, milliseconds. */
  readonly lingersMs?: number
}

/** What the organization sets, so that a cause takes no longer than it must. */
export async function setLimits(office: Api, limits: Partial<TourSettings>): Promise<void> {
  const { version, settings } = await office.call(getTourSettings, {})
  await office.call(updateTourSettings, { version, settings: { ...settings, ...limits } })
}

/** Positions are compared with the plan once a minute, an alert ends a minute after its cause, and a machine may do something else as well. */
const aMinute = { timeout: 150_000 }

const cardIn = (page: Page, lane: RegExp, { title, subject }: Pick<Cause, 'title' | 'subject'>): Locator =>
  page
    .getByRole('region', { name: lane })
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) })
    .filter({ hasText: subject })

/** The card of an alert that nobody has acknowledged. */
export const newCard = (page: Page, cause: Pick<Cause, 'title' | 'subject'>): Locator => cardIn(page, /^New/, cause)
export const resolvedCard = (page: Page, cause: Pick<Cause, 'title' | 'subject'>): Locator =>
  cardIn(page, /^Resolved today/, cause)

const expectRaised = (page: Page, kind: string, cause: Cause): Promise<void> =>
  test.step(`${kind} is raised`, async () => {
    const card = newCard(page, cause)
    await expect(card).toHaveCount(1, aMinute)
    await expect(card).toContainText(cause.evidence)
  })

const expectOver = (page: Page, kind: string, cause: Cause): Promise<void> =>
  test.step(`${kind} is over`, async () => {
    const card = resolvedCard(page, cause)
    const timeout = aMinute.timeout + (cause.lingersMs ?? 0)
    await expect(card).toContainText(/\d\d:\d\d by itself/, { timeout })
    await expect(card).toContainText(cause.over)
    await expect(newCard(page, cause)).toHaveCount(0)
  })

/**
 * The alert of each cause comes to the board that is open, with what happened, where, and why. All are waited for at the same time: what lasts
 * a few minutes only would be missed after the others.
 *
 * @param causes - By kind of alert.
 */
export const expectEachRaised = async (page: Page, causes: readonly (readonly [string, Cause])[]): Promise<void> => {
  await Promise.all(causes.map(([kind, cause]) => expectRaised(page, kind, cause)))
}

/** Each leaves by itself, with the reason. They too are waited for at the same time: meanwhile the next one may begin. */
export const expectEachOver = async (page: Page, causes: readonly (readonly [string, Cause])[]): Promise<void> => {
  await Promise.all(causes.map(([kind, cause]) => expectOver(page, kind, cause)))
}
