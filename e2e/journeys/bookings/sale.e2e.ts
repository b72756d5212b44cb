import { getBooking, listBookings, type Booking } from '@tour-ops/contract/bookings/bookings'
import { getDeparture } from '@tour-ops/contract/departures/departures'
import { createTraveler, getTraveler, listTravelers } from '@tour-ops/contract/travelers/travelers'
import type { Page } from '@playwright/test'
import { type Api, apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, takeAnswers, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher'), contextOptions: { reducedMotion: 'reduce' } })

const ownWord = (): string => `Q${Math.random().toString(36).slice(2, 9)}`
const ownPhone = (): string => `+44 7700 ${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`

/** Counts what a person does: a key, a press, or something typed in one go. */
function hands(page: Page) {
  let done = 0
  const count = async (act: Promise<void>) => {
    done += 1
    await act
  }
  return {
    key: (key: string) => count(page.keyboard.press(key)),
    type: (text: string) => count(page.keyboard.type(text)),
    press: (role: 'button' | 'radio', name: RegExp | string) => count(page.getByRole(role, { name }).first().click()),
    done: () => done,
  }
}

/** The booking of a departure, which has one. */
async function bookingOn(api: Api, departureId: string): Promise<Booking> {
  const { rows } = await api.call(listBookings, { filters: { departureId: [departureId] } })
  expect(rows).toHaveLength(1)
  return api.call(getBooking, { id: rows[0]?.id ?? '' })
}

test('six seats for a caller who is known take at most twelve acts, from any screen', async ({ page }) => {
  // the goal of a call: a minute and a half
  test.setTimeout(90_000)
  const api = await apiAs('admin')
  const name = ownWord()
  const phone = ownPhone()
  const tour = await makeTour(`Coast ${name}`)
  const departure = await makeDeparture(tour, { hours: 49 })
  const { id: travelerId } = await api.call(createTraveler, { firstName: 'Amara', lastName: name, phone })
  await page.goto('/dashboard/overview')
  await settled(page)

  const { key, type, press, done } = hands(page)
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })
  await key('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await type(`6 ${name} ${weekday.format(Date.parse(departure.localDate))}`)
  await expect(page.getByRole('option', { name: `6 seats: Coast ${name}` })).toBeVisible()
  await key('Enter')
  await expect(page.getByRole('combobox', { name: 'Who books' })).toBeFocused()
  await type(phone)
  await key('Enter')
  await expect(page.getByRole('group', { name: `Who books: Amara ${name}` })).toBeFocused()
  await press('radio', /^Confirm/)
  await press('button', 'Confirm 6 seats')
  await expect(page.getByText('6 seats confirmed')).toBeVisible()
  expect(done()).toBeLessThanOrEqual(12)

  await expect(page).toHaveURL((url) => url.pathname === `/travelers/details/${travelerId}`)
  expect(await bookingOn(api, departure.id)).toMatchObject({
    status: 'confirmed',
    channel: 'phone',
    pax: 6,
    contact: { name: `Amara ${name}`, phone: phone.replaceAll(' ', '') },
    guests: [{ travelerId }],
  })
})

test('somebody new is sold to with those along, their needs, another price and a deposit', async ({ page }) => {
  const api = await apiAs('admin')
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Coast ${name}`), { hours: 50 })
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  const who = page.getByRole('combobox', { name: 'Who books' })
  await expect(who).toBeFocused()
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await page.getByRole('button', { name: 'Child: one more' }).click()
  await who.fill(`Mingma ${name}`)
  await page.getByRole('option', { name: `New guest: Mingma ${name}` }).click()
  await expect(page.getByText('nobody can be told of changes')).toBeVisible()
  const email = `${name.toLowerCase()}@example.org`
  await page.getByLabel('E-mail').fill(email)

  const add = page.getByRole('button', { name: 'Add a guest' })
  await add.click()
  await expect(page.getByRole('combobox', { name: 'Name of guest 2' })).toBeFocused()
  // what is typed counts when the field is left
  await page.keyboard.type(`Pema ${name}`)
  await page.keyboard.press('Tab')
  await page.getByLabel('Diet of guest 2').selectOption({ label: 'Nut allergy' })
  await expect(page.getByText(`Pema ${name}: Nut allergy`)).toBeVisible()
  await page.getByLabel('Mobility of guest 2').selectOption({ label: 'Wheelchair' })
  await expect(page.getByText('Wheelchair: no vehicle is assigned yet')).toBeVisible()
  await expect(page.getByText('1 seat without a name')).toBeVisible()
  await add.click()
  await expect(page.getByLabel('Seat of guest 3')).toHaveValue('child')
  await page.keyboard.type('Tashi')
  await page.keyboard.press('Enter')
  await page.getByLabel('Note on guest 3').fill('Sits next to Pema')
  await expect(add).toBeDisabled()

  await page.getByLabel('Language').fill('nepali')
  await page.getByRole('option', { name: /^Nepali/ }).click()
  await page.getByLabel('Total').fill('200')
  const send = page.getByRole('button', { name: 'Hold 3 seats' }).first()
  await expect(send).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Say why the price is another one.').first()).toBeVisible()
  await page.getByLabel('Reason for the price').fill('Came twice before')
  await page.getByLabel('Paid now').fill('50')
  await expect(page.getByText('Choose how it was paid.').first()).toBeVisible()
  await page.getByLabel('Paid by').selectOption({ label: 'Card terminal' })
  await expectAccessible(page)
  await send.click()
  await expect(page.getByText(/3 seats held until/)).toBeVisible()

  const booking = await bookingOn(api, departure.id)
  expect(booking).toMatchObject({
    status: 'on_hold',
    amountTotalMinor: 20_000,
    amountPaidMinor: 5_000,
    priceReason: 'Came twice before',
    paymentStatus: 'deposit',
    contact: { name: `Mingma ${name}`, email, locale: 'ne' },
  })
  const [mingma, pema, tashi] = await Promise.all(
    booking.guests.map(({ travelerId }) => api.call(getTraveler, { id: travelerId })),
  )
  expect(mingma).toMatchObject({ firstName: 'Mingma', lastName: name, email, languages: ['ne'] })
  expect(pema).toMatchObject({ firstName: 'Pema', dietary: ['nut_allergy'], mobility: 'wheelchair' })
  expect(tashi).toMatchObject({ firstName: null, lastName: 'Tashi' })
  expect(booking.guests.map(({ unitType }) => unitType)).toEqual(['adult', 'adult', 'child'])
  expect(booking.guests.map(({ note }) => note)).toEqual([null, null, 'Sits next to Pema'])
  await page.goto(`/travelers/list?booking=${booking.id}`)
  await expect(page.getByRole('dialog').getByText('Came twice before')).toBeVisible()
})

test('ages are asked where prices depend on them, and a child seat that is missing is named without forbidding the sale', async ({
  page,
}) => {
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Coast ${name}`), { hours: 54 })
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  await page.getByRole('button', { name: 'Child: one more' }).click()
  await expect(page.getByText('Age of 1 guest not known')).toBeVisible()
  // the child has no name yet, and its seat counts all the same
  await expect(page.getByText('Child seats: 1 needed with the guests booked already')).toBeVisible()
  await page.getByRole('button', { name: 'Add a guest' }).click()
  await page.keyboard.type('Zoe')
  await page.keyboard.press('Tab')
  await page.getByLabel('Seat of guest 1').selectOption({ label: 'Child' })
  await page.getByLabel('Age of guest 1').fill('12')
  await expect(page.getByText('Zoe is 12. Child: up to 11')).toBeVisible()
  await page.getByLabel('Age of guest 1').fill('9')
  await expect(page.getByText('Ages fit the prices')).toBeVisible()
  await expect(
    page.getByText('Child seats: 1 needed with the guests booked already, 0 on the departure. Issue 1 more.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Child seat for guest 1' }).uncheck()
  await expect(page.getByText('Child seats:')).toBeHidden()
  await page.getByRole('checkbox', { name: 'Child seat for guest 1' }).check()

  await page.getByRole('combobox', { name: 'Who books' }).fill(`Amara ${name}`)
  await page.getByRole('option', { name: `New guest: Amara ${name}` }).click()
  await page.getByRole('button', { name: 'Hold 2 seats' }).first().click()
  await expect(page.getByText(/2 seats held until/)).toBeVisible()
  const booking = await bookingOn(await apiAs('admin'), departure.id)
  expect(booking.guests).toMatchObject([{ unitType: 'adult' }, { name: 'Zoe', unitType: 'child', childSeat: true }])
})

test('a discount code makes the sale cheaper on a line of its own; one that is not taken says why', async ({
  page,
  browser,
  complaints,
}) => {
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Coast ${name}`), { hours: 55 })
  await makeTour(`Fjord ${name}`)
  const office = await browser.newContext({ storageState: sessionFile('operations_manager') })
  const planner = await office.newPage()
  await planner.goto('/discount-codes/create')
  await planner.getByRole('textbox', { name: /^Code/ }).fill(`SAVE-${name}`)
  await planner.getByLabel('Kind').selectOption({ label: 'Percent' })
  await planner.getByRole('spinbutton', { name: /^Percent/ }).fill('10')
  const tours = planner.getByRole('combobox', { name: /^Tours/ })
  for (const tour of [`Fjord ${name}`, `Coast ${name}`]) {
    await tours.fill(tour)
    await planner.getByRole('option', { name: tour }).click()
  }
  await expect(planner.getByRole('list', { name: /^Tours/ }).getByRole('listitem')).toHaveCount(2)
  await expectAccessible(planner)
  await planner.getByRole('button', { name: 'Save' }).click()
  await expect(planner.getByText(`SAVE-${name}`).first()).toBeVisible()

  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  const code = page.getByLabel('Discount code')
  await code.fill('NOBODY-KNOWS')
  await code.press('Enter')
  await expect(page.getByText('This discount code does not exist, or is no longer taken.')).toBeVisible()
  await code.fill(`save-${name}`)
  await code.press('Enter')
  await expect(page.getByText(`Discount SAVE-${name}`)).toBeVisible()
  await expect(page.getByText('-€17.80').or(page.getByText('−€17.80'))).toBeVisible()
  await expect(page.getByLabel('Total')).toHaveValue(/160\.20/)
  await page.getByRole('combobox', { name: 'Who books' }).fill(`Amara ${name}`)
  await page.getByRole('option', { name: `New guest: Amara ${name}` }).click()
  await page.getByRole('button', { name: 'Hold 2 seats' }).first().click()
  await expect(page.getByText(/2 seats held until/)).toBeVisible()
  const booking = await bookingOn(await apiAs('admin'), departure.id)
  expect(booking).toMatchObject({ amountTotalMinor: 16_020, discount: { code: `SAVE-${name}`, amountMinor: 1780 } })
  await planner.goto(`/discount-codes?q=${name}`)
  await expect(planner.getByRole('row', { name: new RegExp(`SAVE-${name}.*1`) })).toBeVisible()
  await expect(planner.getByText(`Fjord ${name}, Coast ${name}`)).toBeVisible()
  // the code that is not taken
  takeAnswers(complaints, 400)
  await office.close()
})

test('seats of an open form are held: everybody sees by whom, nobody else sells them, and leaving releases them', async ({
  page,
}) => {
  const api = await apiAs('admin')
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Coast ${name}`), { hours: 53 })
  const seats = async () => {
    const { seatsHeld, formHolds } = await api.call(getDeparture, { id: departure.id })
    return { seatsHeld, held: formHolds.map((hold) => hold.seats) }
  }
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await expect(page.getByText('2 seats are held while this form is open')).toBeVisible()
  expect(await seats()).toEqual({ seatsHeld: 2, held: [2] })

  const other = await page.context().newPage()
  await other.goto(`/tours/all?departure=${departure.id}&tab=bookings`)
  const drawer = other.getByRole('dialog')
  await expect(drawer.getByText(/^2 seats held in a form by .+, until (?:.+ )?\d\d:\d\d$/)).toBeVisible()
  await expectAccessible(other)
  await other.goto(`/travelers/book?bookOn=${departure.id}`)
  await expect(other.getByText(/^2 seats held in a form by .+, until (?:.+ )?\d\d:\d\d$/)).toBeVisible()
  await expect.poll(seats).toMatchObject({ seatsHeld: 3 })
  await other.close()

  await page.getByRole('button', { name: 'Adult: one more' }).click()
  await expect(page.getByText('3 seats are held while this form is open')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect.poll(async () => (await seats()).held).not.toContain(3)
})

test('a number that cannot be called is refused at its field, and nothing that was typed is lost', async ({
  page,
  complaints,
}) => {
  const api = await apiAs('admin')
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Coast ${name}`), { hours: 51 })
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  await expect(page.getByRole('combobox', { name: 'Who books' })).toBeFocused()
  await page.keyboard.type('12345')
  await page.getByRole('option', { name: 'New guest: 12345' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type(`Noor ${name}`)
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await expect(phone).toHaveValue('12345')
  await page.getByRole('button', { name: 'Hold 1 seat' }).first().click()
  await expect(phone).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Use the international form').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(`Noor ${name}`)
  takeAnswers(complaints, 400)
  await phone.fill('+977 1 4220123')
  await page.getByRole('button', { name: 'Hold 1 seat' }).first().click()
  await expect(page.getByText(/1 seat held until/)).toBeVisible()
  const { rows } = await api.call(listTravelers, { q: name })
  expect(rows).toMatchObject([{ name: `Noor ${name}`, phone: '+97714220123' }])
})

test('N begins a booking on the departure or for the traveler on screen, and never while somebody types', async ({
  page,
}) => {
  const api = await apiAs('admin')
  const name = ownWord()
  const departure = await makeDeparture(await makeTour(`Coast ${name}`), { hours: 52 })
  const { id: travelerId } = await api.call(createTraveler, { firstName: 'Zoe', lastName: name })
  await page.goto('/travelers/list')
  await settled(page)
  await page.getByRole('searchbox').first().fill('n')
  await page.getByRole('searchbox').first().press('n')
  await expect(page).toHaveURL((url) => url.pathname === '/travelers/list')
  await page.goto(`/dashboard/overview?departure=${departure.id}`)
  await expect(page.getByRole('dialog')).toContainText(departure.code)
  await page.keyboard.press('n')
  await expect(page).toHaveURL((url) => url.pathname === '/travelers/book')
  await expect(page.getByRole('complementary').or(page.locator('main')).getByText(departure.code).first()).toBeVisible()
  await page.goto(`/travelers/details/${travelerId}`)
  await settled(page)
  await page.keyboard.press('n')
  await expect(page).toHaveURL((url) => url.pathname === `/travelers/book/${travelerId}`)
  await expect(page.getByText(`for Zoe ${name}`)).toBeVisible()
})

test('a sale begins on the page of its tour', async ({ page }) => {
  const name = ownWord()
  const tour = await makeTour(`Coast ${name}`)
  await makeDeparture(tour, { hours: 58 })
  await page.goto(`/tours/edit/${tour.id}`)
  await page.getByRole('link', { name: 'New booking' }).click()
  await expect(page.getByLabel('Tour', { exact: true })).toHaveValue(tour.id)
  await expect(page.getByRole('combobox', { name: 'Who books' })).toBeFocused()
})

test('another sale from the palette asks before it takes away what was typed', async ({ page }) => {
  const name = ownWord()
  const tour = await makeTour(`Coast ${name}`)
  const departure = await makeDeparture(tour, { hours: 53 })
  await page.goto(`/travelers/book?bookOn=${departure.id}`)
  await expect(page.getByRole('combobox', { name: 'Who books' })).toBeFocused()
  await page.getByLabel('Notes').fill('Window seats')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(`3 ${name}`)
  await page.getByRole('option', { name: `3 seats: Coast ${name}` }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Notes')).toHaveValue('Window seats')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill(`3 ${name}`)
  await page.getByRole('option', { name: `3 seats: Coast ${name}` }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('button', { name: 'Hold 3 seats' }).first()).toBeVisible()
  await expect(page.getByLabel('Notes')).toHaveValue('')
})
