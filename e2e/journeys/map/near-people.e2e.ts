import { beginDuty, endDuty } from '@tour-ops/contract/tracking/duty'
import { expect, sessionFile, test } from '../../fixtures.ts'
import { newWalker } from '../../walk.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

/** In the sea, where nobody else of a journey is. */
const [lat, lng] = [66.4, -15]
/** Some 100 m of latitude, in degrees. */
const apart = 0.0009
/** Pixels that this is at zoom 13, from which on their marks no longer touch. Source: 40,075 km around the equator, 512 pixels at zoom 0. */
const apartPx = (apart * 512 * 2 ** 13) / 360 / Math.cos((lat * Math.PI) / 180)

test('two who are close together are one mark, a press on it goes closer, and then each can be pressed', async ({
  page,
  browser,
}) => {
  const [south, north] = [await newWalker(browser), await newWalker(browser)]
  for (const [walker, at] of [[south, lat] as const, [north, lat + apart] as const]) {
    await walker.api.call(beginDuty, {})
    const sent = await page.request.get(`${walker.url}?lat=${at}&lon=${lng}&timestamp=${Date.now()}`)
    expect(sent.status()).toBe(200)
  }
  await page.goto(`/dashboard/map?follow=${south.staffId}`)
  await expect(page.getByRole('status').filter({ hasText: `Following ${south.name}` })).toBeVisible({ timeout: 60_000 })
  const map = page.getByRole('region', { name: "Map of today's departures" })
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  const [whole, left] = [await map.boundingBox(), await panel.boundingBox()]
  if (!whole || !left) throw new Error('The map and its panel have no place on the screen.')
  // who is followed is in the middle of what the panel and the buttons leave free
  const x = (left.x + left.width + 64 + whole.x + whole.width - 88) / 2
  const y = whole.y + whole.height / 2
  const isMark = (up: number) =>
    expect
      .poll(async () => {
        await page.mouse.move(x - 200, y)
        await page.mouse.move(x, y - up)
        return map.evaluate((canvas) => getComputedStyle(canvas).cursor)
      })
      .toBe('pointer')
  await isMark(0)
  await page.mouse.click(x, y)
  await expect(page).toHaveURL(new RegExp(`follow=${south.staffId}`))
  await isMark(apartPx)
  await page.mouse.click(x, y - apartPx)
  await expect(page).toHaveURL(new RegExp(`follow=${north.staffId}`))
  for (const { api } of [south, north]) await api.call(endDuty, {})
})
