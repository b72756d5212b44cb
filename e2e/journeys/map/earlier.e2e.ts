import type { APIRequestContext, Page } from '@playwright/test'
import { getGeneralSettings, updateGeneralSettings } from '@tour-ops/contract/settings/settings'
import { tracksOfDay } from '@tour-ops/contract/tracking/day-tracks'
import { beginDutyFor } from '@tour-ops/contract/tracking/duty'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { type Api, apiAs, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'
import { guideWithPhone } from '../../walk.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Without a graphics card the processor compiles the map's programs at each start. */
const mapStartMs = 60_000
const lat = 64.15

/** The office's day, in which it is neither night nor nearly so: what was sent minutes ago is of the same day. */
async function setDaylight(office: Api): Promise<void> {
  const hour = new Date().getUTCHours()
  const timeZone = hour >= 6 && hour < 20 ? 'Atlantic/Reykjavik' : 'Asia/Tokyo'
  const { version, settings } = await office.call(getGeneralSettings, {})
  await office.call(updateGeneralSettings, { version, settings: { ...settings, timeZone } })
}

async function send(request: APIRequestContext, url: string, lng: number, at: number): Promise<void> {
  const sent = await request.get(`${url}?lat=${lat}&lon=${lng}&accuracy=8&timestamp=${at}`)
  expect(sent.status()).toBe(200)
}

/** One stands still for four minutes, and the other goes east and away from them: degrees of longitude. */
const [adaLng, nilsLng] = [-21.9, { before: -21.87, now: -21.79, later: -21.77 }]

async function twoOnDuty(office: Api, request: APIRequestContext) {
  const [ada, nils] = [await guideWithPhone(office, 'Ada'), await guideWithPhone(office, 'Nils')]
  for (const { staffId } of [ada, nils]) await office.call(beginDutyFor, { staffId })
  const now = Date.now()
  for (const secondsAgo of [240, 180, 120, 60, 0]) {
    const at = now - secondsAgo * 1000
    await send(request, ada.url, adaLng, at)
    const share = 1 - secondsAgo / 240
    await send(request, nils.url, nilsLng.before + (nilsLng.now - nilsLng.before) * share, at)
  }
  return { ada, nils }
}

/** Pixels of a degree of longitude at the zoom at which somebody is followed. */
const degreePx = (512 * 2 ** 11) / 360

/** Whether there is a mark so far east of who is followed: marks can be pressed, and the pointer says so. */
async function markEastOf(page: Page, lng: number): Promise<boolean> {
  const map = page.getByRole('region', { name: "Map of today's departures" })
  const box = await map.boundingBox()
  if (!box) throw new Error('The map has no place on the screen.')
  // who is followed is in the middle of what the panel and the buttons leave
  const x = box.x + (412 + 48 + box.width - 88) / 2 + (lng - adaLng) * degreePx
  const y = box.y + box.height / 2
  await page.mouse.move(x, y + 60)
  await page.mouse.move(x, y)
  return map.evaluate((canvas) => canvas.style.cursor === 'pointer')
}

const expectMarks = (page: Page, marks: Readonly<Record<number, boolean>>) =>
  expect
    .poll(
      async () => {
        const found: Record<string, boolean> = {}
        for (const lng of Object.keys(marks)) found[lng] = await markEastOf(page, Number(lng))
        return found
      },
      { timeout: mapStartMs },
    )
    .toEqual(marks)

test('the map goes back to where everyone was, stays there while they move on, and comes back to now', async ({
  page,
  context,
  request,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Earlier Coast Tours')
  const office = await apiOfBrowser(context)
  await setDaylight(office)
  const { ada, nils } = await twoOnDuty(office, request)

  await page.goto(`/dashboard/map?follow=${ada.staffId}`)
  await expectMarks(page, { [adaLng]: true, [nilsLng.before]: false, [nilsLng.now]: true })
  const open = page.getByRole('button', { name: 'Earlier today' })
  await open.focus()
  await page.keyboard.press('Enter')
  const bar = page.getByRole('region', { name: 'Earlier today' })
  const slider = bar.getByRole('slider', { name: 'Time of the replay' })
  await expect(slider).toBeFocused()
  const seen = bar.getByText(/^You see \d\d:\d\d, not now$/)
  await expect(seen).toBeVisible()
  const at = async () => Number(await slider.inputValue())
  const end = await at()
  await page.keyboard.press('ArrowLeft')
  expect(end - (await at())).toBeCloseTo(60_000, -4)
  await page.keyboard.press('PageDown')
  const first = await at()
  expect(end - first).toBeGreaterThan(230_000)
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  expect(await at()).toBe(first)
  await expect(bar).toContainText('2 seen at this time')
  await expectMarks(page, { [adaLng]: true, [nilsLng.before]: true, [nilsLng.now]: false })
  await settled(page)
  await expectAccessible(page)

  await send(request, nils.url, nilsLng.later, Date.now())
  await settled(page)
  await expectMarks(page, { [adaLng]: true, [nilsLng.before]: true, [nilsLng.later]: false })
  expect(await at()).toBe(first)

  // the list narrows whom the map shows, and what it says of them is of that moment
  const panel = page.getByRole('region', { name: "Today's departures" })
  await panel.getByRole('searchbox').fill('ada')
  await expect(bar).toContainText('1 seen at this time')
  await expectMarks(page, { [adaLng]: true, [nilsLng.before]: false })
  await panel.getByRole('searchbox').fill('nobody of that name')
  await expect(bar).toContainText('Nobody whom the list shows has sent a position today.')
  await panel.getByRole('searchbox').fill('')

  await bar.getByRole('combobox', { name: 'Replay speed' }).selectOption('60')
  await slider.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press(' ')
  await expect.poll(at).toBeGreaterThan(first + 30_000)
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(open).toBeFocused()
  await expectMarks(page, { [adaLng]: true, [nilsLng.before]: false, [nilsLng.later]: true })
})

test('while nobody has sent a position today, the bar says so and now stays now', async ({ page, context }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Unseen Coast Tours')
  await setDaylight(await apiOfBrowser(context))
  await page.goto('/dashboard/map')
  await page.getByRole('button', { name: 'Earlier today' }).click()
  const bar = page.getByRole('region', { name: 'Earlier today' })
  await expect(bar.getByRole('status')).toHaveText('Nobody has sent a position today.')
  await bar.getByRole('button', { name: 'Back to now' }).click()
  await expect(page.getByRole('button', { name: 'Earlier today' })).toBeFocused()
})

test.describe('a role without track history', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('has no way there, and is refused', async ({ page }) => {
    await page.goto('/dashboard/map')
    // comes together with the button that others have
    await expect(page.getByRole('button', { name: 'Layers' })).toBeVisible({ timeout: mapStartMs })
    await settled(page)
    await expect(page.getByRole('button', { name: 'Earlier today' })).toHaveCount(0)
    await expect((await apiAs('dispatcher')).call(tracksOfDay, {})).rejects.toThrow(/answered 403.*tracking:history/)
  })
})
