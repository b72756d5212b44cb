import { getDeparture, listDepartures, setDepartureStatus } from '@tour-ops/contract/departures'
import { createAssignment } from '@tour-ops/contract/field-staff'
import { getManifest } from '@tour-ops/contract/manifest'
import { createTraveler } from '@tour-ops/contract/travelers'
import type { Page } from '@playwright/test'
import { apiAs } from '../api.ts'
import { cutTexts } from '../cut-texts.ts'
import {
  brokenRules,
  expect,
  expectAccessible,
  holdBack,
  sessionFile,
  settled,
  takeAnswers,
  test,
} from '../fixtures.ts'
import {
  assignSomebody,
  book,
  type JourneyTour,
  makeBoarding,
  makeDeparture,
  makeGuide,
  makeTour,
} from '../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Lava fields')
})

const drawer = (page: Page) => page.getByRole('dialog', { name: /Lava fields/ })
const statusButton = (page: Page, word: string) => drawer(page).getByRole('button', { name: `Status: ${word}` })

test('it opens over any screen by its address, Escape closes it and the focus returns', async ({ page }) => {
  const departure = await makeDeparture(tour)
  const booking = await book(departure.id, ['Emma Perry'])
  await page.goto(`/travelers/details/${booking.guests[0]?.travelerId}`)
  const trip = page.getByRole('main').getByRole('link', { name: tour.name })
  await trip.click()
  await expect(drawer(page)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`departure=${departure.id}`))
  await drawer(page)
    .getByRole('tab', { name: /Manifest/ })
    .click()
  await expect(page).toHaveURL(/tab=manifest/)
  await page.keyboard.press('Escape')
  await expect(drawer(page)).toHaveCount(0)
  await expect(page).not.toHaveURL(/departure=|tab=/)
  await expect(trip).toBeFocused()
})

test('J and K step through the list behind it, also when the list arrives after it', async ({ page }) => {
  const departure = await makeDeparture(tour)
  const letList = await holdBack([page], '**/api/overview-get')
  // Just before midnight it is one of tomorrow's.
  await page.goto(`/dashboard/overview?day=${departure.localDate}&departure=${departure.id}`)
  await expect(drawer(page)).toBeVisible()
  const previous = drawer(page).getByRole('button', { name: 'Previous departure' })
  await expect(previous).toHaveCount(0)
  await letList()
  await expect(previous).toBeVisible()
  await page.keyboard.press('k')
  await expect(page).not.toHaveURL(new RegExp(departure.id))
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(departure.id))
})

test('the status button offers legal next states with what stands in the way; cancelling needs a reason', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 30 })
  await book(departure.id, ['Freja Kjær', 'Mads Kjær'])
  await page.goto(`/tours/all?departure=${departure.id}`)
  await statusButton(page, 'Scheduled').click()
  const boarding = page.getByRole('menuitem', { name: /Open boarding/ })
  await expect(boarding).toContainText('Boarding is not open yet.')
  await expect(boarding).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('menuitem', { name: /Complete/ })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: /Cancel departure/ }).click()
  const dialog = page.getByRole('dialog', { name: /Cancel departure/ })
  await expect(dialog).toContainText('2 guests must be moved or refunded')
  await expect(dialog.getByRole('button', { name: 'Cancel departure' })).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Why?').selectOption({ label: 'Weather' })
  await dialog.getByRole('button', { name: 'Cancel departure' }).click()
  await expect(page.getByText('Now: Cancelled')).toBeVisible()
  await expect(drawer(page)).toContainText('Cancelled. Weather')
  await drawer(page).getByRole('tab', { name: 'History' }).click()
  await expect(drawer(page).getByRole('listitem').filter({ hasText: 'Status changed' }).first()).toContainText(
    'Scheduled',
  )
})

test('a day: boarding, count, start, arrive, count before leaving, skip with a reason', async ({ page }) => {
  const departure = await makeBoarding(tour)
  await book(departure.id, ['Lucía Gómez'])
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=manifest`)
  await page.getByRole('button', { name: 'Check in Lucía Gómez' }).click()
  await expect(drawer(page).getByText('1 of 1 aboard').first()).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Start tour' }).click()
  const count = page.getByRole('dialog', { name: 'How many are there?' })
  await count.getByLabel('Counted', { exact: true }).fill('1')
  await count.getByRole('button', { name: 'Start tour' }).click()
  const early = page.getByRole('dialog', { name: /^Start tour: / })
  await expect(early).toContainText('The start is still more than 15 minutes away.')
  await expect(early.getByRole('button', { name: 'Start tour' })).toHaveAttribute('aria-disabled', 'true')
  await early.getByLabel('Reason').fill('Everyone is here')
  await early.getByRole('button', { name: 'Start tour' }).click()
  await expect(statusButton(page, 'In progress')).toBeVisible()

  await drawer(page).getByRole('tab', { name: 'Run sheet' }).click()
  const rows = drawer(page).locator('tbody tr')
  const footer = drawer(page).locator('footer')
  // Setting out leaves the pickup and the start, though nobody marked them.
  await expect(footer).toContainText(departure.stops[2]?.placeName ?? '')
  await rows.nth(0).getByRole('button', { name: /^Act/ }).click()
  await page.getByRole('menuitem', { name: 'Skip stop' }).click()
  const skip = page.getByRole('dialog', { name: /^Skip / })
  await expect(skip.getByRole('button', { name: 'Skip stop' })).toHaveAttribute('aria-disabled', 'true')
  await skip.getByLabel('Reason').fill('Nobody to collect')
  await skip.getByRole('button', { name: 'Skip stop' }).click()
  await expect(rows.nth(0)).toContainText('skipped: Nobody to collect')

  await footer.getByRole('button', { name: 'Mark arrived' }).click()
  await expect(rows.nth(2)).toContainText('Office')
  await footer.getByRole('button', { name: 'Mark departed' }).click()
  // This stop wants a head count before leaving.
  await count.getByLabel('Counted', { exact: true }).fill('1')
  await count.getByRole('button', { name: 'Mark departed' }).click()
  await expect(rows.nth(2)).toContainText('1 counted')
  await expect(footer.getByRole('button', { name: 'Mark arrived' })).toBeVisible()
  await footer.getByRole('button', { name: 'Mark arrived' }).click()
  await footer.getByRole('button', { name: 'Complete' }).click()
  await expect(page.getByText('Now: Completed')).toBeVisible()
})

test('who did not come is said in the question about the start, which then needs no reason', async ({ page }) => {
  // Ten minutes ahead, so that the pickup was ten minutes ago: whoever is not there by now may be a no-show.
  const planned = await makeDeparture(tour, { hours: 1 / 6 })
  const api = await apiAs('admin')
  await assignSomebody(api, planned.id)
  const pickupStopId = planned.stops.find(({ kind }) => kind === 'pickup')?.id ?? null
  await book(planned.id, ['Ida Strand', 'Ole Strand'], { pickupStopId })
  const { version } = await api.call(getDeparture, { id: planned.id })
  await api.call(setDepartureStatus, { id: planned.id, version, to: 'boarding' })
  await page.goto(`/dashboard/overview?departure=${planned.id}&tab=manifest`)
  await page.getByRole('button', { name: 'Check in Ida Strand' }).click()
  await expect(drawer(page).getByText('1 of 2 aboard').first()).toBeVisible()
  await statusButton(page, 'Boarding').click()
  await page.getByRole('menuitem', { name: /Start tour/ }).click()
  const count = page.getByRole('dialog', { name: 'How many are there?' })
  await count.getByLabel('Counted', { exact: true }).fill('1')
  await count.getByRole('button', { name: 'Start tour' }).click()
  const start = page.getByRole('dialog', { name: /^Start tour: / })
  await expect(start).toContainText('Someone is still expected or missing.')
  await expect(start.getByRole('region')).toContainText('Ole Strand')
  await expect(start.getByRole('region')).not.toContainText('Ida Strand')
  await expect(start.getByRole('button', { name: 'Start tour' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page)
  await start.getByRole('button', { name: /No-show.*Ole Strand|Ole Strand.*no-show/i }).click()
  await expect(start.getByRole('region')).toBeHidden()
  await expect(start).not.toContainText('Someone is still expected or missing.')
  await start.getByRole('button', { name: 'Start tour' }).click()
  await expect(statusButton(page, 'In progress')).toBeVisible()
  const { groups } = await api.call(getManifest, { departureId: planned.id })
  const entries = groups.flatMap(({ parties }) => parties.flatMap((party) => party.entries))
  expect(Object.fromEntries(entries.map(({ name, status }) => [name, status]))).toEqual({
    'Ida Strand': 'on_tour',
    'Ole Strand': 'no_show',
  })
})

test('"Guarantee" is the offered step only where somebody is booked; the status menu has it in any case', async ({
  page,
}) => {
  const departure = await makeDeparture(tour, { hours: 31 })
  await page.goto(`/tours/all?departure=${departure.id}&tab=run-sheet`)
  const step = drawer(page).locator('footer').getByRole('button', { name: 'Guarantee' })
  await statusButton(page, 'Scheduled').click()
  await expect(page.getByRole('menuitem', { name: /^Guarantee/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(step).toHaveCount(0)
  await book(departure.id, ['Mia Falk'])
  await expect(step).toBeVisible()
})

test('who is busy by now is refused by name of the other departure; somebody else is assigned', async ({
  page,
  complaints,
}) => {
  const departure = await makeDeparture(tour, { hours: 52 })
  const rival = await makeDeparture(tour, { hours: 52.5 })
  const api = await apiAs('admin')
  // people of this journey alone: everybody else may be asked by another journey at the same moment
  const [first, second] = [await makeGuide('Frost'), await makeGuide('Storm')]
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=crew`)
  await expect(drawer(page).getByText('No lead guide is assigned.')).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Assign', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Who goes?' })
  const assign = dialog.getByRole('button', { name: `Assign ${first.name}` })
  await expect(assign).toBeVisible()
  // A colleague is faster; the stream that would say so is held back.
  await page.route('**/api/assignments-suggest', () => undefined)
  await api.call(createAssignment, { departureId: rival.id, staffId: first.id, role: 'lead_guide' })
  await assign.click()
  await expect(dialog.getByRole('alert')).toContainText(rival.code)
  await dialog.getByRole('button', { name: `Assign ${second.name}` }).click()
  await expect(drawer(page).getByRole('listitem').filter({ hasText: second.name })).toContainText('Accepted')
  takeAnswers(complaints, 409)
})

for (const [place, width] of [
  ['a desk', 1440],
  ['a phone', 390],
] as const) {
  test(`every tab is accessible and fits on ${place}, light and dark`, async ({ page }) => {
    test.setTimeout(180_000)
    const departure = await makeBoarding(tour)
    await book(departure.id, ['Priya Gupta', 'Arjun Gupta'])
    await book(departure.id, ['Raphaël Moreau'], { mode: 'hold' })
    await book(departure.id, ['Ginevra Romano'], { mode: 'waitlist' })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/dashboard/overview?departure=${departure.id}`)
    await expect(drawer(page)).toBeVisible()
    const tabs = drawer(page).getByRole('tab')
    const names = await tabs.allTextContents()
    expect(names).toHaveLength(6)
    for (const [place, tab] of names.entries()) {
      await tabs.nth(place).click()
      await expect(tabs.nth(place)).toHaveAttribute('aria-selected', 'true')
      await settled(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect.soft(overflow, `${tab} fits`).toBeLessThanOrEqual(0)
      expect.soft(await cutTexts(page, '[role=dialog]'), `no time of ${tab} is cut`).toEqual([])
      expect.soft(await brokenRules(page), tab).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect.soft(await brokenRules(page, ['color-contrast']), `${tab}, dark`).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
    }
  })
}

test('the printer gets the run sheet or the manifest and nothing else', async ({ page }) => {
  const api = await apiAs('admin')
  const departure = await makeDeparture(tour)
  await assignSomebody(api, departure.id)
  const [guide] = (await api.call(getDeparture, { id: departure.id })).crew
  await book(departure.id, ['Alfie Parker'])
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await expect(drawer(page)).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('.print-sheet')
  await expect(sheet).toBeVisible()
  await expect(drawer(page)).toBeHidden()
  await expect(sheet).toContainText(departure.code)
  await expect(sheet).toContainText(departure.stops[2]?.placeName ?? '')
  // who joins where, and how many are aboard from there on
  await expect(sheet.getByRole('row', { name: /\+1/, includeHidden: true })).toHaveCount(1)
  const pageRules = await page.evaluate(() =>
    document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join(' '),
  )
  expect(pageRules).toContain('"Page " counter(page) " of " counter(pages)')
  await page.emulateMedia({ media: 'screen' })
  await drawer(page)
    .getByRole('tab', { name: /Manifest/ })
    .click()
  await expect(drawer(page).getByText('0 of 1 aboard').first()).toBeVisible()
  // The guide is one press away, and on paper in the heading that each page repeats.
  const call = drawer(page)
    .getByRole('list', { name: 'Crew' })
    .getByRole('link', { name: `Call ${guide?.name}` })
  await expect(call).toHaveAttribute('href', `tel:${guide?.phone}`)
  await page.emulateMedia({ media: 'print' })
  await expect(sheet).toContainText('Alfie Parker')
  await expect(sheet.locator('thead')).toContainText(`${guide?.name} ${guide?.phone}`)
  await expect(sheet).toContainText('1 party, 1 guest')
})

for (const [place, width] of [
  ['a desk', 1440],
  ['a phone', 390],
] as const) {
  test(`on ${place} the footer offers to undo beside the next step, and totals say what to reckon with`, async ({
    page,
  }) => {
    const api = await apiAs('admin')
    const departure = await makeBoarding(tour)
    const { id } = await api.call(createTraveler, {
      firstName: 'Olga',
      lastName: 'Nowak',
      dietary: ['vegan'],
      mobility: 'wheelchair',
    })
    await book(departure.id, ['Olga Nowak', 'Piet Nowak'], {
      contact: { name: 'Olga Nowak', phone: '+44 7700 900321' },
      guests: [
        { travelerId: id, unitType: 'adult' },
        { firstName: 'Piet', lastName: 'Nowak', unitType: 'adult' },
      ],
    })
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/dashboard/overview?departure=${departure.id}&tab=manifest`)
    await expect(drawer(page).getByText('1 party, 2 guests')).toBeVisible()
    await expect(drawer(page).getByText('Diet: Vegan 1')).toBeVisible()
    await expect(drawer(page).getByText('Mobility: Wheelchair 1')).toBeVisible()
    await expect(drawer(page).getByRole('link', { name: 'Call Olga Nowak' })).toHaveAttribute('href', /^tel:\+44/)
    await drawer(page).getByRole('button', { name: 'Head count', exact: true }).click()
    const count = page.getByRole('dialog', { name: 'How many are there?' })
    await expect(count.getByText('nobody is checked in')).toBeVisible()
    await expect(count.getByText('of 0')).toHaveCount(0)
    await count.getByRole('button', { name: 'Close' }).click()
    await expect(count).toHaveCount(0)
    await page.getByRole('button', { name: 'Check in Olga Nowak' }).click()
    const footer = drawer(page).locator('footer')
    const undo = footer.getByRole('button', { name: 'Undo' })
    await expect(undo).toBeVisible()
    await expect(page.locator('.toast')).toHaveCount(0)
    await footer.getByRole('button', { name: 'Start tour' }).click({ trial: true })
    await page.getByRole('button', { name: 'Check in Piet Nowak' }).click({ trial: true })
    await page.getByRole('checkbox', { name: 'Select Olga Nowak' }).check()
    await footer.getByRole('button', { name: 'Start tour' }).click({ trial: true })
    await page.getByRole('checkbox', { name: 'Select Olga Nowak' }).uncheck()
    await undo.click()
    await expect(drawer(page).getByText('0 of 2 aboard').first()).toBeVisible()
    await expect(undo).toHaveCount(0)
  })
}

test('a tour in another zone says what time it is there now', async ({ page }) => {
  const api = await apiAs('admin')
  const { rows } = await api.call(listDepartures, { size: 200 })
  const far = rows.find((row) => row.timeZone === 'Asia/Kathmandu')
  await page.goto(`/dashboard/overview?departure=${far?.id}`)
  const sheet = page.getByRole('dialog', { name: new RegExp(far?.tourName ?? '') })
  await expect(sheet.getByText(/^\d\d:\d\d there now$/)).toBeVisible()
  await expect(sheet.getByText(/Kathmandu/).first()).toBeVisible()
  const near = await makeDeparture(tour)
  await page.goto(`/dashboard/overview?departure=${near.id}`)
  await expect(drawer(page)).toBeVisible()
  await expect(drawer(page).getByText(/there now/)).toHaveCount(0)
})

test('a copied link begins with the public address where one is configured', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const departure = await makeDeparture(tour)
  await page.route(
    (url) => url.pathname === '/dashboard/overview',
    async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace('"publicOrigin":null', '"publicOrigin":"https://tours.example.com"')
      await route.fulfill({ response: answer, body })
    },
  )
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await drawer(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `https://tours.example.com/dashboard/overview?departure=${departure.id}`,
  )
})

for (const [what, isThere] of [
  ['without a clipboard, as over plain http', false],
  ['with a clipboard that refuses', true],
] as const) {
  test(`a link is copied ${what}`, async ({ page }) => {
    const departure = await makeDeparture(tour)
    await page.addInitScript((refuses) => {
      const clipboard = { writeText: () => Promise.reject(new Error('refused')) }
      Object.defineProperty(navigator, 'clipboard', { value: refuses ? clipboard : undefined })
    }, isThere)
    await page.goto(`/dashboard/overview?departure=${departure.id}`)
    const copy = drawer(page).getByRole('button', { name: 'Copy link' })
    await copy.click()
    await expect(page.getByText('Link copied')).toBeVisible()
    await expect(copy).toBeFocused()
    await page.goto('/travelers/list')
    const search = page.getByRole('searchbox').first()
    await search.focus()
    await page.keyboard.press('Control+V')
    await expect(search).toHaveValue(new RegExp(`/dashboard/overview\\?departure=${departure.id}$`))
  })
}

test('where nothing may be copied, the text is shown to copy by hand', async ({ page }) => {
  const departure = await makeDeparture(tour)
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await drawer(page).getByRole('button', { name: 'Copy link' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy it yourself' })
  await expect(shown.getByLabel('Text to copy')).toHaveValue(new RegExp(`departure=${departure.id}$`))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(shown).toBeHidden()
  await expect(drawer(page)).toBeVisible()
})

test('the office reads whether the guide has seen the run sheet', async ({ page, browser }) => {
  // on a day for which nobody is asked yet
  const departure = await makeDeparture(tour, { hours: 24 * (60 + Math.floor(Math.random() * 300)) })
  const guide = await apiAs('guide')
  const [own] = (await guide.call(listDepartures, { size: 1 })).rows
  const me = (await guide.call(getDeparture, { id: own?.id ?? '' })).crew.find(({ isSelf }) => isSelf)
  const staffId = me?.staffId ?? ''
  const assignment = { departureId: departure.id, staffId, role: 'lead_guide', overrideReason: 'Journey' } as const
  await (await apiAs('admin')).call(createAssignment, assignment)
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await expect(drawer(page).getByText('Itinerary revision 1')).toBeVisible()
  await expect(drawer(page).getByText(/seen by/)).toHaveCount(0)

  const context = await browser.newContext({ storageState: sessionFile('guide') })
  const guidePage = await context.newPage()
  await guidePage.goto(`/dashboard/overview?departure=${departure.id}`)
  await expect(drawer(guidePage).getByText(`seen by ${me?.name}`)).toBeVisible()
  await expect(drawer(page).getByText(`seen by ${me?.name}`)).toBeVisible()
  await drawer(page).getByRole('tab', { name: 'History' }).click()
  await expect(drawer(page).getByText('Run sheet seen')).toBeVisible()
  await context.close()
})
