import { beginDutyFor, endDutyFor, listDuty, setDutyBreak } from '@tour-ops/contract/tracking/duty'
import { createOrganization, enterWithWallet } from '../../accounts.ts'
import { apiOfBrowser } from '../../api.ts'
import { expect, expectAccessible, test } from '../../fixtures.ts'
import { makeDeparture, makeGuide, makePlaces, makeTour } from '../../operations.ts'
import { walkOnTheWay } from '../../watched-walk.ts'

test('who has a break or went off duty today is on the list of the map with since when, and nowhere on the map', async ({
  page,
  context,
  request,
}) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Calm Coast Tours')
  const office = await apiOfBrowser(context)
  const { report } = await walkOnTheWay(office, request, { name: 'Coast walk' })
  await report()
  const { id: other } = await makeGuide('Olga', office)
  await office.call(beginDutyFor, { staffId: other, vehicleId: null, departureId: null })
  const [open] = (await office.call(listDuty, { filters: { staffId: [other] } })).rows
  await office.call(endDutyFor, { id: open?.id ?? '', version: open?.version ?? 0 })

  await page.goto('/dashboard/map')
  const panel = page.getByRole('region', { name: "Today's departures" })
  await panel.getByRole('button', { name: '1 on duty seen' }).click()
  const away = panel.getByRole('region', { name: 'Off duty or on a break' })
  await expect(away.getByRole('listitem')).toHaveText([/^Olga .*Off duty since \d\d:\d\d$/])
  const nils = panel.getByRole('region', { name: 'On duty', exact: true }).getByRole('button', { name: /Nils/ })
  await expect(nils).toBeVisible()
  await expectAccessible(page)

  // the only member of the organization is linked with Nils
  await office.call(setDutyBreak, { onBreak: true })
  await panel.getByRole('searchbox').fill('nils')
  await expect(away.getByRole('listitem')).toHaveText([/^Nils .*On a break since \d\d:\d\d$/])
  await expect(nils).toHaveCount(0)
  await panel.getByRole('searchbox').fill('nobody of that name')
  await expect(away).toHaveCount(0)
})

test('with nobody on duty the map says so, what starts next, and who is off duty', async ({ page, context }) => {
  await enterWithWallet(page)
  await createOrganization(page, 'Empty Coast Tours')
  const office = await apiOfBrowser(context)
  await makePlaces(office)
  const tour = await makeTour('Early walk', office)
  // neither today nor tomorrow, whatever the hour
  await makeDeparture(tour, { hours: 72 }, office)
  const { id: staffId } = await makeGuide('Olga', office)

  await page.goto('/dashboard/map')
  const panel = page.getByRole('region', { name: "Today's departures" })
  await expect(panel.getByText(/^No one is on duty\. Next: \S+ \w{3} \d+ \w{3} \d\d:\d\d/)).toBeVisible()
  await expect(panel.getByRole('button', { name: /^Off duty/ })).toHaveCount(0)

  await office.call(beginDutyFor, { staffId, vehicleId: null, departureId: null })
  await expect(panel.getByText('No one is on duty')).toHaveCount(0)
  const [open] = (await office.call(listDuty, { filters: { staffId: [staffId] } })).rows
  await office.call(endDutyFor, { id: open?.id ?? '', version: open?.version ?? 0 })
  await panel.getByRole('button', { name: 'Off duty or on a break: 1' }).click()
  const away = panel.getByRole('region', { name: 'Off duty or on a break' })
  await expect(away.getByRole('listitem')).toHaveText([/^Olga .*Off duty since \d\d:\d\d$/])
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Off duty or on a break: 1' }).click()
  await expect(away).toHaveCount(0)
})
