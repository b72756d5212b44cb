import { createAssignment, listAssignments, offerAssignment } from '@tour-ops/contract/field-staff/assignments'
import { getSession } from '@tour-ops/contract/identity/session'
import { createPlace } from '@tour-ops/contract/places/places'
import { assignVehicle, vehicleRecord } from '@tour-ops/contract/vehicles/vehicles'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, sessionFile, takeAnswers, test } from '../../fixtures.ts'
import { makeTour, planBetween } from '../../operations.ts'
import { addDeparture, addPerson, farDay, ownWord } from '../../staff.ts'

test.use({ storageState: sessionFile('operations_manager') })
test.describe.configure({ mode: 'parallel' })

test('the planner suggests who fits, assigns, and says where somebody is busy', async ({ page }) => {
  const name = ownWord()
  const language = 'fi'
  const staffId = await addPerson(name, { language })
  const tour = await makeTour(`Tour ${name}`)
  const day = farDay()
  const first = await addDeparture(tour, day, '09:00', language)
  const second = await addDeparture(tour, day, '10:00', language)

  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  const open = page.getByRole('listitem').filter({ hasText: first.tourName })
  await expect(open).toHaveCount(2)
  await open.filter({ hasText: '09:00' }).getByRole('button').first().click()
  await expect(page.getByText('Speaks the language').first()).toBeVisible()
  await page.getByRole('checkbox', { name: `Siri ${name}` }).check()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await expect(page.getByText(`Siri ${name} is on ${first.code}`)).toBeVisible()
  await expect(open).toHaveCount(1)

  await open.getByRole('button').first().click()
  await expect(page.getByText('Not possible')).toBeVisible()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `Siri ${name}` })
      .last(),
  ).toContainText(`is on ${first.code}`)
  const api = await apiAs('operations_manager')
  const { rows } = await api.call(listAssignments, { filters: { staffId: [staffId] } })
  expect(rows).toMatchObject([{ departureCode: first.code, role: 'lead_guide', status: 'accepted' }])
  expect(second.code).not.toBe(first.code)
})

test('those who fit beyond the first six are one press away, by keyboard, and they can be chosen', async ({ page }) => {
  const name = ownWord()
  const tour = await makeTour(`Tour ${name}`)
  const day = farDay()
  await addDeparture(tour, day, '09:00')
  // other journeys add people meanwhile, who would come as well
  await page.route('**/api/live/**', () => undefined)
  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  const open = page.getByRole('listitem').filter({ hasText: `Tour ${name}` })
  await open.getByRole('button').first().click()
  const people = open.getByRole('checkbox')
  await expect(people).toHaveCount(6)
  const more = open.getByRole('button', { name: /^Show \d+ more$/ }).first()
  const others = Number(/\d+/.exec(await more.innerText())?.[0])
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(people).toHaveCount(6 + others)
  // The focus is on the first who came, whose box is next.
  await page.keyboard.press('Tab')
  await expect(people.nth(6)).toBeFocused()
  await people.last().check()
  await expect(open.getByRole('button', { name: 'Assign', exact: true })).toBeEnabled()
})

test('somebody without enough rest is assigned only with a reason, shown as text, which is found again', async ({
  page,
}) => {
  const name = ownWord()
  const language = 'ko'
  const staffId = await addPerson(name, { language })
  const api = await apiAs('operations_manager')
  const place = (title: string, lat: number, lng: number) =>
    api.call(createPlace, { kind: 'sight', name: `${title} ${name}`, lat, lng, timeZone: 'Atlantic/Reykjavik' })
  const [town, vik] = [await place('Town', 64.1466, -21.9426), await place('Vik', 63.4194, -19.006)]
  const tour = await makeTour(`Tour ${name}`, api, { content: planBetween(town.id, vik.id) })
  const day = farDay()
  const morning = await addDeparture(tour, day, '08:00', language)
  await addDeparture(tour, day, '20:00', language)
  await api.call(createAssignment, { departureId: morning.id, staffId, role: 'lead_guide' })

  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  await page
    .getByRole('listitem')
    .filter({ hasText: `Tour ${name}` })
    .getByRole('button')
    .first()
    .click()
  const fits = page.getByRole('listitem').filter({ has: page.getByRole('checkbox', { name: `Siri ${name}` }) })
  // Released half an hour after 10:00, reporting half an hour before 20:00: nine hours, of which the way back from Vik takes 3 h 43 min (165 km, a third
  // longer by road, at 60 km/h).
  const rest = new RegExp(`^5 h 17 min of rest before or after ${morning.code}, 11 h needed$`)
  await expect(fits.getByText(rest)).toBeVisible()
  await page.getByRole('checkbox', { name: `Siri ${name}` }).check()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign anyway?' })
  await expect(dialog.getByText(rest)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Assign' })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Reason').fill('Siri asked for both')
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(page.getByText(`Siri ${name} is on`)).toBeVisible()
  await page.goto(`/field-staff/details/${staffId}`)
  await page.getByRole('tab', { name: /Assignments/ }).click()
  await expect(page.getByText('Assigned despite: too little rest. Reason: Siri asked for both')).toBeVisible()
})

test('a yes to an offer that breaks a rule by now is refused with its figures, and the office decides with a reason', async ({
  page,
  browser,
  complaints,
}) => {
  const name = ownWord()
  const office = await apiAs('operations_manager')
  const { staffId } = await (await apiAs('guide')).call(getSession, {})
  const tour = await makeTour(`Tour ${name}`)
  const day = farDay()
  const morning = await addDeparture(tour, day, '08:00')
  await office.call(offerAssignment, {
    departureId: morning.id,
    role: 'lead_guide',
    staffIds: [staffId ?? ''],
    respondBy: new Date(Date.now() + 86_400_000).toISOString(),
    overrideReason: 'Nobody else speaks it',
  })
  const evening = await addDeparture(tour, day, '20:00')
  const overrideReason = 'Nobody else speaks it'
  await office.call(createAssignment, {
    departureId: evening.id,
    staffId: staffId ?? '',
    role: 'lead_guide',
    overrideReason,
  })
  const rest = new RegExp(`of rest before or after ${evening.code}, 11 h needed`)

  const own = await browser.newContext({ storageState: sessionFile('guide') })
  const guide = await own.newPage()
  const offer = (on: Page) =>
    on
      .getByRole('listitem')
      .filter({ hasText: `Tour ${name}` })
      .filter({ hasText: 'offered' })
  await guide.goto(`/field-staff/details/${staffId}`)
  await guide.getByRole('tab', { name: /Assignments/ }).click()
  await offer(guide).getByRole('button', { name: 'Accept' }).click()
  await expect(offer(guide).getByRole('alert')).toContainText(rest)
  await expect(offer(guide).getByRole('alert')).toContainText('Call the office: it can decide.')
  await own.close()

  await page.goto(`/field-staff/details/${staffId}`)
  await page.getByRole('tab', { name: /Assignments/ }).click()
  await offer(page).getByRole('button', { name: 'Accept' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept anyway?' })
  await expect(dialog.getByText(rest)).toBeVisible()
  await dialog.getByLabel('Reason').fill('Asked by phone')
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText(/^Assigned despite: .*too little rest.*Reason: Asked by phone/)).toBeVisible()
  takeAnswers(complaints, 409)
})

test('a role is dragged to a person, or given by keyboard, and the hours follow', async ({ page }) => {
  const name = ownWord()
  await addPerson(name)
  const tour = await makeTour(`Tour ${name}`)
  const day = farDay()
  const first = await addDeparture(tour, day, '09:00')
  const second = await addDeparture(tour, day, '15:00')
  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  const open = page.getByRole('listitem').filter({ hasText: `Tour ${name}` })
  const row = page.getByRole('row').filter({ hasText: `Siri ${name}` })
  await open.filter({ hasText: '09:00' }).getByRole('button').dragTo(row.getByRole('cell').nth(3))
  await expect(page.getByText(`Siri ${name} is on ${first.code}`)).toBeVisible()
  await expect(row).toContainText('08:30–11:30')
  // The second one comes too soon after the first: asked for by keyboard, it takes a reason.
  await open.getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  const choose = row.getByRole('button', { name: `Assign Siri ${name}` })
  await choose.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Assign anyway?' })
  await dialog.getByLabel('Reason').fill('Both are short')
  await dialog.getByRole('button', { name: 'Assign' }).click()
  await expect(page.getByText(`Siri ${name} is on ${second.code}`)).toBeVisible()
  await expect(row.getByRole('rowheader')).toContainText('6')
  await expect(open).toHaveCount(0)
})

test('days of a journey are shown on all its days, in the week from its first day to the last', async ({ page }) => {
  const name = ownWord()
  const staffId = await addPerson(name)
  const tour = await makeTour(`Tour ${name}`, undefined, { kind: 'multi_day', durationDays: 3 })
  // Begins on a Sunday and reaches into the next week.
  const sunday = new Date(farDay())
  sunday.setUTCDate(sunday.getUTCDate() + ((7 - sunday.getUTCDay()) % 7))
  const day = sunday.toISOString().slice(0, 10)
  const departure = await addDeparture(tour, day, '09:00')
  const api = await apiAs('operations_manager')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  const board = page.getByRole('region', { name: 'Planner' })
  await expect(board.getByRole('columnheader').last()).toContainText(String(sunday.getUTCDate()))
  expect(await board.evaluate((region) => region.scrollWidth - region.clientWidth)).toBe(0)
  const cut = await board
    .getByRole('button')
    .evaluateAll((blocks) =>
      blocks.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
    )
  expect(cut, 'no time is cut').toEqual([])
  await api.call(createAssignment, { departureId: departure.id, staffId, role: 'lead_guide' })
  const row = board.getByRole('row').filter({ hasText: `Siri ${name}` })
  await expect(row.getByRole('cell').last()).toContainText('Day 1 of 3')
  await page.getByRole('button', { name: 'Next week' }).click()
  await expect(row.getByRole('cell').nth(0)).toContainText('Day 2 of 3')
  await expect(row.getByRole('cell').nth(1)).toContainText('Day 3 of 3')
  await expect(row.getByRole('cell').nth(2)).not.toContainText('Day')
})

test('times of another zone carry it: in open roles, and in rows of people and vehicles', async ({ page }) => {
  const name = ownWord()
  const staffId = await addPerson(name)
  const api = await apiAs('operations_manager')
  const vehicle = await api.call(vehicleRecord.create, { label: `Boat ${name}`, plate: name, class: 'boat', seats: 12 })
  const tour = await makeTour(`Tour ${name}`, undefined, {
    timeZone: 'Asia/Kathmandu',
    requirements: { roles: ['lead_guide'], vehicleClass: 'boat' },
  })
  const day = farDay()
  const { id: departureId } = await addDeparture(tour, day, '09:00')
  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  const open = page.getByRole('listitem').filter({ hasText: `Tour ${name}` })
  await expect(open).toHaveCount(2)
  for (const one of await open.all()) await expect(one).toContainText(/09:00–11:00 GMT\+5:45/)
  await api.call(createAssignment, { departureId, staffId, role: 'lead_guide', overrideReason: 'Journey' })
  await api.call(assignVehicle, { departureId, vehicleId: vehicle.id, driverStaffId: null })
  for (const row of [`Siri ${name}`, `Boat ${name}`]) {
    await expect(page.getByRole('row').filter({ hasText: row })).toContainText('GMT+5:45')
  }
})

test('a drop on somebody who was not suggested shows what speaks against them, and an ended licence is refused', async ({
  page,
  complaints,
}) => {
  const name = ownWord()
  await addPerson(`${name} without licence`, {
    certificates: [{ kind: 'national_guide_licence', validUntil: '2020-01-01' }],
  })
  await addPerson(`${name} the guide`)
  const tour = await makeTour(`Tour ${name}`, undefined, { requirements: { roles: ['lead_guide', 'driver'] } })
  const day = farDay()
  await addDeparture(tour, day, '09:00')
  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  const open = page.getByRole('listitem').filter({ hasText: `Tour ${name}` })
  const drag = (role: string, person: string) =>
    open
      .filter({ hasText: role })
      .getByRole('button')
      .first()
      .dragTo(page.getByRole('row').filter({ hasText: person }).getByRole('cell').nth(2))
  await drag('Lead guide', `Siri ${name} without licence`)
  await expect(page.getByRole('alert').filter({ hasText: 'licence' })).toContainText(
    `The licence of Siri ${name} without licence has expired by then, and this work requires it.`,
  )
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await drag('Driver', `Siri ${name} the guide`)
  const question = page.getByRole('dialog')
  await expect(question.getByRole('listitem')).toHaveText(`Siri ${name} the guideDoes not work in this role`)
  await question.getByLabel('Reason').fill('Has driven buses for years')

  // While it is sent, and when it fails for something else, the question still says what it is about.
  const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>()
  await page.route('**/api/assignments-create', async (route) => {
    await mayFail
    await route.fulfill({ status: 503, json: { error: { status: 'UNAVAILABLE', message: 'Busy.', details: {} } } })
  })
  await question.getByRole('button', { name: 'Assign' }).click()
  await expect(question.locator('[aria-busy=true]')).toBeVisible()
  await expect.soft(question.getByRole('listitem'), 'while it is sent').toHaveText(/Does not work in this role/)
  fail()
  await expect(question.getByRole('alert')).toBeVisible()
  await expect.soft(question.getByRole('listitem'), 'after it failed').toHaveText(/Does not work in this role/)
  await page.unroute('**/api/assignments-create')
  takeAnswers(complaints, 503)

  await question.getByRole('button', { name: 'Assign' }).click()
  await expect(question).toBeHidden()
  await expect(open).toHaveCount(1)
  takeAnswers(complaints, 409)
  takeAnswers(complaints, 400)
})

test('vehicles have rows; a departure without one is dragged to a free vehicle', async ({ page }) => {
  const name = ownWord()
  const api = await apiAs('operations_manager')
  await api.call(vehicleRecord.create, { label: `Boat ${name}`, plate: name, class: 'boat', seats: 12 })
  const tour = await makeTour(`Tour ${name}`, undefined, { requirements: { roles: [], vehicleClass: 'boat' } })
  const day = farDay()
  const departure = await addDeparture(tour, day, '09:00')
  await page.goto(`/field-staff/list?show=planner&from=${day}`)
  const open = page.getByRole('listitem').filter({ hasText: `Tour ${name}` })
  const row = page.getByRole('row').filter({ hasText: `Boat ${name}` })
  await open.getByRole('button').dragTo(row.getByRole('cell').nth(2))
  await expect(page.getByText('Vehicle assigned')).toBeVisible()
  await expect(open).toHaveCount(0)
  await row.getByRole('button').click()
  await expect(page.getByRole('dialog').getByText(departure.code).first()).toBeVisible()
})
