import { pairDevice, revokeDevice } from '@tour-ops/contract/tracking/devices'
import { beginDuty, endDuty, ownDuty, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { apiAs } from '../../api.ts'
import { expect, sessionFile, test } from '../../fixtures.ts'
import { pairPhone } from '../../tracker-steps.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('a guide on duty who has agreed is on the map while they move, and gone with the end of the duty', async ({
  page,
}) => {
  const [guide, office] = [await apiAs('guide'), await apiAs('dispatcher')]
  await guide.call(setTrackingConsent, { agrees: true })
  if (!(await guide.call(ownDuty, {})).session) await guide.call(beginDuty, {})
  const { session } = await guide.call(ownDuty, {})
  const device = await pairPhone(office, session?.staff?.id ?? '')
  const send = (lat: number) =>
    page.request.get(`${device.url}?lat=${lat}&lon=-21.93&speed=20&bearing=45&batt=81&timestamp=${Date.now()}`)

  await page.goto('/dashboard/map')
  const panel = page.getByRole('region', { name: "Today's departures" })
  await expect(panel.getByRole('heading', { name: 'Live map' })).toBeVisible()
  expect((await send(64.14)).status()).toBe(200)
  await expect(panel.getByText(/on duty seen/)).toBeVisible()
  expect((await send(64.141)).status()).toBe(200)
  await page.goto('/field-staff/tracking')
  const row = page.getByRole('row').filter({ hasText: session?.staff?.name ?? '' })
  await expect(row.getByText('81%')).toBeVisible()
  await expect(row.getByText('Live', { exact: true })).toBeVisible()
  await page.goto('/dashboard/map')
  await expect(panel.getByText(/on duty seen/)).toBeVisible()
  // others may be on duty as well
  const seen = async (): Promise<number> => {
    const [text = '0'] = await panel.getByText(/on duty seen/).allInnerTexts()
    return Number.parseInt(text, 10)
  }
  const before = await seen()
  await guide.call(endDuty, {})
  await expect.poll(seen).toBeLessThan(before)
  const { version } = await office.call(pairDevice, { id: device.id })
  await office.call(revokeDevice, { id: device.id, version })
})
