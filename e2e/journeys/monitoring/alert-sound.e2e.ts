import { recordHeadcount } from '@tour-ops/contract/departures/run-sheet'
import type { Page } from '@playwright/test'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { newCard } from '../../alert-causes.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectScreen, test } from '../../fixtures.ts'
import { makeBoarding, makePlaces, makeTour } from '../../operations.ts'

declare global {
  interface Window {
    /** Tones that the page has started, hertz. */
    startedTones?: number[]
  }
}

/** Notes which tones pages start that are opened from now on; they still sound. */
const hearTones = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.startedTones = []
    window.AudioContext = class extends AudioContext {
      override createOscillator(): OscillatorNode {
        const tone = super.createOscillator()
        const start = tone.start.bind(tone)
        tone.start = (when) => {
          window.startedTones?.push(tone.frequency.value)
          start(when)
        }
        return tone
      }
    }
  })

/** The tones since this was asked last. */
const tones = (page: Page): Promise<number[]> => page.evaluate(() => window.startedTones?.splice(0) ?? [])

/** What a new alert sounds like. */
const signal = [880, 660]

test('a critical alert that comes to the open board sounds once, and not while it is muted; the board fills the screen and returns', async ({
  page,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Loud Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const tour = await makeTour('Loud walk', office)
  /** Each is a critical alert at once. */
  const count = async (counted: number, departureId: string): Promise<void> => {
    const reason = counted === 0 ? null : 'Nobody has checked them in'
    await office.call(recordHeadcount, { departureId, counted, reason })
  }
  const departures = [await makeBoarding(tour, 10, office), await makeBoarding(tour, 10, office)] as const
  const [{ id: first }, { id: second }] = departures
  const missing = { title: /too many counted$/, subject: tour.name }

  await count(3, first)
  await hearTones(page)
  await page.goto('/tools/monitoring')
  await expectScreen(page, 'Monitoring')
  // a browser keeps a page silent until somebody has pressed something on it
  await page.getByRole('heading', { level: 1, name: 'Monitoring' }).click()

  await test.step('what is there already is silent, what comes then sounds, what goes does not', async () => {
    await expect(newCard(page, missing)).toHaveCount(1)
    expect(await tones(page)).toEqual([])
    await count(2, second)
    await expect(newCard(page, missing)).toHaveCount(2)
    await expect.poll(() => tones(page)).toEqual(signal)
    await count(0, second)
    await expect(newCard(page, missing)).toHaveCount(1)
    expect(await tones(page)).toEqual([])
  })

  await test.step('muted it is silent, and unmuting lets one hear what it sounds like', async () => {
    await page.getByRole('button', { name: 'Mute critical alerts' }).click()
    await count(2, second)
    await expect(newCard(page, missing)).toHaveCount(2)
    expect(await tones(page)).toEqual([])
    await page.getByRole('button', { name: 'Unmute critical alerts' }).click()
    expect(await tones(page)).toEqual(signal)
  })

  await test.step('full screen is entered and left by its button', async () => {
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null)
    const button = page.getByRole('button', { name: 'Full screen' })
    await button.click()
    await expect.poll(isFull).toBe(true)
    await expect(newCard(page, missing)).toHaveCount(2)
    await button.click()
    await expect.poll(isFull).toBe(false)
  })
})
