import { setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { mapToday } from '@tour-ops/contract/map/map'
import { isRunning } from '@tour-ops/contract/state-machines'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiAs, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, holdBack, sessionFile, settled, test } from '../../fixtures.ts'
import { farthestMoved, keepStreams } from '../../heard-positions.ts'
import { differenceOf } from '../../map-drawing.ts'
import { makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { guideWithPhone, newWalker, walk } from '../../walk.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

/** Without a graphics card the processor compiles the map's programs at each start; on a busy machine that takes longer than the usual wait. */
const mapStartMs = 60_000

test('somebody on duty is found by name and followed, until the reader moves the map', async ({ page, browser }) => {
  const walker = await newWalker(browser)
  const { name, staffId } = walker
  const { step, end } = await walk(page, walker)
  await keepStreams(page)
  // The list is there before the map, as on a slow machine: who is chosen in it is followed once the map has loaded.
  const loadMap = await holdBack([page], '**/assets/map-canvas-*.js')
  await page.goto('/dashboard/map')
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  await panel.getByRole('searchbox').fill(name)
  const person = panel.getByRole('region', { name: 'On duty' }).getByRole('button', { name })
  await expect(person).toBeVisible({ timeout: 60_000 })
  await person.click()
  await expect(page).toHaveURL(new RegExp(`follow=${staffId}`))
  await loadMap()
  const bar = page.getByRole('status').filter({ hasText: `Following ${name}` })
  await expect(bar.locator('..')).toContainText('Live')
  await step(0.001)
  await expect(bar).toBeVisible()
  await settled(page)
  await expectAccessible(page)
  // From near at first, and then as far as the reader wants, also while they go on.
  const isNear = page.getByText('Plan view, no streets this close')
  await expect(isNear).toBeVisible({ timeout: mapStartMs })
  const goFar = async () => {
    for (let press = 0; press < 3; press += 1) {
      await page.getByRole('button', { name: 'Zoom out' }).click()
      await settled(page)
    }
    await expect(isNear).toBeHidden()
  }
  await goFar()
  // From the stream comes what is some 500 m further.
  await step(0.005)
  await expect.poll(() => farthestMoved(page)).toBeGreaterThan(400)
  await settled(page)
  await expect(isNear).toBeHidden()
  // An address that follows opens where they are, and not on the whole day.
  await page.reload()
  await expect(bar).toBeVisible({ timeout: 60_000 })
  await expect(isNear).toBeVisible({ timeout: mapStartMs })
  await settled(page)
  await expect(isNear).toBeVisible()
  const map = await page.getByRole('region', { name: "Map of today's departures" }).boundingBox()
  if (!map) throw new Error('The map has no place on the screen.')
  await page.mouse.move(map.x + map.width - 300, map.y + 400)
  await page.mouse.down()
  await page.mouse.move(map.x + map.width - 360, map.y + 460, { steps: 5 })
  await page.mouse.up()
  await expect(page).not.toHaveURL(/follow=/)
  await expect(bar).toBeHidden()
  await goFar()
  await person.click()
  await expect(bar).toBeVisible()
  await expect(isNear).toBeVisible()
  await end()
})

test('layers are left out and shown again, and the address keeps the choice', async ({ page }) => {
  await page.goto('/dashboard/map')
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'People and vehicles' }).click()
  await expect(page).toHaveURL(/hide=people/)
  await page.reload()
  await page.getByRole('button', { name: 'Layers' }).click()
  const people = page.getByRole('menuitemcheckbox', { name: 'People and vehicles' })
  await expect(people).not.toBeChecked()
  await people.click()
  await expect(page).not.toHaveURL(/hide=/)
})

test('the driven way is asked for with a departure that is out, and with no other', async ({ page }) => {
  const { departures } = await (await apiAs('dispatcher')).call(mapToday, {})
  const [out, other] = [departures.find((one) => isRunning(one)), departures.find((one) => !isRunning(one))]
  if (!out || !other) throw new Error('The demo day has a departure that is out, and one that is not.')
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/tracks-driven') && asked.push(request.postData() ?? ''))
  const answer = page.waitForResponse(/\/api\/tracks-driven$/)
  await page.goto(`/dashboard/map?show=${out.id}`)
  expect((await answer).status()).toBe(200)
  await page.goto(`/dashboard/map?show=${other.id}`)
  await settled(page)
  expect(asked.filter((data) => data.includes(other.id))).toEqual([])
})

test.describe('in an organization of its own', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('the driven way is drawn where it was driven, until its layer is left out', async ({ page }) => {
    await enterWithWallet(page)
    await createOrganization(page, 'Drawn Walks')
    const office = await apiOfBrowser(page.context())
    await makePlaces(office)
    const departure = await makeDeparture(await makeTour('Shore walk', office), {}, office)
    const guide = await guideWithPhone(office, 'Runa')
    const lead = { departureId: departure.id, staffId: guide.staffId, role: 'lead_guide' } as const
    await office.call(createAssignment, { ...lead, overrideReason: 'Journey' })
    await office.call(setDepartureStatus, { id: departure.id, version: departure.version, to: 'boarding' })
    // From west to east, north of all its stops, which are at one place. By seconds: of more in one second one is drawn. They are over until
    // the map asks, and none is from before boarding, which begins the duty that this way is of.
    const boardedAt = Date.now()
    for (const [second, lon] of [-21.9418, -21.94, -21.9382].entries()) {
      const fix = `lat=64.152&lon=${lon}&accuracy=8&timestamp=${boardedAt + second * 1000}`
      expect((await page.request.get(`${guide.url}?${fix}`)).status()).toBe(200)
    }

    // Nothing else is drawn that changes by itself.
    await page.goto(`/dashboard/map?show=${departure.id}&hide=people,departures,incidents,circles,no_go`)
    await settled(page)
    const map = await page.getByRole('region', { name: "Map of today's departures" }).boundingBox()
    if (!map) throw new Error('The map has no place on the screen.')
    // The stops are in the middle of what the panel and the buttons leave.
    const middle = { x: map.x + (412 + 48 + map.width - 88) / 2, y: map.y + map.height / 2 }
    const clip = { x: Math.round(middle.x) - 200, y: Math.round(middle.y) - 150, width: 400, height: 300 }
    const layer = page.getByRole('menuitemcheckbox', { name: 'Driven route of the selected departure' })
    /** The menu covers a part of the map, so it is closed again. */
    const pictureWith = async (isShown: boolean) => {
      await page.getByRole('button', { name: 'Layers' }).click()
      await layer.setChecked(isShown)
      await page.keyboard.press('Escape')
      await expect(layer).toHaveCount(0)
      return page.screenshot({ clip })
    }
    // At the closest zoom, 0.0036 degrees are some 84 pixels, and 0.002 degrees to the north some 107. Stops and names are drawn when they have
    // loaded, which may be between two pictures: then two more are taken.
    await expect(async () => {
      const [shown, hidden] = [await pictureWith(true), await pictureWith(false)]
      const [left, top, width, height] = [156, 42, 87, 5].map((pixels) => expect.closeTo(pixels, -1))
      expect(await differenceOf(page, shown, hidden)).toEqual({ left, top, width, height })
    }).toPass({ timeout: 60_000 })
  })
})
