import { createTraveler, getTraveler, revealTraveler } from '@tour-ops/contract/travelers/travelers'
import { apiAs } from '../../api.ts'
import { expect, expectScreen, sessionFile, settled, test } from '../../fixtures.ts'

test.use({ storageState: sessionFile('operations_manager') })

const medicalNote = 'Asthma, carries a spray'
const dateOfBirth = '1985-07-04'

async function addGuest(): Promise<string> {
  const api = await apiAs('operations_manager')
  const { id } = await api.call(createTraveler, {
    firstName: 'Grete',
    lastName: `Covered ${Date.now().toString(36)}`,
    medicalNote,
    dateOfBirth,
  })
  return id
}

const coveredFacts = async (id: string) =>
  (await apiAs('operations_manager')).call(revealTraveler, { id, fields: ['medical', 'date_of_birth'] })

test('a form that nobody typed into has nothing to save, and saving it keeps what is covered', async ({ page }) => {
  const id = await addGuest()
  await page.goto(`/travelers/edit/${id}`)
  await expectScreen(page, /Edit Grete/)
  await settled(page)
  await expect(page.getByText('Not saved')).toBeHidden()
  const birth = page.getByRole('group', { name: 'Date of birth' })
  await expect(birth.getByRole('button', { name: 'Show' })).toBeVisible()
  await page.getByRole('button', { name: 'Save traveler' }).click()
  await expect(page).toHaveURL(new RegExp(`/travelers/details/${id}`))
  expect(await coveredFacts(id)).toMatchObject({ medicalNote, dateOfBirth })
})

test('a covered note is uncovered to be changed, and emptied it is gone', async ({ page }) => {
  const id = await addGuest()
  await page.goto(`/travelers/edit/${id}`)
  const medical = page.getByRole('group', { name: 'Medical note' })
  await medical.getByRole('button', { name: 'Show' }).click()
  const note = page.getByRole('textbox', { name: 'Medical note' })
  await expect(note).toHaveValue(medicalNote)
  await note.fill('')
  await expect(page.getByText('Not saved')).toBeVisible()
  await page.getByRole('button', { name: 'Save traveler' }).click()
  await expect(page).toHaveURL(new RegExp(`/travelers/details/${id}`))
  const traveler = await (await apiAs('operations_manager')).call(getTraveler, { id })
  expect(traveler).toMatchObject({ hasMedicalNote: false, hasDateOfBirth: true })
})

test('languages are chosen by name or code with the keyboard, in their order, and one taken away leaves it in the field', async ({
  page,
}) => {
  const id = await addGuest()
  await page.goto(`/travelers/edit/${id}`)
  const field = page.getByRole('combobox', { name: 'Languages' })
  for (const typed of ['is', 'german', 'span']) {
    await field.fill(typed)
    await field.press('Enter')
  }
  const chosen = page.getByRole('list', { name: 'Languages' }).getByRole('listitem')
  await expect(chosen).toHaveText(['Icelandic', 'German', 'Spanish'])
  await page.getByRole('button', { name: 'Remove German' }).press('Enter')
  await expect(chosen).toHaveText(['Icelandic', 'Spanish'])
  await expect(field).toBeFocused()
  await page.getByRole('button', { name: 'Save traveler' }).click()
  await expect(page).toHaveURL(new RegExp(`/travelers/details/${id}`))
  expect(await (await apiAs('operations_manager')).call(getTraveler, { id })).toMatchObject({ languages: ['is', 'es'] })
})
