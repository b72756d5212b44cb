import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { listBookingMessages } from '@tour-ops/contract/notifications/guest-rules'
import type { Page } from '@playwright/test'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectAccessibleEverywhere, sessionFile, test } from '../../fixtures.ts'
import { book, type JourneyTour, makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

let tour: JourneyTour
test.beforeAll(async () => {
  tour = await makeTour('Glacier walk')
})

/** A departure with a guest who reads German, one who reads Spanish, and one who can only be called. */
async function soldDeparture(hours: number) {
  const departure = await makeDeparture(tour, { hours })
  const sell = (name: string, contact: object) =>
    book(departure.id, [name], { contact: { name, ...contact }, tellGuest: false })
  const greta = await sell('Greta Vogel', { email: 'greta@example.org', locale: 'de' })
  const sol = await sell('Sol Ibarra', { email: 'sol@example.org', locale: 'es' })
  await sell('Tom Reed', { phone: '+44 7700 900345' })
  return { departure, greta, sol }
}

const written = async (bookingId: string): Promise<string[]> => {
  const api = await apiAs('admin')
  const { messages } = await api.call(listBookingMessages, { id: bookingId })
  return messages.map(({ kind, status }) => `${kind} ${status}`)
}

async function write(page: Page, departureId: string) {
  await page.goto(`/dashboard/overview?departure=${departureId}`)
  await page.getByRole('button', { name: 'Message guests' }).click()
  return page.getByRole('dialog', { name: 'Message guests' })
}

test('guests of a departure are written to in their languages, after everybody’s e-mail was seen, and it can be taken back', async ({
  page,
}) => {
  const { departure, greta, sol } = await soldDeparture(41)
  const dialog = await write(page, departure.id)
  await expect(dialog).toContainText(`2 guests, ${tour.name}`)
  await expect(dialog.getByRole('button', { name: 'Deutsch 1' })).toBeVisible()
  await expect(dialog).toContainText('No mail server is set up.')
  await dialog.getByText('1 booking gets no e-mail: call').click()
  await expect(dialog.getByRole('link', { name: '+447700900345' })).toBeVisible()
  await dialog.getByLabel('Begin with').selectOption({ label: 'Bad weather' })
  const reads = dialog.getByRole('region', { name: 'What they read' })
  await expect(reads).toContainText(`Das Wetter auf Ihrer Tour: ${tour.name}`)
  await expect(reads).toContainText('Guten Tag Greta Vogel,')
  await reads.getByRole('button', { name: 'Next guest' }).click()
  await expect(reads).toContainText('Hola, Sol Ibarra:')
  // for this message in another language
  const theirs = reads.getByLabel('Language of this message')
  await expect(theirs).toHaveValue('es')
  await theirs.selectOption({ label: 'English' })
  await expect(reads).toContainText('Hello Sol Ibarra,')
  await expect(dialog.getByRole('button', { name: 'English 1' })).toBeVisible()
  await reads.getByRole('button', { name: 'Previous guest' }).click()
  await expect(theirs).toHaveValue('de')
  await reads.getByRole('button', { name: 'Next guest' }).click()
  await expect(theirs).toHaveValue('en')
  await expectAccessibleEverywhere(page)
  await dialog.getByRole('button', { name: 'Send 2 e-mails' }).click()
  await page.getByText('2 e-mails are on their way').locator('..').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('2 e-mails taken back')).toBeVisible()
  for (const { id } of [greta, sol]) expect(await written(id)).toEqual(['guest_message suppressed'])
})

test('an own text names what is wrong with it, is tested on oneself, kept under a name, and begins the next message', async ({
  page,
}) => {
  const { departure, greta } = await soldDeparture(42)
  const name = `Parking ${departure.code}`
  const dialog = await write(page, departure.id)
  await dialog.getByRole('button', { name: 'English' }).click()
  await dialog.getByLabel('Subject').fill('Parking at {{place}}')
  await dialog.getByRole('textbox', { name: /^Text/ }).fill('Hello ')
  await dialog.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(dialog.getByRole('textbox', { name: /^Text/ })).toHaveValue('Hello {{name}}')
  await dialog.getByRole('textbox', { name: /^Text/ }).press('End')
  await dialog.getByRole('button', { name: 'Guest’s page' }).click()
  await expect(dialog.getByRole('textbox', { name: /^Text/ })).toHaveValue('Hello {{name}}\n{{link}}')
  await dialog.getByRole('button', { name: 'Send 2 e-mails' }).click()
  await expect(dialog.getByLabel('Subject')).toHaveAccessibleDescription(/Nothing is called “place”/)
  await dialog.getByLabel('Subject').fill('Parking for {{tour}}')
  await expect(dialog.getByRole('region', { name: 'What they read' })).toContainText(`Parking for ${tour.name}`)
  await dialog.getByRole('button', { name: 'Test to me' }).click()
  await expect(page.getByText(/^Test sent to /)).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep as template' }).click()
  const keep = page.getByRole('dialog', { name: 'Keep as template' })
  await keep.getByLabel('Name').fill(name)
  await keep.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByText(`Kept: ${name}`)).toBeVisible()
  // kept: nothing is lost by closing
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()

  await page.goto(`/travelers/list?booking=${greta.id}`)
  const drawer = page.getByRole('dialog', { name: `Booking ${greta.bookingRef}` })
  await drawer.getByRole('button', { name: 'Message guests' }).click()
  await dialog.getByLabel('Begin with').selectOption({ label: name })
  await dialog.getByRole('button', { name: 'Send 1 e-mail' }).click()
  await expect(page.getByText('1 e-mail is on its way')).toBeVisible()
  await expect(drawer.getByRole('region', { name: 'E-mails' })).toContainText('Message')
  expect(await written(greta.id)).toEqual(['guest_message queued'])
})

test('texts are changed and deleted where they are kept, deleting is undone, and a dispatcher reads them', async ({
  page,
  browser,
}) => {
  const { departure } = await soldDeparture(43)
  const name = `Ferry ${departure.code}`
  await page.goto('/tools/notifications?show=templates')
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Subject').fill('The ferry')
  await page.getByRole('textbox', { name: /^Text/ }).fill('It leaves at noon.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  const entry = page.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(entry).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Subject').fill('Another ferry')
  // another text would take away what is typed
  await page.getByRole('button', { name: /^Bad weather/ }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText(`Kept: ${name}`).last()).toBeVisible()
  const dispatch = await browser.newContext({ storageState: sessionFile('dispatcher') })
  const reading = await dispatch.newPage()
  await reading.goto('/tools/notifications?show=templates')
  await reading.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await expect(reading.getByLabel('Subject')).toHaveValue('Another ferry')
  await expect(reading.getByLabel('Subject')).not.toBeEditable()
  await dispatch.close()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(entry).toBeHidden()
  await page.getByText(`Deleted: ${name}`).locator('..').getByRole('button', { name: 'Undo' }).click()
  await expect(entry).toBeVisible()
})

test('guests of a cancelled departure are told from where the office sees that they are still booked', async ({
  page,
}) => {
  const { departure, greta } = await soldDeparture(44)
  const api = await apiAs('admin')
  await api.call(setDepartureStatus, {
    id: departure.id,
    version: (await api.call(getDeparture, { id: departure.id })).version,
    to: 'cancelled',
    cancelReason: 'weather',
  })
  await page.goto(`/dashboard/overview?departure=${departure.id}&tab=bookings`)
  await page.getByRole('status').getByRole('button', { name: 'Message guests' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message guests' })
  await expect(dialog.getByRole('region', { name: 'What they read' })).toContainText(
    `Ihre Tour fällt aus: ${tour.name}`,
  )
  await dialog.getByRole('button', { name: 'Send 2 e-mails' }).click()
  await expect(page.getByText('2 e-mails are on their way')).toBeVisible()
  expect(await written(greta.id)).toEqual(['guest_message queued'])
})
