import { checkIn } from '@tour-ops/contract/bookings/manifest'
import { listDepartureStops, markStop } from '@tour-ops/contract/departures/run-sheet'
import { createLink } from '@tour-ops/contract/links/links'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { type Api, apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, sessionFile, settled, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeBoarding, makePlaces, makeTour } from '../../operations.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** A departure that boards at its first stop, with a party that is aboard and a guest who is still awaited. */
async function boardingGroup(office: Api, tour: JourneyTour, [contact, companion]: readonly [string, string]) {
  const departure = await makeBoarding(tour, 10, office)
  const sell = (names: readonly string[]) => {
    const [name = ''] = names
    const email = `${name.toLowerCase().replace(' ', '.')}@example.org`
    return book(departure.id, names, { contact: { name, email, locale: 'en' }, tellGuest: false }, office)
  }
  const family = await sell([`${contact} Marin`, `${companion} Marin`])
  await sell([`Late ${contact}`])
  const entries = family.guests.map(({ entryId }) => ({ entryId: entryId ?? '', clientEventId: crypto.randomUUID() }))
  await office.call(checkIn, { departureId: departure.id, entries })
  const { stops } = await office.call(listDepartureStops, { departureIds: [departure.id] })
  const pickup = stops.find(({ kind }) => kind === 'pickup')
  if (!pickup) throw new Error('The tour has a pickup.')
  await office.call(markStop, { id: pickup.id, version: pickup.version, to: 'arrived' })
  return { departure, family }
}

test('the office writes to the guests in an area and asks whether they are safe, and both say whom they were for', async ({
  page,
  browser,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Area Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const ridge = await boardingGroup(office, await makeTour('Ridge walk', office), ['Sofia', 'Luca'])
  const shore = await boardingGroup(office, await makeTour('Shore walk', office), ['Ines', 'Nuno'])
  const { path } = await office.call(createLink, {
    kind: 'booking_guest',
    subjectId: ridge.family.id,
    label: 'Marin',
    language: 'en',
  })

  // Where nobody is, nothing can be done.
  await page.goto('/dashboard/map?area=10,10,500')
  const panel = page.getByRole('region', { name: "Today's departures", exact: true })
  await expect(panel.getByText('Nobody is known to be in this area now.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Write to these guests' })).toBeHidden()
  await panel.getByLabel('Latitude').fill('64.15')
  await panel.getByLabel('Longitude').fill('-21.94')
  await expect(panel.getByRole('status').filter({ hasText: 'Guests aboard: 4' })).toContainText('Departures: 2')
  await settled(page)
  await expectAccessible(page)

  const write = panel.getByRole('button', { name: 'Write to these guests' })
  await write.press('Enter')
  const composer = page.getByRole('dialog', { name: 'Message guests' })
  await expect(composer).toContainText('4 guests, Ridge walk and Shore walk')
  await expect(composer.getByRole('checkbox', { name: 'Only guests who are aboard' })).toBeChecked()
  await composer.getByText('Only guests who are aboard').click()
  await expect(composer).toContainText('6 guests, Ridge walk and Shore walk')
  await composer.getByText('Only guests who are aboard').click()
  await composer.getByLabel('Begin with').selectOption({ label: 'Bad weather' })
  await expectAccessible(page)
  await composer.getByRole('button', { name: 'Send 2 e-mails' }).click()
  await expect(page.getByText('2 e-mails are on their way')).toBeVisible()
  await expect(write).toBeFocused()

  await panel.getByRole('button', { name: 'Ask if they are safe' }).press('Enter')
  const ask = page.getByRole('dialog', { name: 'Ask whether these guests are safe?' })
  // everybody who has not cancelled: those who are awaited may be there as well
  const confirm = ask.getByRole('button', { name: 'Ask 6 guests' })
  await expect(confirm).toHaveAccessibleDescription('Enter in one line what happened.')
  await expect(ask.getByText('Can answer on their page').locator('..')).toContainText('2')
  await ask.getByLabel('What happened').fill('Rockfall at the harbor')
  await ask.getByLabel('Category').selectOption({ label: 'Security' })
  await ask.getByLabel('What guests read').fill('Rocks fell near the harbor.')
  await expectAccessible(page)
  await confirm.click()
  const asked = panel.getByRole('region', { name: 'Roll call' })
  // with the two guides
  await expect(asked).toContainText('8 people are asked')
  await expect(asked.getByRole('link')).toHaveCount(2)

  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const phone = await context.newPage()
  await phone.goto(path)
  await expect(phone.getByRole('heading', { name: 'Are you safe?' })).toBeVisible()
  await expect(phone.getByText('Rocks fell near the harbor.')).toBeVisible()
  await phone.getByRole('button', { name: /^We are all safe/ }).click()
  await expect(phone.getByText('The office knows that you are safe.')).toBeVisible()
  await context.close()

  await asked.getByRole('link', { name: `Ridge walk (${ridge.departure.code})` }).click()
  const room = page.getByRole('dialog', { name: /INC-/ })
  await expect(room).toContainText('Rockfall at the harbor')
  // in the roll call, and not among those who are affected
  await expect(room.getByRole('listitem').filter({ hasText: /Sofia Marin.*, on their link/ })).toContainText('Safe')
  await page.keyboard.press('Escape')
  await expect(room).toBeHidden()
  // who is asked already is said before they are asked again
  await panel.getByRole('button', { name: 'Ask if they are safe' }).click()
  await expect(ask.getByRole('status')).toContainText('2 of these departures are asked already.')
  await ask.getByRole('button', { name: 'Cancel' }).click()

  await page.goto('/tools/notifications')
  await page.getByRole('row').filter({ hasText: 'sofia.marin@example.org' }).filter({ hasText: 'The weather' }).click()
  const email = page.getByRole('dialog', { name: /^The weather on your tour/ })
  const codes = [ridge, shore].map(({ departure }) => departure.code).toSorted()
  await expect(email).toContainText(`Guests aboard of 2 departures: ${codes.join(' and ')}`)
  await expectAccessible(page)
})

test.describe('for a viewer', () => {
  test.use({ storageState: sessionFile('viewer') })

  test('who neither writes nor manages incidents only reads the list of an area', async ({ page }) => {
    await page.goto('/dashboard/map?area=64.1,-21.9,200000')
    const panel = page.getByRole('region', { name: "Today's departures", exact: true })
    await expect(panel.getByRole('button', { name: 'Save as CSV' })).toBeVisible()
    await settled(page)
    await expect(panel.getByRole('button', { name: 'Write to these guests' })).toBeHidden()
    await expect(panel.getByRole('button', { name: 'Ask if they are safe' })).toBeHidden()
  })
})
