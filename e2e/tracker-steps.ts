import { expect, type Locator, type Page } from '@playwright/test'
import { addDevice, pairDevice, redeemPairing } from '@tour-ops/contract/tracking/devices'
import type { Api } from './api.ts'

// Steps with phones and trackers that report positions, whatever the installation runs on.

/** The card with the devices of a person or a vehicle, on their page. */
export const deviceCard = (page: Page): Locator => page.getByRole('region', { name: 'Devices' })

/**
 * Adds a device on the page of a person or a vehicle.
 *
 * @returns The code that pairs it, and the dialog that shows the code until it is used.
 */
export async function addDeviceOnCard(page: Page, label: string): Promise<{ code: string; dialog: Locator }> {
  await deviceCard(page).getByRole('button', { name: 'Add device' }).click()
  await page.getByRole('textbox', { name: 'Name of the device' }).fill(label)
  await page.getByRole('dialog').getByRole('button', { name: 'Add device' }).click()
  const dialog = page.getByRole('dialog', { name: `Pair ${label}` })
  return { code: await dialog.getByRole('status', { name: 'Pairing code' }).innerText(), dialog }
}

/** The office sees that the device of the dialog is paired. */
export async function closePaired(dialog: Locator): Promise<void> {
  await expect(dialog.getByText('The device is paired.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
}

/** Revokes the only device on the page of a person or a vehicle. */
export async function revokeOnCard(page: Page): Promise<void> {
  await deviceCard(page).getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(deviceCard(page).getByText('No device yet.', { exact: false })).toBeVisible()
}

/** Pairs a phone with somebody of the field staff, without a page. @returns The device, and where it sends to. */
export async function pairPhone(office: Api, staffId: string): Promise<{ id: string; url: string }> {
  const { id } = await office.call(addDevice, { label: 'Phone of a journey', staffId })
  const { code } = await office.call(pairDevice, { id })
  return { id, url: (await office.call(redeemPairing, { code })).url }
}

/** A guest's page draws where the tour was, as precisely as its link says. */
export async function expectTourSeen(guest: Page, meters: number): Promise<void> {
  await expect(guest.getByRole('img', { name: 'Where the tour is' })).toBeVisible()
  await expect(guest.getByText(new RegExp(`^Seen \\d min ago, within ${meters} m$`))).toBeVisible()
}

/** What an app sends of one moment. */
export interface SentFix {
  readonly lat: number
  readonly batt: number
  /** Unix time in milliseconds; now unless given. */
  readonly at?: number
}

const lon = -21.9
const osmAnd = ({ lat, batt, at = Date.now() }: SentFix) => ({ lat, lon, batt, accuracy: 8, timestamp: at })

/** Sends as OsmAnd does. @returns the status of the answer. */
export const sendOsmAnd = async ({ request }: Page, url: string, fix: SentFix): Promise<number> =>
  (await request.get(url, { params: osmAnd(fix) })).status()

/** Sends as Traccar Client did before version 9. @returns the status of the answer. */
export const sendOsmAndForm = async ({ request }: Page, url: string, fix: SentFix): Promise<number> =>
  (await request.post(url, { form: osmAnd(fix) })).status()

/** Sends as Traccar Client does since version 9. @returns the status of the answer. */
export async function sendTraccar({ request }: Page, url: string, fix: SentFix): Promise<number> {
  const { lat, batt, at = Date.now() } = fix
  const coords = { latitude: lat, longitude: lon, accuracy: 8, speed: 1.2, heading: 45, altitude: 12 }
  const battery = { level: batt / 100, is_charging: false }
  const location = { timestamp: new Date(at).toISOString(), coords, battery, is_moving: true, event: 'motionchange' }
  return (await request.post(url, { data: { location, device_id: 'phone' } })).status()
}

/** Sends as OwnTracks does. @returns the status of the answer. */
export async function sendOwnTracks({ request }: Page, url: string, fix: SentFix): Promise<number> {
  const { lat, batt, at = Date.now() } = fix
  // it says whole seconds: rounded down, a position would be older than one that was sent before it
  const data = { _type: 'location', lat, lon, batt, acc: 8, tst: Math.ceil(at / 1000) }
  return (await request.post(url, { data })).status()
}
