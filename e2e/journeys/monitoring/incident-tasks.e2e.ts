import type { Locator } from '@playwright/test'
import { completeIncidentTask } from '@tour-ops/contract/monitoring/incident-tasks'
import { getIncident, reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('dispatcher') })

/** An incident of this journey's own, up to the status before its end. */
async function stabilisedIncident() {
  const api = await apiAs('dispatcher')
  const reported = await api.call(reportIncident, {
    category: 'medical',
    severity: 2,
    title: `Guest unwell ${Math.random().toString(36).slice(2, 7)}`,
  })
  let saved = { id: reported.id, version: reported.version }
  for (const to of ['triaged', 'active', 'stabilised'] as const) {
    saved = await api.call(setIncidentStatus, { ...saved, to })
  }
  return { api, id: reported.id, number: reported.number }
}

const rowOf = (tasks: Locator, text: string) => tasks.getByRole('listitem').filter({ hasText: text })

test('tasks of an incident are added by keyboard, done by two people, and asked about before the end', async ({
  page,
}) => {
  const { api, id, number } = await stabilisedIncident()
  await page.goto(`/tools/monitoring?incident=${id}`)
  const room = page.getByRole('dialog', { name: new RegExp(number) })
  const tasks = room.getByRole('region', { name: 'Tasks' })

  await tasks.getByRole('button', { name: 'Add task: Call the emergency number' }).focus()
  await page.keyboard.press('Enter')
  const call = tasks.getByRole('checkbox', { name: 'Done: Call the emergency number' })
  await expect(call).not.toBeChecked()
  // what is a task is not suggested any more
  await expect(tasks.getByRole('button', { name: 'Add task: Call the emergency number' })).toHaveCount(0)
  // the keyboard goes on from what is still there
  await expect(tasks.getByRole('button', { name: 'Add task', exact: true })).toBeFocused()
  await call.focus()
  await page.keyboard.press('Space')
  await expect(call).toBeChecked()
  await expect(call).toBeFocused()
  await expect(room.getByRole('list', { name: 'Log' })).toContainText('Done: Call the emergency number')

  await tasks.getByRole('button', { name: 'Add task', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add task' })
  await dialog.getByRole('textbox', { name: 'What has to be done' }).fill('Call the family')
  await dialog.getByRole('combobox', { name: 'Assigned to' }).selectOption({ index: 1 })
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'What has to be done' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(rowOf(tasks, 'Call the family')).not.toContainText('Nobody yet')
  await expect(tasks).toContainText('1 of 2 done')
  await expect(room.getByText('1 open task')).toBeVisible()
  await expectAccessible(page)

  // a colleague does it, and this desk sees so
  const { tasks: known } = await api.call(getIncident, { id })
  const family = known.find(({ text }) => text === 'Call the family')
  if (!family) throw new Error('The task is not there.')
  const manager = await apiAs('operations_manager')
  await manager.call(completeIncidentTask, { id: family.id, version: family.version })
  await expect(rowOf(tasks, 'Call the family').getByRole('checkbox')).toBeChecked()
  await expect(tasks).toContainText('2 of 2 done')

  await tasks.getByRole('button', { name: 'Add task: Arrange transport to the hospital' }).click()
  await tasks.getByRole('button', { name: 'Change task: Arrange transport to the hospital' }).click()
  await page.getByRole('dialog', { name: 'Change task' }).getByRole('button', { name: 'Remove task' }).click()
  await expect(room.getByRole('list', { name: 'Log' })).toContainText('Task removed: Arrange transport to the hospital')

  await tasks.getByRole('button', { name: 'Add task: Report to the insurance' }).click()
  await expect(room.getByText('1 open task')).toBeVisible()
  await room.getByRole('button', { name: /^Status/ }).click()
  await page.getByRole('menuitem', { name: /Resolved/ }).click()
  const resolving = page.getByRole('dialog', { name: 'Resolve with open tasks?' })
  await expect(resolving).toContainText('Report to the insurance')
  await expectAccessible(page)
  await resolving.getByRole('textbox', { name: 'What happens with them' }).fill('Form goes out tomorrow.')
  await resolving.getByRole('button', { name: 'Resolve' }).click()
  await expect(resolving).toBeHidden()
  await expect(room.getByRole('list', { name: 'Log' })).toContainText('Form goes out tomorrow.')
})

test('on a phone an overdue task is marked in its room and on the card of the incident', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id, number } = await stabilisedIncident()
  await page.goto(`/tools/monitoring?incident=${id}`)
  const tasks = page.getByRole('dialog', { name: new RegExp(number) }).getByRole('region', { name: 'Tasks' })
  await tasks.getByRole('button', { name: 'Add task: Inform the emergency contact' }).click()
  await tasks.getByRole('button', { name: 'Change task: Inform the emergency contact' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change task' })
  await dialog.getByRole('textbox', { name: /Due/ }).first().fill('02/01/2026')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('Enter a date and a time, or neither.')
  await dialog.getByRole('textbox', { name: /Time/ }).fill('08:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(tasks.getByText(/^Overdue since/)).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
})
