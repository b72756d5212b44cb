import { readFile } from 'node:fs/promises'
import { pairDevice, revokeDevice } from '@tour-ops/contract/tracking/devices'
import { beginDuty, endDuty, listDuty, ownDuty, setTrackingConsent } from '@tour-ops/contract/tracking/duty'
import { apiAs } from '../../api.ts'
import { expect, sessionFile, test } from '../../fixtures.ts'
import { pairPhone } from '../../tracker-steps.ts'

test.describe('people who may see track history', () => {
  test.use({ storageState: sessionFile('operations_manager') })

  test('takes the track of a duty as a file, with the places that the phone has sent', async ({ page }) => {
    const [guide, office] = [await apiAs('guide'), await apiAs('dispatcher')]
    await guide.call(setTrackingConsent, { agrees: true })
    if (!(await guide.call(ownDuty, {})).session) await guide.call(beginDuty, {})
    const { session } = await guide.call(ownDuty, {})
    const staffId = session?.staff?.id ?? ''
    const device = await pairPhone(office, staffId)
    const sent = await page.request.get(`${device.url}?lat=64.1234&lon=-21.93&timestamp=${Date.now()}`)
    expect(sent.status()).toBe(200)

    await page.goto(`/field-staff/details/${staffId}`)
    const menu = page.getByRole('button', { name: /^Track of the duty from/ }).first()
    await menu.click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /^GPX/ }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^tracks-\d{4}-\d\d-\d\d\.gpx$/)
    expect(await readFile(await file.path(), 'utf8')).toContain('<trkpt lat="64.1234" lon="-21.93">')
    await expect(page.getByText(/was saved/)).toBeVisible()

    await guide.call(endDuty, {})
    const { version } = await office.call(pairDevice, { id: device.id })
    await office.call(revokeDevice, { id: device.id, version })
  })
})

test.describe('a dispatcher', () => {
  test.use({ storageState: sessionFile('dispatcher') })

  test('sees when somebody was on duty, and is offered no track of it', async ({ page }) => {
    const { rows } = await (await apiAs('dispatcher')).call(listDuty, { size: 500 })
    const staffId = rows.find(({ staff, consentVersion }) => staff && consentVersion)?.staff?.id
    if (!staffId) throw new Error('The demo has nobody who was on duty and has agreed to be seen.')
    await page.goto(`/field-staff/details/${staffId}`)
    await expect(page.getByRole('heading', { name: 'Duty', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: /End duty|Begin duty/ })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Track of the duty from/ })).toHaveCount(0)
  })
})
