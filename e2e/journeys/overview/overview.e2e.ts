import type { Locator, Page } from '@playwright/test'
import { createDeparture } from '@tour-ops/contract/departures/departure-schedule'
import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { getOverview } from '@tour-ops/contract/overview/overview'
import { createPlace } from '@tour-ops/contract/places/places'
import { createTour, publishTour } from '@tour-ops/contract/tours/tours'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiAs, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, settled, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

const overview = '/dashboard/overview'

/** A published day tour that no other journey touches, and one departure of it. */
async function ownDeparture(change: { daysAhead: number; startTimeLocal: string; minPax?: number }) {
  const manager = await apiAs('operations_manager')
  const code = `E${Date.now().toString(36).slice(-5)}${Math.random().toString(36).slice(2, 5)}`.toUpperCase()
  const name = `Journey ${code}`
  const timeZone = 'Atlantic/Reykjavik'
  const place = { kind: 'meeting_point' as const, lat: 64.1375, lng: -21.935, timeZone }
  const { id: placeId } = await manager.call(createPlace, { ...place, name: `Meeting point ${code}` })
  const { id: tourId } = await manager.call(createTour, {
    code,
    name,
    kind: 'day',
    timeZone,
    durationMin: 120,
    defaultCapacity: 10,
    minPax: change.minPax ?? 0,
    content: {
      stops: [
        { dayIndex: 1, order: 1, placeId, kind: 'start', offsetMin: 0 },
        { dayIndex: 1, order: 2, placeId, kind: 'end', offsetMin: 120 },
      ],
      units: [{ unitType: 'adult', priceMinor: 5000, currency: 'EUR' }],
    },
  })
  await manager.call(publishTour, { id: tourId, version: 1 })
  const localDate = new Date(Date.now() + change.daysAhead * 86_400_000).toISOString().slice(0, 10)
  const departure = { tourId, localDate, startTimeLocal: change.startTimeLocal }
  return { name, id: (await manager.call(createDeparture, departure)).id }
}

/** One departure may want a person for several reasons; less than a day ahead it also misses its guide. */
const belowMinimum = (page: Page, tourName: string): Locator =>
  page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('listitem')
    .filter({ hasText: tourName })
    .filter({ hasText: 'guests needed' })

test.describe('the office', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('the board is walked, opened and closed by keyboard alone', async ({ page }) => {
    await page.goto(overview)
    await expectScreen(page, 'Today')
    const links = page.getByRole('region', { name: 'Departures' }).getByRole('link')
    await expect(links.nth(1)).toBeVisible()
    await page.keyboard.press('j')
    await expect(links.first()).toBeFocused()
    await page.keyboard.press('j')
    await expect(links.nth(1)).toBeFocused()
    await page.keyboard.press('k')
    await expect(links.first()).toBeFocused()
    const tour = (await links.first().textContent()) ?? ''
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/departure=/)
    const drawer = page.getByRole('dialog')
    await expect(drawer).toContainText(tour)
    const first = new URL(page.url()).searchParams.get('departure')
    await page.keyboard.press('j')
    await expect.poll(() => new URL(page.url()).searchParams.get('departure')).not.toBe(first)
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
    await expect(page).not.toHaveURL(/departure=/)
  })

  test('the day is in the URL, survives a reload, and Back returns to today', async ({ page }) => {
    await page.goto(overview)
    await expectScreen(page, 'Today')
    await page.getByRole('button', { name: 'Tomorrow' }).click()
    await expect(page).toHaveURL(/day=tomorrow/)
    await expectScreen(page, 'Tomorrow')
    await page.reload()
    await expectScreen(page, 'Tomorrow')
    await expect(page.getByRole('button', { name: 'Tomorrow' })).toHaveAttribute('aria-pressed', 'true')
    await page.goBack()
    await expectScreen(page, 'Today')
    await page.goto(`${overview}?day=2031-02-03`)
    await expectScreen(page, 'Mon 3 Feb')
    await expect(page.getByText('No departures on this day')).toBeVisible()
  })

  test('a departure that somebody adds appears without a reload', async ({ page }) => {
    await page.goto(overview)
    await expectScreen(page, 'Today')
    await settled(page)
    const { name } = await ownDeparture({ daysAhead: 0, startTimeLocal: '00:05' })
    await expect(page.getByRole('region', { name: 'Departures' }).getByRole('link', { name })).toBeVisible()
  })

  test('running below the minimum is for managers, so a dispatcher may only cancel', async ({ page }) => {
    const { name } = await ownDeparture({ daysAhead: 1, startTimeLocal: '10:00', minPax: 4 })
    await page.goto(overview)
    const item = belowMinimum(page, name)
    await expect(item).toContainText('0 of 4 guests needed')
    await item.getByRole('button', { name: 'Run or cancel' }).click()
    const dialog = page.getByRole('dialog', { name: `Run ${name}?` })
    await expect(dialog.getByRole('radio', { name: /Run it/ })).toBeDisabled()
    await dialog.getByRole('radio', { name: /Cancel it/ }).check()
    await dialog.getByLabel('Why is it cancelled?').selectOption('weather')
    await dialog.getByRole('button', { name: 'Cancel the departure' }).click()
    await expect(page.getByText(`${name} is cancelled`)).toBeVisible()
    await expect(item).toHaveCount(0)
  })

  test('the day sheet prints the departures and nothing of the screen', async ({ page }) => {
    await page.goto(overview)
    await settled(page)
    await page.emulateMedia({ media: 'print' })
    await expect(page.locator('.day-sheet h1')).toBeVisible()
    const rows = page.locator('.day-sheet tbody tr')
    expect(await rows.count()).toBeGreaterThan(0)
    await expect(page.locator('#root')).toBeHidden()
  })

  test('every status of the board stands in one line, with its icon', async ({ page }) => {
    await page.goto(overview)
    await settled(page)
    const chips = page.getByRole('region', { name: 'Departures' }).locator('td .status')
    await expect(chips.first()).toBeVisible()
    const heights = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().height))
    // an icon above its word makes 38
    expect(Math.max(...heights)).toBeLessThan(26)
  })

  test('on a phone the board is a list that fits, and opens a departure', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(overview)
    await expectScreen(page, 'Today')
    await settled(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
    await page.getByRole('region', { name: 'Departures' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/departure=/)
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})

test.describe('a manager', () => {
  test.use({ storageState: sessionFile('operations_manager') })

  test('decides that a departure below its minimum runs, with a reason', async ({ page }) => {
    const { name } = await ownDeparture({ daysAhead: 1, startTimeLocal: '11:00', minPax: 4 })
    await page.goto(overview)
    const item = belowMinimum(page, name)
    await item.getByRole('button', { name: 'Run or cancel' }).click()
    const dialog = page.getByRole('dialog', { name: `Run ${name}?` })
    await dialog.getByRole('radio', { name: /Run it/ }).check()
    await expect(dialog.getByRole('button', { name: 'Guarantee the departure' })).toBeDisabled()
    await dialog.getByLabel('Why run it below the minimum?').fill('A group of six signs tomorrow')
    await dialog.getByRole('button', { name: 'Guarantee the departure' }).click()
    await expect(page.getByText(`${name} will run`)).toBeVisible()
    await expect(item).toHaveCount(0)
  })
})

test.describe('a guide', () => {
  test.use({ storageState: sessionFile('guide') })

  test('sees own departures and nothing else', async ({ page }) => {
    const [guide, admin] = await Promise.all([apiAs('guide'), apiAs('admin')])
    await page.goto(overview)
    await expectScreen(page, 'Today')
    await settled(page)
    // Somebody may give the guide one more while this looks: the board follows.
    await expect(async () => {
      const own = await guide.call(getOverview, {})
      const shown = page.getByRole('region', { name: 'Departures' }).getByRole('link')
      await expect(shown).toHaveCount(own.departures.length, { timeout: 2_000 })
      const all = await admin.call(getOverview, {})
      expect(own.departures.length).toBeLessThan(all.departures.length)
    }).toPass({ timeout: 20_000 })
    await expect(page.getByRole('link', { name: 'Schedule departures' })).toHaveCount(0)
  })
})

test('a new organization begins with five steps that lead to their screens', async ({ page }) => {
  await enterWithWallet(page)
  await createOrganization(page, `Start ${Date.now().toString(36)}`)
  await page.goto(overview)
  const list = page.getByRole('region', { name: 'Start here' })
  await expect(list).toContainText('0 of 5 done')
  await expectAccessible(page)
  const targets = [
    '/tours/constructor',
    '/field-staff/create',
    '/tours/all',
    '/travelers/import',
    '/user-management/create',
  ]
  const links = list.getByRole('link')
  await expect(links).toHaveCount(targets.length)
  const paths = await links.evaluateAll((found) =>
    found.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  )
  expect(paths).toEqual(targets)
  await links.first().click()
  await expectScreen(page, 'Tour builder')
})

test('a new organization says where it works; its lists say what to do first, with the button', async ({ page }) => {
  await enterWithWallet(page)
  await createOrganization(page, `Base ${Date.now().toString(36)}`)
  await page.goto(overview)
  const card = page.getByRole('region', { name: 'Where do you work?' })
  await card.getByLabel('First base').fill('Reykjavi')
  await page.getByRole('option', { name: /^Reykjavík/ }).click()
  await card.getByLabel('Time zone').fill('Reykjavik')
  await page.getByRole('option', { name: 'Atlantic/Reykjavik' }).click()
  await card.getByLabel('Currency').fill('ISK')
  await page.getByRole('option', { name: 'ISK' }).click()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: /Switch organization/ })).toContainText('Reykjavik')
  await expect(card).toHaveCount(0)

  const lists = [
    ['/tours/all', 'No tours yet', 'Create a tour', '/tours/constructor'],
    ['/tours/all?show=departures', 'No departures yet', 'Create a tour', '/tours/constructor'],
    ['/travelers/list', 'No travelers yet', 'Import', '/travelers/import'],
    ['/field-staff/list', 'Nobody here yet', 'Add a staff member', '/field-staff/create'],
    ['/field-staff/list?show=planner', 'Nobody here yet', 'Add a staff member', '/field-staff/create'],
    ['/field-staff/tracking', 'Nobody here yet', 'Add a staff member', '/field-staff/create'],
    ['/reports/tour-performance', 'No departures yet', 'Create a tour', '/tours/constructor'],
    ['/reports/staff-performance', 'No departures yet', 'Schedule departures', '/tours/all'],
    [
      '/tools/full-monitoring-list',
      'No departures running or starting within 24 h',
      'Schedule departures',
      '/tours/all',
    ],
  ] as const
  for (const [address, title, first, leadsTo] of lists) {
    await page.goto(address)
    await expect(page.getByText(title), address).toBeVisible()
    await expect(page.getByText('Nothing matches'), address).toHaveCount(0)
    const link = page.getByRole('main').getByRole('link', { name: first }).last()
    expect(new URL((await link.getAttribute('href')) ?? '', page.url()).pathname, address).toBe(leadsTo)
  }
  // What somebody searches for is another matter.
  await page.goto('/tours/all?q=volcano')
  await expect(page.getByText('No tours yet')).toBeVisible()
  await page.goto('/field-staff/create')
  await page.getByRole('combobox', { name: /base/i }).selectOption({ label: 'Reykjavík' })

  // With a tour and a departure: what is missing next is shown where a reader looks for it.
  const api = await apiOfBrowser(page.context())
  const tour = await makeTour('First of all', api)
  await page.goto(`/tours/edit/${tour.id}`)
  await page.getByRole('tab', { name: /Departures/ }).click()
  await expect(page.getByText('No upcoming departures')).toBeVisible()
  await page.getByRole('button', { name: 'Schedule departures' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const departure = await makeDeparture(tour, {}, api)
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=crew`)
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  const assign = page.getByRole('dialog', { name: 'Assign crew' })
  await expect(assign).toContainText('There are no field staff yet.')
  await expect(assign.getByRole('link', { name: 'Add a staff member' })).toHaveAttribute(
    'href',
    /\/field-staff\/create$/,
  )
  await assign.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Assign vehicle' }).click()
  await expect(page.getByRole('dialog', { name: 'Assign vehicle' })).toContainText('There are no vehicles yet.')

  // With somebody who is not on duty: how a duty begins.
  const person = { firstName: 'Siri', lastName: 'First', kinds: ['guide' as const], employment: 'employee' as const }
  await api.call(createFieldStaff, person)
  await page.goto('/field-staff/tracking')
  await expect(page.getByText('No open duty sessions')).toBeVisible()
  await expect(page.getByText(/^A duty session begins when/)).toBeVisible()
})
