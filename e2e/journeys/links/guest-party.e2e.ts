import { createLink } from '@tour-ops/contract/links/links'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { book, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('guests correct names and diet of their party on their link, and the office sees that they are right', async ({
  page,
  browser,
}) => {
  const tour = await makeTour(`Fjord ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 60 })
  const booking = await book(departure.id, ['Sofia Marin', 'Luca Marin'])
  await book(departure.id, ['Yuki Tanaka'])
  const office = await apiAs('dispatcher')
  const { path } = await office.call(createLink, {
    kind: 'booking_guest',
    subjectId: booking.id,
    label: `Marin ${tour.name}`,
    language: 'en',
    scopes: { details: true },
  })
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(path)
  const party = phone.getByRole('region', { name: /^(Is this right\?|Your party)$/ })
  await expect(party.getByRole('heading', { name: 'Is this right?' })).toBeVisible()
  await expect(party).toContainText('Sofia Marin')
  await expect(party).toContainText('You can change it until')
  await expect(phone.getByText('Yuki')).toHaveCount(0)
  await expectAccessible(phone)
  await party.getByRole('button', { name: 'Change names or diet' }).click()
  const luca = party.getByRole('group', { name: 'Guest 2' })
  const sofia = party.getByRole('group', { name: 'Guest 1' })
  const first = (await sofia.getByLabel('First name').inputValue()) === 'Sofia' ? sofia : luca
  await first.getByLabel('First name').fill('Sofía')
  await first.getByLabel('Last name').fill('')
  await first.getByRole('checkbox', { name: 'Vegetarian' }).check()
  await party.getByRole('button', { name: 'Save and confirm' }).click()
  await expect(first.getByLabel('Last name')).toHaveAccessibleDescription('Fill this in.')
  await first.getByLabel('Last name').fill('Marín')
  await expectAccessible(phone)
  await party.getByRole('button', { name: 'Save and confirm' }).click()
  await expect(party).toContainText('Sofía Marín')
  await expect(party).toContainText('Vegetarian')
  await expect(party).toContainText('You confirmed this:')
  await expect(party.getByRole('button', { name: 'Everything is right' })).toHaveCount(0)
  await context.close()

  await page.goto(`/travelers/list?booking=${booking.id}`)
  const guests = page.getByRole('dialog', { name: /^Booking / }).getByRole('region', { name: 'Guests' })
  const row = guests.getByRole('listitem').filter({ hasText: 'Sofía Marín' })
  await expect(row).toContainText('Vegetarian')
  await expect(row).toContainText('confirmed')
  await expectAccessible(page)
})

test('a guest names who comes along on seats without a name; what was typed stays when the line is cut, and nobody is named twice', async ({
  browser,
  page,
}, info) => {
  const tour = await makeTour(`Delta ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 60 })
  const office = await apiAs('dispatcher')
  const booking = await book(departure.id, ['Noor Haddad'], { units: [{ unitType: 'adult', quantity: 3 }] })
  const { path } = await office.call(createLink, {
    kind: 'booking_guest',
    subjectId: booking.id,
    label: `Haddad ${tour.name}`,
    language: 'en',
    scopes: { details: true },
  })
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(path)
  const party = phone.getByRole('region', { name: /^(Is this right\?|Your party)$/ })
  await expect(party).toContainText('2 guests are not named yet.')
  await party.getByRole('button', { name: 'Name the others' }).click()
  const seat = party.getByRole('group', { name: 'Guest 2: Adult, not named yet' })
  await seat.getByLabel('First name').fill('Layla')
  await party.getByRole('button', { name: 'Save and confirm' }).click()
  await expect(seat.getByLabel('Last name')).toHaveAccessibleDescription('Fill this in.')
  await seat.getByLabel('Last name').fill('Haddad')
  await seat.getByRole('checkbox', { name: 'Vegan' }).check()
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('naming.png'), fullPage: true })
  await phone.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(phone)
  await phone.screenshot({ path: info.outputPath('naming-dark.png'), fullPage: true })
  // the answer is lost on its way, and the guest sends once more
  await phone.route(
    '**/api/share-confirm',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await party.getByRole('button', { name: 'Save and confirm' }).click()
  await expect(party.getByRole('alert')).toBeVisible()
  await expect(party.getByRole('group', { name: 'Guest 3: Adult, not named yet' })).toBeVisible()
  await expect(seat).toHaveCount(0)
  await party.getByRole('button', { name: 'Save and confirm' }).click()
  await expect(party).toContainText('1 guest is not named yet.')
  await expect(party.getByText('Layla Haddad')).toHaveCount(1)
  await phone.screenshot({ path: info.outputPath('named.png'), fullPage: true })
  await context.close()

  await page.goto(`/travelers/list?booking=${booking.id}`)
  const guests = page.getByRole('dialog', { name: /^Booking / }).getByRole('region', { name: 'Guests' })
  await expect(guests.getByRole('listitem').filter({ hasText: 'Layla Haddad' })).toContainText('Vegan')
})

test('the office prints the address of a link as a code, and sees what guests see without answering for them', async ({
  page,
}, info) => {
  const tour = await makeTour(`Inlet ${Math.random().toString(36).slice(2, 7)}`)
  const departure = await makeDeparture(tour, { hours: 60 })
  const booking = await book(departure.id, ['Sofia Marin', 'Luca Marin'])
  const office = await apiAs('dispatcher')
  const label = `Marin ${tour.name}`
  await office.call(createLink, {
    kind: 'booking_guest',
    subjectId: booking.id,
    label,
    language: 'en',
    scopes: { details: true },
  })
  await page.goto(`/tools/shared-links?q=${encodeURIComponent(label)}`)
  await page.getByRole('button', { name: `Actions for ${label}` }).click()
  await page.getByRole('menuitem', { name: 'Create another URL' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'The address as a QR code' })).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('code.png') })
  const address = await dialog.getByLabel('URL', { exact: true }).inputValue()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('.address-code')
  await expect(sheet).toBeVisible()
  await expect(sheet).toContainText(label)
  await expect(sheet).toContainText(address)
  await expect(dialog).toBeHidden()
  await page.screenshot({ path: info.outputPath('code-on-paper.png') })
  await page.emulateMedia({ media: 'screen' })

  await page.goto(new URL(address).pathname)
  await expect(page.getByText('This is what guests see')).toBeVisible()
  const right = page.getByRole('button', { name: 'Everything is right' })
  await expect(right).toBeDisabled()
  await expectAccessible(page)
  await page.screenshot({ path: info.outputPath('preview.png') })
})
