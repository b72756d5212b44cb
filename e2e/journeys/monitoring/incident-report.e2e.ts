import { addIncidentTask } from '@tour-ops/contract/monitoring/incident-tasks'
import { noteIncident, reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('dispatcher') })

test('the report of an incident is on paper what its room knows, on A4 and on Letter, without medical notes', async ({
  page,
}) => {
  const office = await apiAs('operations_manager')
  const word = Math.random().toString(36).slice(2, 7)
  const { id: werner } = await office.call(createTraveler, {
    firstName: 'Werner',
    lastName: `Haas ${word}`,
    dietary: ['vegan'],
    emergencyContact: { name: 'Ada Haas', relation: 'Daughter', phone: '+447700900155' },
    medicalNote: 'Heart condition',
  })
  const { id, number } = await office.call(reportIncident, {
    category: 'medical',
    severity: 2,
    title: `Guest unwell ${word}`,
    note: 'Guest fainted near the viewpoint.',
    affectedTravelerIds: [werner],
  })
  await office.call(addIncidentTask, { incidentId: id, text: 'Call the family' })
  for (let count = 1; count <= 40; count += 1) {
    await office.call(noteIncident, { id, kind: 'call', text: `Call number ${count}: the ambulance is on its way.` })
  }

  await page.goto(`/tools/monitoring?incident=${id}`)
  const room = page.getByRole('dialog', { name: new RegExp(number) })
  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes')
  })
  const button = room.getByRole('button', { name: 'Print report' })
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-printed', 'yes')
  await expectAccessible(page)

  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('.incident-sheet')
  await expect(sheet).toBeVisible()
  await expect(room).toBeHidden()
  for (const text of [number, '2 Serious', 'Werner Haas', 'Vegan', '+447700900155', 'Ada Haas', 'Call the family']) {
    await expect(sheet).toContainText(text)
  }
  await expect(sheet).toContainText('Medical note on the traveler’s page')
  await expect(sheet).not.toContainText('Heart')
  // from the beginning, as it happened
  const log = sheet.locator('table').last().locator('tbody tr')
  await expect(log).toHaveCount(42)
  await expect(log.first()).toContainText('Reported')
  await expect(log.last()).toContainText('Call number 40')
  await expect(sheet.locator('footer')).toContainText(/build \S+/)
  const pageRules = await page.evaluate(() =>
    document.adoptedStyleSheets.flatMap((each) => [...each.cssRules].map((rule) => rule.cssText)).join(' '),
  )
  expect(pageRules).toContain('@page incident-sheet')
  expect(pageRules).toContain('"Page " counter(page) " of " counter(pages)')
  // no paper of its own: the printer's is taken, and the report runs over several pages of either
  for (const [format, height] of [
    ['A4', 842],
    ['Letter', 792],
  ] as const) {
    const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1')
    const heights = [...pdf.matchAll(/\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/g)].map(([, found]) => Number(found))
    expect(heights.length, format).toBeGreaterThan(1)
    for (const found of heights) expect(Math.abs(found - height), format).toBeLessThan(2)
  }
})

test('what was behind an incident is asked for when it is reviewed, and is in its room and on paper', async ({
  page,
}) => {
  const office = await apiAs('operations_manager')
  const title = `Flat tire ${Math.random().toString(36).slice(2, 7)}`
  const { id, version } = await office.call(reportIncident, { category: 'vehicle', severity: 3, title })
  let saved = { id, version }
  for (const to of ['triaged', 'active', 'stabilised', 'resolved'] as const) {
    saved = await office.call(setIncidentStatus, { ...saved, to })
  }
  await page.goto(`/tools/monitoring?incident=${id}`)
  const room = page.getByRole('dialog', { name: title })
  await room.getByRole('button', { name: /Resolved/ }).click()
  await page.getByRole('menuitem', { name: 'Set to “Reviewed”' }).click()
  const review = page.getByRole('dialog', { name: 'Review this incident?' })
  await review.getByLabel('Root cause').fill('Tires older than six years.')
  await expectAccessible(page)
  await review.getByRole('button', { name: 'Mark as reviewed' }).click()
  await expect(review).toBeHidden()
  await expect(room).toContainText('Tires older than six years.')
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.incident-sheet')).toContainText('Tires older than six years.')
})
