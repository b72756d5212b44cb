import { mapToday } from '@tour-ops/contract/map/map'
import { createPlace } from '@tour-ops/contract/places/places'
import { apiAs } from '../../api.ts'
import { expect, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour, planBetween } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

test('the day is drawn on our own tiles, and a mark on it leads to what is there', async ({ page }) => {
  const tile = page.context().waitForEvent('response', (answer) => /\/tiles\/\d+\/\d+\/\d+\.pbf$/.test(answer.url()))
  const { departures } = await (await apiAs('dispatcher')).call(mapToday, {})
  const departure = departures.find(({ stops }) => stops.length > 1)
  // Its mark is at its last position.
  const stop = departure?.stops.findLast((one) => one.actualArriveAt ?? one.actualDepartAt) ?? departure?.stops[0]
  if (!departure || !stop) throw new Error('The demo day has no departure with stops.')
  await page.goto(`/dashboard/map?show=${departure.id}`)
  const map = page.getByRole('region', { name: "Map of today's departures" })
  await expect(map).toBeVisible()
  // The worker asks for the tiles: it runs, and the page's own address may start it.
  expect((await tile).ok()).toBe(true)
  expect(page.workers().map((worker) => new URL(worker.url()).origin)).toEqual([new URL(page.url()).origin])

  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  await panel.getByRole('listitem').filter({ hasText: stop.name }).first().getByRole('button').click()
  await panel.getByRole('button', { name: 'Back to all departures' }).click()
  await expect(page).not.toHaveURL(/show=/)
  // The target is centered in the area that the panel and the buttons leave free.
  const [whole, left] = [await map.boundingBox(), await panel.boundingBox()]
  if (!whole || !left) throw new Error('The map and its panel have no place on the screen.')
  const start = left.x + left.width + 64
  const middle = { x: (start + whole.x + whole.width - 88) / 2, y: whole.y + whole.height / 2 }
  await expect
    .poll(async () => {
      await page.mouse.move(middle.x - 200, middle.y)
      await page.mouse.move(middle.x, middle.y)
      return map.evaluate((canvas) => getComputedStyle(canvas).cursor)
    })
    .toBe('pointer')
  await page.mouse.click(middle.x, middle.y)
  await expect(panel.getByText(stop.name).first()).toBeVisible()
  await expect(panel.getByText(departure.tourName).first()).toBeVisible()
})

test('what the page of the map and its worker both need is one file', async ({ page }) => {
  const scripts = new Set<string>()
  page.on('response', (answer) => scripts.add(answer.url()))
  const started = page.waitForEvent('worker')
  await page.goto('/dashboard/map')
  const worker = await page.request.get((await started).url())
  const imports = [...(await worker.text()).matchAll(/from"\.\/([\w-]+\.js)"/g)].map(([, name]) => name)
  expect(imports).not.toEqual([])
  expect(worker.headers()['content-security-policy'], 'a worker has no other policy').toContain("default-src 'none'")
  expect(imports.filter((name) => ![...scripts].some((url) => url.endsWith(`/${name}`)))).toEqual([])
})

test('the theme changes while the map is still being made, and the map follows without a complaint', async ({
  page,
}) => {
  // A style loads in the frame after it was given: no frame comes until the theme has changed.
  await page.addInitScript(() => {
    const real = window.requestAnimationFrame.bind(window)
    const waiting: FrameRequestCallback[] = []
    let isHeld = true
    window.requestAnimationFrame = (run) => (isHeld ? waiting.push(run) : real(run))
    window.addEventListener('let-frames-go', () => {
      isHeld = false
      waiting.splice(0).forEach((run) => real(run))
    })
  })
  const tile = page.context().waitForEvent('response', (answer) => /\/tiles\/\d+\/\d+\/\d+\.pbf$/.test(answer.url()))
  await page.goto('/dashboard/map')
  await expect(page.locator('canvas')).toBeAttached()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html.dark')).toBeAttached()
  await page.evaluate(() => window.dispatchEvent(new Event('let-frames-go')))
  expect((await tile).ok()).toBe(true)
})

/** Degrees of longitude that a tile covers. */
const spanOf = (url: string): { west: number; east: number; zoom: number } => {
  const [, z = '', x = ''] = /\/tiles\/(\d+)\/(\d+)\/\d+\.pbf$/.exec(url) ?? []
  const width = 360 / 2 ** Number(z)
  return { west: Number(x) * width - 180, east: (Number(x) + 1) * width - 180, zoom: Number(z) }
}

/** Longitude of Reykjavik. */
const iceland = -21.9

/** A base with one departure of today, from Tokyo to Nagoya: so far apart that the map still draws tiles. */
async function makeFarBase(): Promise<{ lng: number; timeZone: string }> {
  const api = await apiAs('admin')
  const timeZone = 'Asia/Tokyo'
  const place = (name: string, lat: number, lng: number) =>
    api.call(createPlace, { kind: 'sight', name: `${name} ${Date.now().toString(36)}`, lat, lng, timeZone })
  const [start, end] = [await place('Tokyo', 35.68, 139.77), await place('Nagoya', 35.18, 136.9)]
  const tour = await makeTour(`Tokaido ${Date.now()}`, api, {
    timeZone,
    content: planBetween(start.id, end.id),
  })
  // Half an hour ahead by a clock that is nine hours ahead.
  await makeDeparture(tour, { hours: 9.5 }, api)
  return { lng: 138, timeZone }
}

test('the map opens on the whole day, jumps to a base, and the address opens on that base again', async ({ page }) => {
  await makeDeparture(await makeTour(`Harbour ${Date.now()}`))
  // A base of its own: tours of other journeys have other zones, and stops in Iceland all the same.
  const { lng, timeZone } = await makeFarBase()
  const tiles: string[] = []
  page.on('response', (answer) => answer.url().endsWith('.pbf') && tiles.push(answer.url()))
  const covers = (degrees: number, zoom: number) =>
    tiles.map(spanOf).some((tile) => tile.zoom >= zoom && tile.west <= degrees && degrees < tile.east)
  await page.goto('/dashboard/map')
  const jump = page.getByRole('button', { name: 'Jump to a base' })
  await expect(jump).toBeVisible()
  await expect.poll(() => covers(iceland, 0) && covers(lng, 0)).toBe(true)
  await jump.click()
  await page.getByRole('menuitem', { name: timeZone.split('/').at(-1) ?? '' }).click()
  await expect(page).toHaveURL(/base=/)
  await expect.poll(() => covers(lng, 3)).toBe(true)
  tiles.splice(0)
  await page.reload()
  await expect.poll(() => covers(lng, 3)).toBe(true)
  expect(covers(iceland, 3)).toBe(false)
})
