import { getDeparture, listDepartures } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { createFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import type { Page } from '@playwright/test'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiAs, apiOfBrowser } from '../../api.ts'
import { cutTexts } from '../../cut-texts.ts'
import { brokenRules, expect, holdBack, sessionFile, settled, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeBoarding, makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { ownWord } from '../../staff.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Lava fields')
})

const drawer = (page: Page) => page.getByRole('dialog', { name: /Lava fields/ })

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

test('a tab that an address names is in sight on a phone, also where the row is longer', async ({ page }) => {
  const departure = await makeDeparture(tour)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=history`)
  await expect(drawer(page).getByRole('tab', { selected: true })).toHaveText('History')
  await expect(drawer(page).getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 })
})

test.describe('in an organization where nobody else works', () => {
  // what others change is asked for again at once: on a busy board there is always a call under way
  test.use({ storageState: { cookies: [], origins: [] } })

  for (const [place, width] of [
    ['a desk', 1440],
    ['a phone', 390],
  ] as const) {
    test(`every tab is accessible and fits on ${place}, light and dark`, async ({ page }) => {
      await enterWithWallet(page)
      await createOrganization(page, 'Drawer Walks')
      const office = await apiOfBrowser(page.context())
      await makePlaces(office)
      const departure = await makeBoarding(await makeTour('Lava fields', office), 10, office)
      await book(departure.id, ['Priya Gupta', 'Arjun Gupta'], {}, office)
      await book(departure.id, ['Raphaël Moreau'], { mode: 'hold' }, office)
      await book(departure.id, ['Ginevra Romano'], { mode: 'waitlist' }, office)
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
})

test('the printer gets the run sheet or the manifest and nothing else', async ({ page }) => {
  const api = await apiAs('admin')
  const departure = await makeDeparture(tour)
  // made by this journey, since anyone else who is free may have no number
  const { id: staffId } = await api.call(createFieldStaff, {
    firstName: 'Gunnar',
    lastName: ownWord(),
    kinds: ['guide'],
    employment: 'employee',
    languages: [{ tag: 'en', level: 'C2' }],
    phone: '+354 555 0177',
  })
  await api.call(createAssignment, {
    departureId: departure.id,
    staffId,
    role: 'lead_guide',
    overrideReason: 'Journey',
  })
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
  // The guide is one press away, and in print in the heading that each page repeats.
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
  test(`on ${place} the footer offers to undo next to the next step, and totals show what to expect`, async ({
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
