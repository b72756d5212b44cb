import fs from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { listAudit } from '@tour-ops/contract/audit/audit'
import { createTraveler, getTraveler, listTravelers, updateTraveler } from '@tour-ops/contract/travelers/travelers'
import { apiAs } from '../../api.ts'
import { expect, expectScreen, sessionFile, settled, takeAnswers, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('operations_manager') })
test.describe.configure({ mode: 'parallel' })

/** A word that nobody else in the organization has, so that lists hold only what the test made. */
const ownWord = (): string => `Q${Math.random().toString(36).slice(2, 9)}`

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('cell') })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' })

async function addPeople(tag: string, ...people: { firstName: string; lastName: string; dietary?: ['vegan'] }[]) {
  const api = await apiAs('operations_manager')
  const ids: string[] = []
  for (const person of people) {
    ids.push((await api.call(createTraveler, { ...person, nationality: 'GR', tags: [tag] })).id)
  }
  return ids
}

test('names are found in their own alphabet, by any part and whatever the case', async ({ page }) => {
  const tag = ownWord()
  await addPeople(
    tag,
    { firstName: 'Ελένη', lastName: `Παπαδοπούλου ${tag}` },
    { firstName: 'Дмитрий', lastName: `Королёв ${tag}` },
    { firstName: '美咲', lastName: `佐藤 ${tag}` },
    { firstName: 'Zoë', lastName: `Østergaard ${tag}` },
  )
  await page.goto('/travelers/list')
  await expectScreen(page, 'Travelers')
  for (const [typed, found] of [
    ['παπαδοπουλου', 'Ελένη'],
    ['КОРОЛЕВ', 'Дмитрий'],
    ['佐藤', '美咲'],
    ['zoe ostergaard', 'Zoë'],
  ]) {
    await search(page).fill(`${typed} ${tag}`)
    await expect(rows(page), typed).toHaveCount(1)
    await expect(rows(page)).toContainText(found ?? '')
  }
  await search(page).fill(`${tag} nobody`)
  await expect(page.getByText('Nothing matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect.poll(() => rows(page).count()).toBeGreaterThan(4)
})

test('a filter narrows the list, is saved as a view, and the export holds exactly these rows', async ({ page }) => {
  const tag = ownWord()
  await addPeople(
    tag,
    { firstName: 'Ada', lastName: 'Vegan', dietary: ['vegan'] },
    { firstName: 'Ben', lastName: '=Formula' },
    { firstName: 'Cem', lastName: 'Plain' },
  )
  await page.goto('/travelers/list')
  await expectScreen(page, 'Travelers')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox').fill(tag)
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(3)

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('Name of the view').fill(`View ${tag}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  const view = page.getByRole('tab', { name: `View ${tag}` })
  await expect(view).toBeVisible()
  await page.goto('/travelers/list')
  await view.click()
  await expect(rows(page)).toHaveCount(3)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const csv = await fs.readFile(await (await download).path(), 'utf8')
  const lines = csv
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
  expect(lines).toHaveLength(1 + 3)
  expect(csv).toContain('Vegan')
  expect(csv, 'a cell never becomes a formula').not.toMatch(/(^|[,;"])=/m)
  await expect(page.getByText(/^3 rows saved as/)).toBeVisible()

  await page.getByRole('button', { name: 'Delete this view' }).click()
  await expect(view).toHaveCount(0)
})

test('a tag is put on the selected people', async ({ page }) => {
  const [tag, wanted] = [ownWord(), ownWord()]
  const ids = await addPeople(tag, { firstName: 'Ada', lastName: 'One' }, { firstName: 'Ben', lastName: 'Two' })
  await page.goto(`/travelers/list?f.tag=${tag}`)
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select Ada One' }).click()
  await page.getByRole('checkbox', { name: 'Select Ben Two' }).click()
  const bar = page.getByRole('toolbar', { name: 'Actions for what is selected' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Add tag' }).click()
  await page.getByRole('dialog').getByLabel('Tag').fill(wanted)
  await page.getByRole('dialog').getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByText('2 travelers tagged')).toBeVisible()
  await expect(bar).toHaveCount(0)
  const found = await (await apiAs('operations_manager')).call(listTravelers, { filters: { tag: [wanted] } })
  expect(found.rows.map((row) => row.id).toSorted()).toEqual(ids.toSorted())
})

test('somebody new is created once, and people who may be the same are named first', async ({ page, complaints }) => {
  const name = ownWord()
  await addPeople(ownWord(), { firstName: 'Amara', lastName: name })
  await page.goto('/travelers/create')
  await expectScreen(page, 'New traveler')
  expect(new URL(page.url()).pathname).toBe('/travelers/edit/create')
  await page.getByRole('button', { name: 'Create traveler' }).click()
  await expect(page.getByLabel('Last name')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('First name').fill('Amara')
  await page.getByLabel('Last name').fill(name)
  await expect(page.getByText('Possible duplicate')).toBeVisible()
  await expect(page.getByRole('link', { name: `Open Amara ${name}` })).toBeVisible()
  await page.getByLabel('Phone', { exact: true }).first().fill('12')
  await page.getByRole('button', { name: 'Create traveler' }).click()
  await expect(page.getByLabel('Phone', { exact: true }).first()).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Phone', { exact: true }).first().fill('+44 7700 900118')
  await page.getByLabel('Medical note').fill('Carries an EpiPen')
  await page.getByRole('button', { name: 'Create traveler' }).click()
  await expect(page).toHaveURL(/\/travelers\/details\//)
  await expectScreen(page, `Amara ${name}`)
  await expect(page.getByRole('link', { name: '+447700900118' })).toBeVisible()
  takeAnswers(complaints, 400)
})

test('what somebody else changed meanwhile is not overwritten, and nothing that was typed is lost', async ({
  page,
  complaints,
}) => {
  const [tag, later] = [ownWord(), ownWord()]
  const [id = ''] = await addPeople(tag, { firstName: 'Ada', lastName: tag })
  await page.goto(`/travelers/edit/${id}`)
  await expectScreen(page, `Edit Ada ${tag}`)
  await page.getByLabel('Preferred name').fill('Countess')

  const api = await apiAs('admin')
  const { version } = await api.call(getTraveler, { id })
  await api.call(updateTraveler, { id, version, firstName: 'Ada', lastName: later })

  await page.getByRole('button', { name: 'Save traveler' }).click()
  await expect(page.getByRole('alert')).toContainText('Someone else just changed this.')
  await expect(page.getByLabel('Preferred name')).toHaveValue('Countess')
  expect((await api.call(getTraveler, { id })).lastName).toBe(later)

  await page.reload()
  await page
    .getByRole('button', { name: 'Leave' })
    .click({ timeout: 1_000 })
    .catch(() => undefined)
  await expectScreen(page, `Edit Ada ${later}`)
  await page.getByLabel('Preferred name').fill('Countess')
  await page.getByRole('button', { name: 'Save traveler' }).click()
  await expect(page).toHaveURL(new RegExp(`/travelers/details/${id}`))
  expect(await api.call(getTraveler, { id })).toMatchObject({ lastName: later, preferredName: 'Countess' })
  takeAnswers(complaints, 409)
})

test('a medical note stays covered until somebody asks, and who asked is recorded', async ({ page }) => {
  const tag = ownWord()
  const api = await apiAs('operations_manager')
  const { id } = await api.call(createTraveler, { firstName: 'Ada', lastName: tag, medicalNote: 'Carries an EpiPen' })
  await page.goto(`/travelers/details/${id}?tab=needs`)
  await settled(page)
  await expect(page.getByText('Carries an EpiPen')).toHaveCount(0)
  await expect(page.getByText('Each view is recorded.')).toBeVisible()
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByText('Carries an EpiPen')).toBeVisible()
  const log = await api.call(listAudit, { filters: { entityId: [id], action: ['travelers-reveal'] } })
  expect(log.total).toBe(1)
})

test.describe('a viewer', () => {
  test.use({ storageState: sessionFile('viewer') })

  test('reads, and finds nothing to change or uncover', async ({ page }) => {
    const tag = ownWord()
    const api = await apiAs('operations_manager')
    const { id } = await api.call(createTraveler, { firstName: 'Ada', lastName: tag, medicalNote: 'Carries an EpiPen' })
    await page.goto(`/travelers/list?q=${tag}`)
    await expect(rows(page)).toHaveCount(1)
    for (const name of ['New traveler', 'Import']) await expect(page.getByRole('link', { name })).toHaveCount(0)
    await expect(page.getByRole('checkbox')).toHaveCount(0)
    await rows(page).click()
    await expect(page).toHaveURL(new RegExp(`/travelers/details/${id}`))
    await page.getByRole('tab', { name: 'Needs' }).click()
    await expect(page.getByText('Each view is recorded.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Show' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0)
  })
})
