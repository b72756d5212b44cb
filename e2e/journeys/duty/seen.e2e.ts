import type { Page } from '@playwright/test'
import { getDeparture, setDepartureStatus } from '@tour-ops/contract/departures/departures'
import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { listDevices, revokeDevice } from '@tour-ops/contract/tracking/devices'
import { type Api, apiAs } from '../../api.ts'
import { agreeToTracking } from '../../duty-steps.ts'
import { expect, expectAccessible, takeAnswers, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'
import { becomeGuide } from '../../own-guide.ts'

// Whether the office sees a guide's phone, and that the phone never says so when it does not.

test.use({
  viewport: { width: 390, height: 844 },
  permissions: ['geolocation'],
  geolocation: { latitude: 64.1375, longitude: -21.935 },
})

const line = (page: Page) => page.locator('header')

/** A phone reports every 15 s, and learns only then that nobody wants its reports; three times that leaves room for a machine that does other things as well. */
const nextReport = { timeout: 45_000 }

/** The one phone of somebody, as the office has it, once a position of it has arrived. */
async function phoneThatReported(office: Api, staffId: string, before?: string) {
  const phones = async () => (await office.call(listDevices, { filters: { staffId: [staffId] } })).rows
  await expect.poll(async () => (await phones()).filter(({ lastSeenAt }) => lastSeenAt !== before).length).toBe(1)
  const [phone] = await phones()
  if (!phone) throw new Error('The office knows no phone')
  return phone
}

/** The phone moves a little, as phones do: each time is a position to send. */
async function walk(page: Page, step: number): Promise<void> {
  await page.context().setGeolocation({ latitude: 64.1375 + step / 10_000, longitude: -21.935 })
}

test('the run sheet of a phone that reports says how far the next stop is', async ({ page, browser }) => {
  const { staffId } = await becomeGuide(page, browser)
  const api = await apiAs('admin')
  const { id } = await makeDeparture(await makeTour('Moor walk'))
  await api.call(createAssignment, { departureId: id, staffId, role: 'lead_guide', overrideReason: 'Journey' })
  const { version } = await api.call(getDeparture, { id })
  await api.call(setDepartureStatus, { id, version, to: 'boarding' })
  await page.goto('/duty')
  // who leads is on duty from the boarding on
  await agreeToTracking(page)
  await page.getByRole('link', { name: 'Run sheet', exact: true }).click()
  await expect(page.getByText(/ k?m away$/)).toBeVisible()
  await expectAccessible(page)
})

test('a phone that the office has ended, or another has replaced, says so and is seen again only when its person asks', async ({
  page,
  browser,
  complaints,
}) => {
  const { staffId } = await becomeGuide(page, browser)
  const office = await apiAs('dispatcher')
  await page.goto('/duty')
  await page.getByRole('button', { name: 'Begin duty' }).click()
  await page.getByRole('button', { name: /^Agree/ }).click()
  await expect(line(page).getByText('Visible to the office since')).toBeVisible()
  const first = await phoneThatReported(office, staffId)

  await office.call(revokeDevice, { id: first.id, version: first.version })
  await walk(page, 1)
  await expect(line(page).getByText('The office no longer sees your position: it has revoked this phone.')).toBeVisible(
    nextReport,
  )
  await expectAccessible(page)
  await page.reload()
  await expect(
    line(page).getByText('The office no longer sees your position: it has revoked this phone.'),
  ).toBeVisible()
  expect((await office.call(listDevices, { filters: { staffId: [staffId] } })).rows).toEqual([])

  await page.getByRole('button', { name: 'Share position again' }).click()
  await expect(page.getByText('If you do not know why, call the office first.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Share position again' }).click()
  await expect(line(page).getByText('Visible to the office since')).toBeVisible()
  await walk(page, 2)
  const second = await phoneThatReported(office, staffId)
  expect(second.id).not.toBe(first.id)

  const another = await browser.newContext({
    storageState: await page.context().storageState(),
    viewport: { width: 390, height: 844 },
    permissions: ['geolocation'],
    geolocation: { latitude: 64.14, longitude: -21.93 },
  })
  const otherPhone = await another.newPage()
  await otherPhone.goto('/duty')
  await expect(line(otherPhone).getByText('Visible to the office since')).toBeVisible()
  await phoneThatReported(office, staffId, second.lastSeenAt ?? '')
  await walk(page, 3)
  await expect(
    line(page).getByText('The office no longer sees this phone: another phone reports your position.'),
  ).toBeVisible(nextReport)
  await another.close()
  takeAnswers(complaints, 400)
})
