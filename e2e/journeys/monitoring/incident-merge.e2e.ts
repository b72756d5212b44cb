import { addIncidentTask } from '@tour-ops/contract/monitoring/incident-tasks'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('two incidents of one departure become one, by keyboard and on a phone, and each leads to the other', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const word = Math.random().toString(36).slice(2, 7)
  const departure = await makeDeparture(await makeTour(`Cape ${word}`))
  const office = await apiAs('dispatcher')
  const report = (title: string) =>
    office.call(reportIncident, {
      category: 'medical',
      severity: 2,
      title: `${title} ${word}`,
      note: `${title}, as reported.`,
      departureId: departure.id,
    })
  const kept = await report('Guest unwell')
  const twice = await report('Guest collapsed')
  await office.call(addIncidentTask, { incidentId: twice.id, text: 'Call the family' })

  await page.goto(`/tools/monitoring?incident=${twice.id}`)
  const room = page.getByRole('dialog', { name: new RegExp(`^${twice.number}`) })
  await room.getByRole('button', { name: 'Merge into another incident' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Merge ${twice.number} into another incident?` })
  await expect(dialog).toContainText('This cannot be undone.')
  const choice = dialog.getByRole('combobox', { name: /Merge into/ })
  await choice.focus()
  await page.keyboard.press('ArrowDown')
  // of the same departure first
  await expect(page.getByRole('option').first()).toContainText(kept.number)
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Merge', exact: true }).press('Enter')

  const other = page.getByRole('dialog', { name: new RegExp(`^${kept.number}`) })
  await expect(other.getByRole('region', { name: 'Tasks' })).toContainText('Call the family')
  const log = other.getByRole('list', { name: 'Log' })
  await expect(log).toContainText('Guest collapsed, as reported.')
  await expect(log).toContainText('Guest unwell, as reported.')
  await expect(log).toContainText(twice.number)
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)

  await other.getByRole('link', { name: twice.number }).click()
  await expect(room.getByRole('link', { name: `Merged into ${kept.number}` })).toBeVisible()
  // nothing of it can be changed any more
  for (const name of ['Add to log', 'Add task', 'Merge into another incident']) {
    await expect(room.getByRole('button', { name, exact: true })).toHaveCount(0)
  }
  await expectAccessible(page)
})
