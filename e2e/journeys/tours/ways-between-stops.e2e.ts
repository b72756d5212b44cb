import { listDepartures } from '@tour-ops/contract/departures/departures'
import { apiAs } from '../../api.ts'
import { expect, expectAccessible, expectScreen, sessionFile, test } from '../../fixtures.ts'
import { ownTour } from '../../own-tour.ts'

test.use({ storageState: sessionFile('operations_manager'), contextOptions: { reducedMotion: 'reduce' } })

test('each way of a tour says how guests travel and where no signal is expected, from the plan to the run sheet', async ({
  page,
}) => {
  const { id, name } = await ownTour({ departures: 1 })
  await page.goto(`/tours/edit/${id}?show=itinerary`)
  await expectScreen(page, name)
  const stops = page.getByRole('region', { name: 'Stops' })
  const plan = page.getByRole('region', { name: 'Day map' })
  await expect(stops.getByRole('img', { name: 'by road' })).toHaveCount(2)

  // nothing leads to the first stop
  await stops
    .getByRole('button', { name: /Harbour/ })
    .first()
    .click()
  await expect(page.getByLabel('Stay')).toBeVisible()
  await expect(page.getByLabel('Way here', { exact: true })).toHaveCount(0)

  await stops.getByRole('button', { name: /Falls/ }).first().click()
  const way = page.getByLabel('Way here', { exact: true })
  await expect(way.getByRole('option')).toHaveText([
    'As the tour: by road',
    'On foot',
    'By road',
    'By boat',
    'By train',
    'By plane',
  ])
  await way.selectOption('By boat')
  await page.getByRole('switch', { name: /^No signal expected on the way here/ }).check()
  await expect(stops.getByRole('img', { name: 'by boat' })).toBeVisible()
  await expect(stops.getByRole('img', { name: 'no signal expected on the way' })).toBeVisible()
  // a ship needs longer than the road would
  await expect(plan).toContainText(/The way to Falls .* is tight: planned 2 h 10 min, around \d h/)
  await expect(plan).toContainText('by boat')
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Save/ }).click()
  await expect(page.getByText(`${name} is saved`)).toBeVisible()
  await page.reload()
  await stops.getByRole('button', { name: /Falls/ }).first().click()
  await expect(way).toHaveValue('boat')

  await page.getByRole('button', { name: 'Publish…' }).click()
  const dialog = page.getByRole('dialog', { name: `Publish ${name}` })
  await expect(dialog.getByText(/^Falls .*details/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Revision 2 is published, 1 departure updated')).toBeVisible()

  const api = await apiAs('operations_manager')
  const [departure] = (await api.call(listDepartures, { filters: { tourId: [id] } })).rows
  await page.goto(`/dashboard/overview?departure=${departure?.id}`)
  const drawer = page.getByRole('dialog', { name: new RegExp(name) })
  await expect(drawer.getByText(/by boat · no signal expected on the way · 30 min/)).toBeVisible()
  await expectAccessible(page)
})
