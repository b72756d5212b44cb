import { getIncident, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('dispatcher') })

/** Longer than a phone is wide, with a character that would turn around what is written after it. */
async function longIncident() {
  const api = await apiAs('dispatcher')
  const mark = Math.random().toString(36).slice(2, 7)
  const title = `Guest unwell ${mark} ${'Llanfairpwllgwyngyll'.repeat(4)} after the walk to the glacier`
  const { id, number } = await api.call(reportIncident, { category: 'medical', severity: 3, title: `${title}\u202E` })
  return { api, id, number, title, mark }
}

test('a long title is whole in the room of a phone, breaks no card, and turns nothing around', async ({ page }) => {
  const { api, id, number, title, mark } = await longIncident()
  expect((await api.call(getIncident, { id })).title).toBe(title)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/tools/monitoring?show=incidents&q=${mark}`)
  await expect(page.getByText(title).first()).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.goto(`/tools/monitoring?incident=${id}`)
  const heading = page.getByRole('dialog', { name: new RegExp(number) }).getByRole('heading', { level: 2 })
  await expect(heading).toHaveText(title)
  const hidden = await heading.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(hidden).toBeLessThanOrEqual(0)
  await expectAccessible(page)
})

test('what does not fit into a field is said, near its end its length, and both go when the text is sent', async ({
  page,
  context,
}) => {
  const { id, number } = await longIncident()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/tools/monitoring?incident=${id}`)
  const room = page.getByRole('dialog', { name: new RegExp(number) })
  const note = room.getByRole('textbox', { name: 'What happened? Who did what?' })
  await note.focus()
  await page.evaluate(() => navigator.clipboard.writeText('x'.repeat(4012)))
  await page.keyboard.press('ControlOrMeta+V')
  await expect(room.getByRole('alert')).toHaveText('12 characters of what you pasted did not fit. The limit is 4000.')
  await expect(note).toHaveValue('x'.repeat(4000))
  await expectAccessible(page)
  await page.keyboard.press('Backspace')
  await expect(room.getByText('3999 of 4000 characters')).toBeVisible()
  await room.getByRole('button', { name: 'Add to log' }).click()
  await expect(note).toHaveValue('')
  await expect(room.getByText('of 4000 characters')).toBeHidden()
})

for (const path of ['/tools/full-monitoring-list', '/field-staff/tracking']) {
  test(`${path} shows its usual columns on a screen of 1440 px without scrolling sideways`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    const table = page.locator('.table-scroller')
    await expect(table.getByRole('row').nth(1)).toBeVisible()
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0)
  })
}
