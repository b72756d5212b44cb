import { setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { listDepartureStops, markStop } from '@tour-ops/contract/departures/run-sheet'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { straightLineTime } from '@tour-ops/contract/tracking/arrivals/travel'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { makeDeparture, makePlaces, makeTour } from '../../operations.ts'
import { expectTourSeen } from '../../tracker-steps.ts'
import { guideWithPhone } from '../../walk.ts'

test('guests see on a drawing where their tour was a minute ago and how late it makes their start, and nothing of it once the office switches it off', async ({
  page,
  browser,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Seen Walks')
  const office = await apiOfBrowser(page.context())
  await makePlaces(office)
  const tour = await makeTour('Island walk', office, { kind: 'walking' })
  const departure = await makeDeparture(tour, { hours: 0.5 }, office)
  const guide = await guideWithPhone(office, 'Runa')
  await office.call(createAssignment, {
    departureId: departure.id,
    staffId: guide.staffId,
    role: 'lead_guide',
    overrideReason: 'Journey',
  })
  await office.call(setDepartureStatus, { id: departure.id, version: departure.version, to: 'boarding' })
  const { stops } = await office.call(listDepartureStops, { departureIds: [departure.id] })
  const [pickup, start] = [stops.find(({ kind }) => kind === 'pickup'), stops.find(({ kind }) => kind === 'start')]
  if (!pickup || !start) throw new Error('The tour has a pickup and a start.')
  // who has left the pickup is on the way to the start
  const { id, version } = await office.call(markStop, { id: pickup.id, version: pickup.version, to: 'arrived' })
  await office.call(markStop, { id, version, to: 'departed' })
  const isSeen = async (at: { lat: number; lng: number }, recorded: number): Promise<void> => {
    const query = `lat=${at.lat}&lon=${at.lng}&accuracy=8&timestamp=${recorded}`
    expect((await page.request.get(`${guide.url}?${query}`)).status()).toBe(200)
  }
  await isSeen({ lat: 64.152, lng: -21.945 }, Date.now() - 75_000)

  await page.goto('/tools/shared-links')
  const address = async (change?: () => Promise<void>): Promise<string> => {
    await page.getByRole('button', { name: 'New link' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New link' })
    await dialog.getByRole('combobox', { name: 'Departure' }).fill('island')
    await page.getByRole('option', { name: /Island walk/ }).click()
    await change?.()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const ready = page.getByRole('dialog', { name: 'The link is ready' })
    const made = await ready.getByLabel('URL', { exact: true }).inputValue()
    await ready.getByRole('button', { name: 'Close' }).click()
    return made
  }
  const shown = await address(async () => {
    await expect(page.getByLabel('Guests see it later by')).toHaveValue('60')
    await page.getByLabel('Guests see it within').selectOption('500')
    await expectAccessible(page)
  })
  const hidden = await address(async () => {
    await page.getByRole('checkbox', { name: /^Places/ }).uncheck()
    await expect(page.getByRole('checkbox', { name: /^Where the tour is/ })).not.toBeChecked()
  })

  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: { cookies: [], origins: [] },
  })
  const guest = await phone.newPage()
  await guest.goto(shown)
  await expectTourSeen(guest, 500)
  const planned = start.plannedArriveAt
  const comes = guest.getByRole('status').filter({ hasText: 'the tour leaves' })
  await expect(comes).toContainText(timeAt(planned))
  await expect(comes).not.toContainText('late')
  // Over an hour away on foot, half an hour before the start: the open page says so with the next look at positions, once a minute.
  const farther = { lat: 64.18, lng: -21.945 }
  const recorded = Date.now()
  await isSeen(farther, recorded)
  await expectAccessible(guest)
  const other = await phone.newPage()
  await other.goto(hidden)
  await expect(other.getByRole('heading', { name: 'Island walk' })).toBeAttached()
  await expect(other.getByRole('img', { name: 'Where the tour is' })).toHaveCount(0)
  await other.close()
  const reached = recorded + straightLineTime(farther, { lat: 64.15, lng: -21.94 }, 'walk').seconds * 1000
  const minutes = Math.floor((reached - Date.parse(planned)) / 60_000)
  await expect(comes).toContainText(`${minutes} min late (planned ${timeAt(planned)})`, { timeout: 150_000 })
  await expect(comes).toContainText(timeAt(Date.parse(planned) + minutes * 60_000))
  await phone.close()
})

/** As the clocks in Reykjavik show it, which is UTC. */
const timeAt = (at: string | number): string => new Date(at).toISOString().slice(11, 16)
