import { createAssignment } from '@tour-ops/contract/field-staff/assignments'
import { getTour, publishTour, saveTourDraft } from '@tour-ops/contract/tours/tours'
import { type Api, apiAs } from '../../api.ts'
import { endCutOff, installed, takeCutOffs } from '../../duty-steps.ts'
import { expect, expectAccessible, sessionFile, test } from '../../fixtures.ts'
import { makeDeparture, makeTour } from '../../operations.ts'
import { becomeGuide } from '../../own-guide.ts'

// The plan changes after the guide has seen it: the phone says what is new, and the office reads who has seen which revision.

test.use({ viewport: { width: 390, height: 844 } })

/** Publishes another revision of the tour, with what is new in it, and lets the departure follow it. */
async function revise(office: Api, tourId: string, departureId: string, note: string): Promise<void> {
  const { version, revision } = await office.call(getTour, { id: tourId })
  if (!revision) throw new Error('A tour of a journey is published.')
  const saved = await office.call(saveTourDraft, { id: tourId, version, content: revision.content })
  await office.call(publishTour, { id: tourId, version: saved.version, note, applyToDepartureIds: [departureId] })
}

test('a guide reads what has changed, says so without a signal, and the office reads which revision was seen once it is back', async ({
  page,
  context,
  browser,
  complaints,
}) => {
  const { staffId } = await becomeGuide(page, browser, 'Brandt')
  const office = await apiAs('admin')
  const tour = await makeTour('Heath walk')
  const { id } = await makeDeparture(tour)
  await office.call(createAssignment, { departureId: id, staffId, role: 'lead_guide', overrideReason: 'Journey' })
  const desk = await browser.newContext({
    storageState: sessionFile('dispatcher'),
    viewport: { width: 1440, height: 900 },
  })
  const officePage = await desk.newPage()
  await officePage.goto(`/dashboard/overview?departure=${id}`)
  const sheet = officePage.getByRole('dialog', { name: /Heath walk/ })
  await expect(sheet.getByText('Itinerary revision 1')).toBeVisible()
  await expect(sheet.getByText('seen by')).toHaveCount(0)

  // whoever has opened a run sheet knows that plan, and is shown no changes of it
  await page.goto('/duty')
  await installed(page)
  await page.getByRole('link', { name: 'Run sheet', exact: true }).click()
  await expect(sheet.getByText('Itinerary revision 1 · seen by Nadia Brandt')).toBeVisible()
  await page.goto('/duty')
  await expect(page.getByRole('link', { name: 'Run sheet', exact: true })).toBeVisible()
  const changed = page.getByText('Heath walk: run sheet changed.')
  await expect(changed).toHaveCount(0)

  await revise(office, tour.id, id, 'Lunch is at the mill.')
  await expect(sheet.getByText('Itinerary revision 2 · Nadia Brandt has seen revision 1')).toBeVisible()
  await page.reload()
  await expect(changed).toContainText('Version 2')
  await expect(changed).toContainText('Lunch is at the mill.')
  await expectAccessible(page)

  const seen = page.getByRole('button', { name: 'Seen' })
  await context.setOffline(true)
  await seen.click()
  await expect(changed).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('1 entry is waiting on this phone')).toBeVisible()
  await expect(changed).toHaveCount(0)
  await expect(sheet.getByText('Nadia Brandt has seen revision 1')).toBeVisible()
  await endCutOff(page)
  await expect(sheet.getByText('Itinerary revision 2 · seen by Nadia Brandt')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Run sheet', exact: true })).toBeVisible()
  await expect(changed).toHaveCount(0)

  // what the office publishes while the phone has no signal was not on it
  await revise(office, tour.id, id, 'The bridge is closed.')
  await page.reload()
  await expect(changed).toContainText('The bridge is closed.')
  await context.setOffline(true)
  await seen.click()
  await expect(changed).toHaveCount(0)
  await revise(office, tour.id, id, 'The bridge is open again.')
  await endCutOff(page)
  await expect(sheet.getByText('Itinerary revision 4 · Nadia Brandt has seen revision 3')).toBeVisible()
  await expect(changed).toContainText('The bridge is open again.')
  await expect(changed).not.toContainText('The bridge is closed.')
  await desk.close()
  takeCutOffs(complaints)
})
